import type { UnboundDatabase } from '../client.ts';
import type { Bounds } from '../snapshot/access.ts';
import { defineVisible } from './owner.ts';

export const NAMED_TYPES = ['channel', 'template', 'consumer', 'environment', 'tenant'] as const;
type NamedType = (typeof NAMED_TYPES)[number];

/** A resource that a name or an id of the caller's found. Ids are UUIDs, or those of the caller. */
export interface NamedResource {
  readonly type: NamedType;
  readonly id: string;
  readonly name: string;
  /** The kind of a channel or template. */
  readonly detail: string | null;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly environmentId: string | null;
  readonly environmentName: string | null;
}

interface NamesQuery {
  readonly text: string;
  readonly types: readonly NamedType[];
  readonly bounds: Bounds | null;
  /** Whether to include the channels that take operational events. */
  readonly withOperational: boolean;
}

/** The most results of each type. */
const MAX_NAMES = 10;

/** SQL of the condition that a column, compared by an index in the order of bytes, begins with the text, unchanged or in lower case. */
const beginsWithText = (column: string) =>
  `${column} COLLATE "C" >= :text AND ${column} COLLATE "C" <= :lastText`;
const beginsWithLower = (column: string) =>
  `${column} COLLATE "C" >= :lower AND ${column} COLLATE "C" <= :lastLower`;

interface Values {
  readonly text: string;
  readonly lastText: string;
  readonly lower: string;
  readonly lastLower: string;
  readonly types: readonly NamedType[];
  readonly withOperational: boolean;
}

/** SQL of rows of (id, name, detail, environment_id) within a condition; it costs one look-up in an index. */
const IN_ENVIRONMENTS = {
  channel: (condition: string) => `
      SELECT id::text, name, kind AS detail, environment_id FROM channels
       WHERE ${condition} AND deleted_at IS NULL AND ${beginsWithLower('folded_name')}
         AND (:withOperational::bool OR NOT operational) ORDER BY folded_name LIMIT ${MAX_NAMES}`,
  template: (condition: string) => `
      SELECT id::text, event_key AS name, channel_kind AS detail, environment_id FROM template_versions
       WHERE ${condition} AND active AND ${beginsWithLower('event_key')} ORDER BY event_key COLLATE "C" LIMIT ${MAX_NAMES}`,
  consumer: (condition: string) => `
      (SELECT id, COALESCE(name, id) AS name, NULL AS detail, environment_id FROM consumers
        WHERE ${condition} AND deleted_at IS NULL AND ${beginsWithText('id')} ORDER BY id COLLATE "C" LIMIT ${MAX_NAMES})
      UNION
      (SELECT id, COALESCE(name, id), NULL, environment_id FROM consumers
        WHERE ${condition} AND deleted_at IS NULL AND folded_name IS NOT NULL AND ${beginsWithLower('folded_name')}
        ORDER BY folded_name LIMIT ${MAX_NAMES})`,
};

/** An operator of all environments searches all at once, others each of theirs. Types that are not asked for cost nothing. */
const search = defineVisible<Values, NamedResource>((isVisible, isBounded) => {
  const everywhere = (foundIn: (condition: string) => string) =>
    isBounded
      ? `SELECT named.* FROM (SELECT id FROM environments WHERE ${isVisible('environments.id')}) AS scope
          CROSS JOIN LATERAL (${foundIn('environment_id = scope.id')}) AS named`
      : foundIn('true');
  const ofTypes = Object.entries(IN_ENVIRONMENTS).map(
    ([type, foundIn]) => `
    (SELECT '${type}' AS type, found.id, found.name, found.detail, tenants.id AS "tenantId", tenants.name AS "tenantName",
            environments.id AS "environmentId", environments.name AS "environmentName"
       FROM (${everywhere(foundIn)}) AS found
       JOIN environments ON environments.id = found.environment_id
       JOIN tenants ON tenants.id = environments.tenant_id
      WHERE '${type}' = ANY(:types::text[]) ORDER BY lower(found.name), found.id LIMIT ${MAX_NAMES})
     UNION ALL`,
  );
  return `
    SELECT found.* FROM (${ofTypes.join('')}
    (SELECT 'environment', environments.id::text, environments.name, NULL, tenants.id, tenants.name, environments.id,
            environments.name
       FROM environments JOIN tenants ON tenants.id = environments.tenant_id
      WHERE 'environment' = ANY(:types::text[]) AND starts_with(lower(environments.name), :lower)
        AND ${isVisible('environments.id')}
      ORDER BY lower(environments.name), environments.id LIMIT ${MAX_NAMES})
     UNION ALL
    (SELECT 'tenant', id::text, name, NULL, id, name, NULL, NULL FROM tenants
      WHERE 'tenant' = ANY(:types::text[]) AND starts_with(lower(name), :lower)
        AND ${isBounded ? 'id = ANY(:tenantIds::uuid[])' : 'true'}
      ORDER BY lower(tenants.name), tenants.id LIMIT ${MAX_NAMES})) AS found
     ORDER BY array_position(:types::text[], found.type), lower(found.name), found.id`;
});

/** Resources whose name begins with the text in any case, or consumers whose id does: at most {@link MAX_NAMES} of each type. */
export function findByName(
  db: UnboundDatabase,
  { text, types, bounds, withOperational }: NamesQuery,
): Promise<NamedResource[]> {
  const lower = text.toLowerCase();
  const last = { lastText: `${text}\u{10ffff}`, lastLower: `${lower}\u{10ffff}` };
  return search(db, bounds, { text, lower, ...last, types, withOperational });
}
