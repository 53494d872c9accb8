import { isDeepStrictEqual } from 'node:util';
import {
  conflict,
  isAffected,
  type PartProblem,
  type PartSummary,
  type PinnedPart,
  reject,
  resolveParts,
  type TemplateSummary,
  type Use,
} from '@postrider/domain';
import type { Queryable } from '../../client.ts';
import type { ConfigureDeps } from '../../transactions/audit.ts';
import { limitTemplates, limitVersions } from '../../transactions/self-service-limits.ts';
import type { NamedMessages } from './active-parts.ts';

/** The most active templates of an environment that one change may republish, and the bytes that it may copy. */
const MAX_REPUBLISHED = { count: 1_000, bytes: 32 * 1_024 * 1_024 };

interface ActiveTemplate {
  id: string;
  event_key: string;
  uses: Use[];
  parts: PinnedPart[] | null;
  default_locale: string | null;
  bytes: number;
}

/** The new versions of templates, and the messages that these and those that did not change use. */
interface Republished {
  readonly templates: readonly TemplateSummary[];
  readonly named: NamedMessages;
}

const explain = (eventKey: string, { within, message }: PartProblem) =>
  `The template for ${eventKey} could not be rendered: ${within ? `in ${within.replace(':', ' ')}, ` : ''}${message}.`;

function limitRepublished(count: number, bytes: number): void {
  const most = MAX_REPUBLISHED;
  const instead = 'Deactivate templates that are not used, or use several parts.';
  if (count > most.count) reject(conflict(`More than ${most.count} active templates use it. ${instead}`));
  if (bytes > most.bytes)
    reject(conflict(`The active templates that use it have more than ${most.bytes} bytes. ${instead}`));
}

export type Change =
  | { readonly part: Pick<PinnedPart, 'type' | 'name'> }
  /** A change of the default language affects all templates that use the language. */
  | { readonly locale: true };

/**
 * Creates a new active version of each active template that a change affects: the same content with the now active
 * parts. Earlier versions, and runs that use them, keep their parts. The caller has locked the environment.
 * @throws RefusedError if a template cannot be rendered with the parts, or there are too many
 */
export async function republish(
  tx: Queryable,
  { newId, actor }: Pick<ConfigureDeps, 'newId' | 'actor'>,
  environmentId: string,
  change: Change,
  { parts, defaultLocale }: { readonly parts: readonly PartSummary[]; readonly defaultLocale: string },
): Promise<Republished> {
  const active = await tx.$queryRaw<ActiveTemplate[]>`
    SELECT id, event_key, uses, parts, default_locale,
           COALESCE(pg_column_size(html), 0) + COALESCE(pg_column_size(text), 0) + COALESCE(pg_column_size(mjml), 0)
             + COALESCE(pg_column_size(body), 0) + COALESCE(pg_column_size(envelope), 0) AS bytes
      FROM template_versions
     WHERE environment_id = ${environmentId}::uuid AND active AND (cardinality(uses) > 0 OR default_locale IS NOT NULL)
     ORDER BY event_key, channel_kind`;
  const copies: { source: string; parts: readonly PinnedPart[] }[] = [];
  let bytes = 0;
  const named = { messageKeys: new Set<string>(), parts: new Map<string, PinnedPart>(), translates: false };
  for (const { id, event_key, uses, parts: pinned, default_locale, bytes: ownBytes } of active) {
    if ('part' in change && !isAffected(change.part, { uses, parts: pinned ?? [] })) continue;
    const resolved = resolveParts(uses, parts);
    if (!resolved.ok) reject(conflict(explain(event_key, resolved.problem)));
    for (const key of resolved.messageKeys) named.messageKeys.add(key);
    for (const part of resolved.parts) named.parts.set(part.id, part);
    named.translates ||= resolved.translates;
    const isSame = default_locale === defaultLocale && isDeepStrictEqual(resolved.parts, pinned ?? []);
    if (isSame) continue;
    limitTemplates({ actor, eventKey: event_key });
    copies.push({ source: id, parts: resolved.parts });
    bytes += ownBytes;
  }
  limitRepublished(copies.length, bytes);
  await limitVersions(tx, { actor, environmentId }, { count: copies.length, bytes });
  const templates = await copyTemplates(tx, newId, copies, defaultLocale);
  const { messageKeys, parts: all, translates } = named;
  return { templates, named: { messageKeys: [...messageKeys], parts: [...all.values()], translates } };
}

/** Copies every column that is not named here, so that new columns of a template are copied too. */
async function copyTemplates(
  tx: Queryable,
  newId: () => string,
  copies: readonly { readonly source: string; readonly parts: readonly PinnedPart[] }[],
  defaultLocale: string,
): Promise<TemplateSummary[]> {
  if (copies.length === 0) return [];
  const sources = copies.map(({ source }) => source);
  await tx.templateVersion.updateMany({ where: { id: { in: sources } }, data: { active: false } });
  return tx.$queryRaw<TemplateSummary[]>`
    INSERT INTO template_versions
    SELECT copy.*
      FROM unnest(${copies.map(() => newId())}::uuid[], ${sources}::uuid[],
                  ${copies.map(({ parts }) => JSON.stringify(parts))}::text[]) AS made (id, source_id, parts)
      JOIN template_versions source ON source.id = made.source_id
      CROSS JOIN LATERAL jsonb_populate_record(source, jsonb_build_object(
        'id', made.id, 'parts', NULLIF(made.parts::jsonb, '[]'), 'default_locale', ${defaultLocale}::text,
        'active', true, 'created_at', now(),
        'version', (SELECT max(version) + 1 FROM template_versions newest
                     WHERE newest.environment_id = source.environment_id AND newest.event_key = source.event_key
                       AND newest.channel_kind = source.channel_kind))) AS copy
    RETURNING id, environment_id AS "environmentId", event_key AS "eventKey", channel_kind AS "channelKind", version, active,
              created_at AS "createdAt"`;
}
