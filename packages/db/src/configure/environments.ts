import { isDeepStrictEqual } from 'node:util';
import {
  type ConfiguredKinds,
  type EnvironmentRecord,
  type EnvironmentSettings,
  formatId,
  type JsonObject,
  presentEnvironment,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Environment as EnvironmentRow } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';
import { type ConfigureDeps, recordAudit } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { refusedUrls } from './channels.ts';
import { readActiveParts } from './parts/active-parts.ts';
import { type RepublishProblem, republish } from './parts/republish.ts';
import { readTenant } from './tenants.ts';

type CreateEnvironmentOutcome =
  | { readonly outcome: 'created'; readonly environment: EnvironmentRecord }
  | { readonly outcome: 'tenant_not_found' }
  | { readonly outcome: 'already_exists' };

/** Converts a row to a record. The table's checks guarantee the values of the settings. */
const toRecord = (row: EnvironmentRow) => row as EnvironmentRow & EnvironmentSettings;

/** The environment with this UUID, or null. */
export async function readEnvironment(db: Queryable, id: string): Promise<EnvironmentRecord | null> {
  const row = await db.environment.findFirst({ where: { id } });
  return row && toRecord(row);
}

/** A tenant's environments, newest first. */
export async function listEnvironments(
  db: Queryable,
  { tenantId, after, limit }: PageRequest & { readonly tenantId: string },
): Promise<Page<EnvironmentRecord>> {
  const rows = await db.environment.findMany({
    where: { tenantId, ...(after === null ? {} : { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  return pageOf(rows.map(toRecord), limit, ({ id }) => id);
}

/** Creates an environment; `name` is a slug, unique within the tenant. Settings have defaults. */
export async function createEnvironment(
  deps: ConfigureDeps,
  {
    tenantId,
    name,
    ...settings
  }: Partial<EnvironmentSettings> & { readonly tenantId: string; readonly name: string },
): Promise<CreateEnvironmentOutcome> {
  return inTransaction(deps, async (tx) => {
    if (!(await readTenant(tx, tenantId))) return { outcome: 'tenant_not_found' };
    const [row] = await tx.environment.createManyAndReturn({
      data: [{ id: deps.newId(), tenantId, name, ...settings }],
      skipDuplicates: true,
    });
    if (!row) return { outcome: 'already_exists' };
    const environment = toRecord(row);
    await recordAudit(tx, deps, {
      action: 'environment.created',
      resourceId: formatId('env', environment.id),
      tenantId,
      environmentId: environment.id,
      before: null,
      after: presentEnvironment(environment),
    });
    return { outcome: 'created', environment };
  });
}

/** Like {@link readEnvironment}, and locks the row against changes until the transaction ends. */
export async function lockEnvironment(tx: Queryable, id: string): Promise<EnvironmentRecord | null> {
  await tx.$queryRaw`SELECT FROM environments WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return readEnvironment(tx, id);
}

/** The names of up to 10 channels of an environment with URLs that are not https. */
export async function findPlaintextChannels(
  tx: Queryable,
  environmentId: string,
  kinds: ConfiguredKinds,
): Promise<readonly string[]> {
  const channels = await tx.channel.findMany({
    where: { environmentId, deletedAt: null },
    select: { name: true, kind: true, config: true },
  });
  return channels
    .filter(({ kind, config }) => {
      const definition = kinds.find(kind);
      return (
        definition !== null && refusedUrls(definition, config as JsonObject, { httpsOnly: true }).length > 0
      );
    })
    .map(({ name }) => name)
    .slice(0, 10);
}

/**
 * Changes the settings of an environment that the transaction has locked. A new default language republishes the
 * templates. Writes nothing if nothing differs, or if the templates cannot be republished.
 */
export async function changeEnvironment(
  tx: Queryable,
  deps: ConfigureDeps,
  current: EnvironmentRecord,
  settings: EnvironmentSettings,
): Promise<{ readonly environment: EnvironmentRecord } | { readonly problem: RepublishProblem }> {
  const { id, tenantId } = current;
  if (isDeepStrictEqual({ ...current, ...settings }, current)) return { environment: current };
  const { defaultLocale } = settings;
  if (defaultLocale !== current.defaultLocale) {
    const parts = await readActiveParts(tx, id);
    const made = await republish(tx, deps, id, { locale: true }, { parts, defaultLocale });
    if (!made.ok) return { problem: made.problem };
  }
  const changed = toRecord(await tx.environment.update({ where: { id }, data: settings }));
  await recordAudit(tx, deps, {
    action: 'environment.updated',
    resourceId: formatId('env', id),
    tenantId,
    environmentId: id,
    before: presentEnvironment(current),
    after: presentEnvironment(changed),
  });
  return { environment: changed };
}
