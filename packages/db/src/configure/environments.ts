import { isDeepStrictEqual } from 'node:util';
import {
  alreadyExists,
  type ConfiguredKinds,
  type EnvironmentRecord,
  type EnvironmentSettings,
  formatId,
  type JsonObject,
  presentEnvironment,
  reject,
} from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import type { Environment as EnvironmentRow } from '../generated/client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import type { Bounds } from '../snapshot/access.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { plaintextUrls } from './channels.ts';
import { readActiveParts } from './parts/active-parts.ts';
import { republish } from './parts/republish.ts';
import { readTenant } from './tenants.ts';

/** Types a row as a record; the table's checks guarantee the values of the settings. */
const toRecord = (row: EnvironmentRow) => row as EnvironmentRow & EnvironmentSettings;

const toData = ({ outcomeEvents, ...settings }: Partial<EnvironmentSettings>) => ({
  ...settings,
  ...(outcomeEvents && { outcomeEvents: [...outcomeEvents] }),
});

const record = auditRecorderOf(
  ({ id }: EnvironmentRecord) => ({ resourceId: formatId('env', id), environmentId: id }),
  presentEnvironment,
);

/** The environment with this UUID, or null. */
export async function readEnvironment(db: Queryable, id: string): Promise<EnvironmentRecord | null> {
  const row = await db.environment.findFirst({ where: { id } });
  return row && toRecord(row);
}

/** A tenant's environments, newest first. */
export async function listEnvironments(
  db: Queryable,
  {
    tenantId,
    bounds = null,
    ...page
  }: PageRequest & { readonly tenantId: string; readonly bounds?: Bounds | null },
): Promise<Page<EnvironmentRecord>> {
  const visible = bounds && !bounds.tenantIds.includes(tenantId) ? { in: [...bounds.environmentIds] } : {};
  return newestFirst(page, async (id, query) =>
    (await db.environment.findMany({ where: { tenantId, id: { ...visible, ...id } }, ...query })).map(
      toRecord,
    ),
  );
}

/**
 * Creates an environment; `name` is a slug, unique within the tenant. Settings have defaults.
 * @throws RefusedError if there is no such tenant, or the name is taken
 */
export async function createEnvironment(
  deps: ConfigureDeps,
  {
    tenantId,
    name,
    ...settings
  }: Partial<EnvironmentSettings> & { readonly tenantId: string; readonly name: string },
): Promise<EnvironmentRecord> {
  return inTransaction(deps, async (tx) => {
    if (!(await readTenant(tx, tenantId))) reject('tenant_not_found');
    const [row] = await tx.environment.createManyAndReturn({
      data: [{ id: deps.newId(), tenantId, name, ...toData(settings) }],
      skipDuplicates: true,
    });
    const environment = toRecord(row ?? reject(alreadyExists('/name')));
    await record(tx, deps, { action: 'environment.created', before: null, after: environment });
    return environment;
  });
}

/** Like {@link readEnvironment}, and locks the row against changes until the transaction ends. */
export async function lockEnvironment(tx: Queryable, id: string): Promise<EnvironmentRecord | null> {
  await tx.$queryRaw`SELECT FROM environments WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return readEnvironment(tx, id);
}

const MAX_NAMED = 10;
/** Consumers can have hundreds of thousands of channels. */
const CHANNELS_AT_ONCE = 500;

/** The names of up to {@link MAX_NAMED} channels of an environment or its consumers with URLs that are not https. */
export async function findPlaintextChannels(
  tx: Queryable,
  environmentId: string,
  kinds: ConfiguredKinds,
): Promise<readonly string[]> {
  const isRefused = (kind: string, config: JsonObject) => {
    const definition = kinds.find(kind);
    return definition !== null && plaintextUrls(definition, config).length > 0;
  };
  const names: string[] = [];
  for (let after: string | null = ''; after !== null && names.length < MAX_NAMED; ) {
    const page: { id: string; name: string; kind: string; config: Prisma.JsonValue }[] =
      await tx.channel.findMany({
        where: { environmentId, deletedAt: null, ...(after === '' ? {} : { id: { gt: after } }) },
        select: { id: true, name: true, kind: true, config: true },
        orderBy: { id: 'asc' },
        take: CHANNELS_AT_ONCE,
      });
    for (const { name, kind, config } of page) if (isRefused(kind, config as JsonObject)) names.push(name);
    after = page.length < CHANNELS_AT_ONCE ? null : (page.at(-1)?.id ?? null);
  }
  return names.slice(0, MAX_NAMED);
}

/**
 * Changes the settings of an environment that the transaction has locked. A new default language republishes the
 * templates. Writes nothing if nothing differs.
 * @throws RefusedError if the templates cannot be republished
 */
export async function changeEnvironment(
  tx: Queryable,
  deps: ConfigureDeps,
  current: EnvironmentRecord,
  settings: EnvironmentSettings,
): Promise<EnvironmentRecord> {
  const { id } = current;
  if (isDeepStrictEqual({ ...current, ...settings }, current)) return current;
  const { defaultLocale } = settings;
  if (defaultLocale !== current.defaultLocale) {
    const parts = await readActiveParts(tx, id);
    await republish(tx, deps, id, { locale: true }, { parts, defaultLocale });
  }
  const changed = toRecord(await tx.environment.update({ where: { id }, data: toData(settings) }));
  await record(tx, deps, { action: 'environment.updated', before: current, after: changed });
  return changed;
}
