import {
  conflict,
  formatId,
  formatPartId,
  notFoundCode,
  type PartRecord,
  type PartType,
  type PartVersion,
  presentPartVersion,
  reject,
  type TemplateReference,
  type TemplateSummary,
  type TemplateWarning,
  usesOf,
} from '@postrider/domain';
import type { Queryable } from '../../client.ts';
import type { TemplatePart as PartRow } from '../../generated/client.ts';
import { newestFirst, type Page, type PageRequest } from '../../pages.ts';
import { auditRecorderOf, type ConfigureDeps } from '../../transactions/audit.ts';
import { limitVersions } from '../../transactions/self-service-limits.ts';
import { inTransaction } from '../../transactions/transaction.ts';
import { lockEnvironment } from '../environments.ts';
import { lockVersion } from '../versions.ts';
import { readActiveParts, translationWarnings } from './active-parts.ts';
import { republish } from './republish.ts';

/** The most names per type in an environment, because all active parts are read when one changes. */
const MAX_NAMES: Readonly<Record<PartType, number>> = { layout: 200, partial: 500, translation: 100 };

/** The columns of a listed version: contents may have 256 KiB each. */
const VERSION_COLUMNS = {
  id: true,
  environmentId: true,
  type: true,
  name: true,
  version: true,
  active: true,
  createdAt: true,
} as const;

/** Types a row as a record; the table's checks guarantee it. */
export const toPartRecord = (row: PartRow) => row as PartRecord;

const record = auditRecorderOf(
  (part: PartRecord) => ({ resourceId: formatPartId(part), environmentId: part.environmentId }),
  presentPartVersion,
);

/** The version with this UUID; null if it does not exist or has another type. */
export async function readPart(db: Queryable, type: PartType, id: string): Promise<PartRecord | null> {
  const row = await db.templatePart.findFirst({ where: { id, type } });
  return row && toPartRecord(row);
}

interface PartFilter {
  readonly name?: string | undefined;
  readonly active?: boolean | undefined;
}

/** An environment's versions of one type, newest first, without contents. */
export async function listParts(
  db: Queryable,
  request: PageRequest & {
    readonly environmentId: string;
    readonly type: PartType;
    readonly filter: PartFilter;
  },
): Promise<Page<PartVersion>> {
  const { environmentId, type, filter } = request;
  const where = { environmentId, type, ...filter };
  return newestFirst(request, async (id, query) => {
    const rows = await db.templatePart.findMany({
      where: { ...where, id },
      select: VERSION_COLUMNS,
      ...query,
    });
    return rows as PartVersion[];
  });
}

/** A new version, whose content was checked in a render process. */
interface NewPartVersion {
  readonly environmentId: string;
  readonly type: PartType;
  readonly name: string;
  readonly content: string;
  readonly mjml: string | null;
  readonly references: readonly TemplateReference[];
  /** Whether to activate this version and republish the templates that use the part. */
  readonly activate: boolean;
}

export interface ChangedPart {
  readonly part: PartRecord;
  /** The new template versions. */
  readonly templates: readonly TemplateSummary[];
  readonly warnings: readonly TemplateWarning[];
}

interface Change {
  readonly tx: Queryable;
  readonly deps: ConfigureDeps;
  readonly defaultLocale: string;
}

/** Activates or deactivates a version and republishes the templates that use it. */
async function setActive(
  { tx, deps, defaultLocale }: Change,
  part: PartRecord,
  active: boolean,
): Promise<ChangedPart> {
  const { id, environmentId, type, name } = part;
  if (part.active !== active) {
    await tx.templatePart.updateMany({
      where: { environmentId, type, name, active: true },
      data: { active: false },
    });
    if (active) await tx.templatePart.update({ where: { id }, data: { active } });
  }
  const changed = { ...part, active };
  const parts = await readActiveParts(tx, environmentId);
  const republished = { parts, defaultLocale };
  const { templates, named } = await republish(tx, deps, environmentId, { part }, republished);
  if (part.active !== active || templates.length > 0) {
    const action = `${type}.${active ? 'activated' : 'deactivated'}` as const;
    const also = { templates: templates.map((template) => formatId('tpl', template.id)) };
    await record(tx, deps, { action, before: part, after: changed, also });
  }
  return { part: changed, templates, warnings: await translationWarnings(tx, named, defaultLocale) };
}

/**
 * Adds an immutable version, numbered from 1 per name, and activates it if asked to.
 * @throws RefusedError if there is no such environment, it has too many names, or a template could not be rendered with the version
 */
export function createPartVersion(deps: ConfigureDeps, given: NewPartVersion): Promise<ChangedPart> {
  const { environmentId, type, name, content, mjml, references } = given;
  return inTransaction(deps, async (tx) => {
    const environment = (await lockEnvironment(tx, environmentId)) ?? reject('environment_not_found');
    const { defaultLocale } = environment;
    const newest = await tx.templatePart.aggregate({
      where: { environmentId, type, name },
      _max: { version: true },
    });
    const limit = MAX_NAMES[type];
    if (newest._max.version === null && (await countNames(tx, environmentId, type)) >= limit)
      reject(conflict(`An environment can have at most ${limit}. Add a version to an existing one.`));
    const version = (newest._max.version ?? 0) + 1;
    const uses = usesOf(references);
    const row = await tx.templatePart.create({
      data: { id: deps.newId(), environmentId, type, name, version, content, mjml, uses },
    });
    const part = toPartRecord(row);
    if (!given.activate) await limitVersions(tx, { ...deps, environmentId });
    await record(tx, deps, { action: `${type}.created`, before: null, after: part });
    return given.activate
      ? setActive({ tx, deps, defaultLocale }, part, true)
      : { part, templates: [], warnings: [] };
  });
}

async function countNames(tx: Queryable, environmentId: string, type: PartType): Promise<number> {
  const [row] = await tx.$queryRaw<{ names: number }[]>`
    SELECT count(DISTINCT name)::int AS names FROM template_parts
     WHERE environment_id = ${environmentId}::uuid AND type = ${type}`;
  return row?.names ?? 0;
}

/**
 * Activates a version of a part, newer or older, or deactivates it, and republishes all active templates that use the part, with the now
 * active parts. If nothing differs, it writes nothing.
 * @throws RefusedError if there is no such version, or a template could not be rendered with it
 */
export function switchPart(
  deps: ConfigureDeps,
  { type, id, active }: { readonly type: PartType; readonly id: string; readonly active: boolean },
): Promise<ChangedPart> {
  return inTransaction(deps, async (tx) => {
    const read = () => readPart(tx, type, id);
    const { version: part, environment } = await lockVersion(tx, read, notFoundCode(type));
    const { defaultLocale } = environment;
    if (!active && !part.active) return { part, templates: [], warnings: [] };
    return setActive({ tx, deps, defaultLocale }, part, active);
  });
}
