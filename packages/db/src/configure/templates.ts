import {
  type ChannelKind,
  type CheckedTemplate,
  DEFAULT_LOCALE,
  formatId,
  type PartProblem,
  type PinnedPart,
  presentTemplateSummary,
  referenceTo,
  reject,
  resolveParts,
  type TemplateRecord,
  type TemplateReference,
  type TemplateSummary,
  type TemplateWarning,
  usesOf,
} from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import type { TemplateVersion as TemplateRow } from '../generated/client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { limitTemplates, limitVersions } from '../transactions/self-service-limits.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { lockEnvironment } from './environments.ts';
import { readParts, resolveActiveParts, translationWarnings } from './parts/active-parts.ts';
import { lockVersion } from './versions.ts';

interface TemplateFilter {
  readonly eventKey?: string | undefined;
  readonly channelKind?: ChannelKind | undefined;
  readonly active?: boolean | undefined;
  /** Those that a change of this part affects, see `isAffected` of the domain. */
  readonly part?: Pick<PinnedPart, 'type' | 'name'> | undefined;
}

/** The columns of a listed version: contents may have 256 KiB each. */
const SUMMARY_COLUMNS = {
  id: true,
  environmentId: true,
  eventKey: true,
  channelKind: true,
  version: true,
  active: true,
  createdAt: true,
} as const;

/** Types a row as a record; its JSON was checked when it was stored. */
export const toTemplateRecord = (row: TemplateRow) => row as unknown as TemplateRecord;

const record = auditRecorderOf(
  ({ id, environmentId }: TemplateSummary) => ({ resourceId: formatId('tpl', id), environmentId }),
  presentTemplateSummary,
);

/** The version with this UUID, or null. */
export async function readTemplate(db: Queryable, id: string): Promise<TemplateRecord | null> {
  const row = await db.templateVersion.findFirst({ where: { id } });
  return row && toTemplateRecord(row);
}

/** Like `isAffected` of the domain. */
function usesPart(part: Pick<PinnedPart, 'type' | 'name'>): Prisma.TemplateVersionWhereInput[] {
  const { use, pinned } = referenceTo(part);
  return [{ uses: { has: use } }, { parts: { array_contains: [pinned] } }];
}

/** An environment's versions, newest first, without contents. */
export async function listTemplates(
  db: Queryable,
  {
    environmentId,
    filter,
    ...page
  }: PageRequest & { readonly environmentId: string; readonly filter: TemplateFilter },
): Promise<Page<TemplateSummary>> {
  const { part, ...columns } = filter;
  const where = { environmentId, ...columns, ...(part && { OR: usesPart(part) }) };
  return newestFirst(page, (id, query) =>
    db.templateVersion.findMany({ where: { ...where, id }, select: SUMMARY_COLUMNS, ...query }),
  );
}

/** The event key and channel kind of a version. */
interface TemplateScope {
  readonly environmentId: string;
  readonly eventKey: string;
  readonly channelKind: ChannelKind;
}

interface NewTemplateVersion extends TemplateScope {
  readonly template: CheckedTemplate;
  /** The parts that the check found; none if left out. */
  readonly references?: readonly TemplateReference[];
  /** Whether to activate this version. */
  readonly activate: boolean;
}

interface ChangedTemplate {
  readonly template: TemplateRecord;
  /** Messages that languages lack; none of a version that was deactivated. */
  readonly warnings: readonly TemplateWarning[];
}

/** The template uses a part that is not active, or more parts than allowed. */
interface Unresolved {
  readonly problem: PartProblem;
}

/** Each format has its own columns. */
function contentOf(template: CheckedTemplate) {
  if (template.format === 'json') return { body: template.body as Prisma.InputJsonObject };
  const { subject, html, text, mjml, envelope } = template;
  return { subject, html, text, mjml, ...(envelope ? { envelope: envelope as Prisma.InputJsonObject } : {}) };
}

