import {
  findMissingMessages,
  type PartSummary,
  type PinnedPart,
  type ResolvedParts,
  resolveParts,
  type TemplateReference,
  type TemplateWarning,
  type Use,
  usesOf,
} from '@postrider/domain';
import { Prisma, type Queryable } from '../../client.ts';

/** The most keys per language that are looked up and named in a warning. */
const MAX_NAMED_KEYS = 10;
const MAX_CHECKED_KEYS = 1_000;

const SUMMARY = Prisma.raw(
  'SELECT id, type, name, version, uses, length(content) AS characters FROM template_parts',
);

/** The active version of each part of an environment, without contents. */
export function readActiveParts(tx: Queryable, environmentId: string): Promise<PartSummary[]> {
  return tx.$queryRaw<PartSummary[]>`
    ${SUMMARY} WHERE environment_id = ${environmentId}::uuid AND active ORDER BY type, name`;
}

/** The active parts with which a source would be rendered. */
export async function resolveActiveParts(
  db: Queryable,
  environmentId: string,
  references: readonly TemplateReference[],
): Promise<ResolvedParts> {
  const uses = usesOf(references);
  return resolveParts(uses, uses.length === 0 ? [] : await readActiveParts(db, environmentId));
}

/** Versions of one environment by UUID, without contents. Ids of other environments and of none are left out. */
export function readPartsOf(
  db: Queryable,
  environmentId: string,
  ids: readonly string[],
): Promise<PartSummary[]> {
  return db.$queryRaw<PartSummary[]>`
    ${SUMMARY} WHERE environment_id = ${environmentId}::uuid AND id = ANY(${ids}::uuid[])`;
}

/**
 * The parts of a preview whose versions need not be active: the chosen ones, else those that the template pins, else the
 * active ones.
 */
export async function resolveChosenParts(
  db: Queryable,
  environmentId: string,
  { uses, parts }: { readonly uses: readonly Use[]; readonly parts: readonly PinnedPart[] | null },
  chosen: readonly PartSummary[],
): Promise<ResolvedParts> {
  const active = await readActiveParts(db, environmentId);
  const pinned = await readParts(db, parts ?? []);
  const byName = [...active, ...pinned, ...chosen].map(
    (part) => [`${part.type}:${part.name}`, part] as const,
  );
  return resolveParts(uses, [...new Map(byName).values()]);
}

/** These versions, without contents. */
export async function readParts(tx: Queryable, pinned: readonly PinnedPart[]): Promise<PartSummary[]> {
  if (pinned.length === 0) return [];
  const ids = pinned.map(({ id }) => id);
  return tx.$queryRaw<PartSummary[]>`${SUMMARY} WHERE id = ANY(${ids}::uuid[])`;
}

/** For each translation, which of these keys it has. */
async function readHeldKeys(
  tx: Queryable,
  translations: readonly PinnedPart[],
  keys: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await tx.$queryRaw<{ name: string; held: string[] }[]>`
    SELECT part.name, ARRAY(SELECT key FROM unnest(${keys}::text[]) AS key
                             WHERE jsonb_exists(messages, key)) AS held
      FROM template_parts part CROSS JOIN LATERAL (SELECT part.content::jsonb AS messages OFFSET 0) AS parsed
     WHERE part.id = ANY(${translations.map(({ id }) => id)}::uuid[])`;
  return new Map(rows.map(({ name, held }) => [name, new Set(held)]));
}

/** The translations that templates are rendered with, and the message keys that the templates use. */
export interface NamedMessages {
  readonly messageKeys: readonly string[];
  readonly parts: readonly PinnedPart[];
  readonly translates: boolean;
}

/** One warning for each language that lacks used messages, see {@link findMissingMessages}. */
export async function translationWarnings(
  tx: Queryable,
  { messageKeys, parts, translates }: NamedMessages,
  defaultLocale: string,
): Promise<TemplateWarning[]> {
  if (!translates) return [];
  const keys = messageKeys.slice(0, MAX_CHECKED_KEYS);
  const translations = parts.filter(({ type }) => type === 'translation');
  const held = await readHeldKeys(tx, translations, keys);
  return findMissingMessages(keys, held, defaultLocale).map(({ locale, keys: missing }) => {
    const named = missing.slice(0, MAX_NAMED_KEYS).map((key) => JSON.stringify(key));
    const more = missing.length > named.length ? ' and more' : '';
    const what = held.has(locale) ? 'the translation lacks' : 'there is no translation, and so none of';
    const message = `${locale}: ${what} ${named.join(', ')}${more}`;
    return { code: 'translation_missing', path: `/translations/${locale}`, message };
  });
}