/** Activates or deactivates a version, with its audit entry. */
async function setActive(
  tx: Queryable,
  deps: ConfigureDeps,
  current: TemplateSummary,
  active: boolean,
): Promise<TemplateRecord> {
  const { id, eventKey } = current;
  limitTemplates({ ...deps, eventKey });
  const template = toTemplateRecord(await tx.templateVersion.update({ where: { id }, data: { active } }));
  const action = active ? 'template.activated' : 'template.deactivated';
  await record(tx, deps, { action, before: current, after: template });
  return template;
}

async function deactivateActive(tx: Queryable, deps: ConfigureDeps, scope: TemplateScope): Promise<void> {
  const active = await tx.templateVersion.findFirst({
    where: { ...scope, active: true },
    select: SUMMARY_COLUMNS,
  });
  if (active) await setActive(tx, deps, active, false);
}

/**
 * Adds an immutable version, numbered from 1 per event key and channel kind, and activates it if asked to.
 * @throws RefusedError if there is no such environment
 */
export async function createTemplateVersion(
  deps: ConfigureDeps,
  { environmentId, eventKey, channelKind, template, references = [], activate }: NewTemplateVersion,
): Promise<ChangedTemplate | Unresolved> {
  return inTransaction(deps, async (tx) => {
    // Serialises numbering and activation.
    const environment = await lockEnvironment(tx, environmentId);
    if (!environment) reject('environment_not_found');
    limitTemplates({ ...deps, eventKey });
    const { defaultLocale } = environment;
    const resolved = await resolveActiveParts(tx, environmentId, references);
    if (!resolved.ok) return { problem: resolved.problem };
    const pinned =
      resolved.parts.length === 0 ? {} : { parts: resolved.parts as unknown as Prisma.InputJsonArray };
    const scope = { environmentId, eventKey, channelKind };
    const newest = await tx.templateVersion.aggregate({ where: scope, _max: { version: true } });
    if (activate) await deactivateActive(tx, deps, scope);
    const version = (newest._max.version ?? 0) + 1;
    const row = await tx.templateVersion.create({
      data: {
        id: deps.newId(),
        ...scope,
        ...contentOf(template),
        version,
        uses: usesOf(references),
        ...pinned,
        defaultLocale,
        active: activate,
      },
    });
    await limitVersions(tx, { ...deps, environmentId });
    const created = toTemplateRecord(row);
    await record(tx, deps, { action: 'template.created', before: null, after: created });
    const warnings = await translationWarnings(tx, resolved, defaultLocale);
    return { template: created, warnings };
  });
}

/** Warnings about messages that the version uses and its translations lack. */
async function warningsOf(
  tx: Queryable,
  { uses, parts, defaultLocale }: TemplateRecord,
): Promise<TemplateWarning[]> {
  const resolved = resolveParts(uses, await readParts(tx, parts ?? []));
  return resolved.ok ? translationWarnings(tx, resolved, defaultLocale ?? DEFAULT_LOCALE) : [];
}

/**
 * Activates a version of an event key and channel kind, newer or older, or deactivates it. If nothing differs, it
 * writes nothing. Runs that use another version keep it.
 * @throws RefusedError if there is no such version
 */
export async function switchTemplate(
  deps: ConfigureDeps,
  id: string,
  active: boolean,
): Promise<ChangedTemplate> {
  return inTransaction(deps, async (tx) => {
    const { version: current } = await lockVersion(tx, () => readTemplate(tx, id), 'template_not_found');
    const warnings = active ? await warningsOf(tx, current) : [];
    if (current.active === active) return { template: current, warnings };
    const { environmentId, eventKey, channelKind } = current;
    if (active) await deactivateActive(tx, deps, { environmentId, eventKey, channelKind });
    const template = await setActive(tx, deps, current, active);
    if (active) await limitVersions(tx, { ...deps, environmentId });
    return { template, warnings };
  });
}
