import type { UnboundDatabase } from '../client.ts';
import { compose, joined, type SqlText, sql } from '../compose.ts';
import type { Bounds } from '../snapshot/access.ts';
import { environmentsWithin } from './owner.ts';

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

/** The conditions that a column, compared by an index in the order of bytes, begins with the text, unchanged or in lower case. */
const beginsWithText = (column: SqlText) =>
  sql`${column} COLLATE "C" >= :text AND ${column} COLLATE "C" <= :lastText`;
const beginsWithLower = (column: SqlText) =>
  sql`${column} COLLATE "C" >= :lower AND ${column} COLLATE "C" <= :lastLower`;

/** Rows of (type, id, name, detail, environment_id) within a condition; each type costs one look-up in an index. */
const ofEnvironments = (within: SqlText): Partial<Record<NamedType, SqlText>> => ({
  channel: sql`
      (SELECT 'channel' AS type, id::text, name, kind AS detail, environment_id FROM channels
        WHERE ${within} AND deleted_at IS NULL AND ${beginsWithLower(sql`folded_name`)}
          AND (:withOperational::bool OR NOT operational) ORDER BY folded_name LIMIT ${MAX_NAMES})`,
  template: sql`
      (SELECT 'template', id::text, event_key, channel_kind, environment_id FROM template_versions
        WHERE ${within} AND active AND ${beginsWithLower(sql`event_key`)} ORDER BY event_key COLLATE "C" LIMIT ${MAX_NAMES})`,
  consumer: sql`(
      (SELECT 'consumer', id, COALESCE(name, id), NULL, environment_id FROM consumers
        WHERE ${within} AND deleted_at IS NULL AND ${beginsWithText(sql`id`)} ORDER BY id COLLATE "C" LIMIT ${MAX_NAMES})
      UNION
      (SELECT 'consumer', id, COALESCE(name, id), NULL, environment_id FROM consumers
        WHERE ${within} AND deleted_at IS NULL AND folded_name IS NOT NULL AND ${beginsWithLower(sql`folded_name`)}
        ORDER BY folded_name LIMIT ${MAX_NAMES}))`,
});

/** Rows as of {@link ofEnvironments}. An operator of all environments searches all at once, others each of theirs. */
function withinBounds({ types, bounds }: NamesQuery): SqlText | null {
  const found = (within: SqlText) => types.flatMap((type) => ofEnvironments(within)[type] ?? []);
  const all = found(sql`true`);
  if (all.length === 0) return null;
  if (bounds === null) return joined(all, ' UNION ALL ');
  return sql`
    SELECT named.* FROM (SELECT id FROM environments WHERE ${environmentsWithin(bounds, sql`environments.id`)}) AS scope
     CROSS JOIN LATERAL (${joined(found(sql`environment_id = scope.id`), ' UNION ALL ')})
       AS named (type, id, name, detail, environment_id)`;
}

/** Resources whose name begins with the text in any case, or consumers whose id does: at most {@link MAX_NAMES} of each type. */
export async function findByName(db: UnboundDatabase, query: NamesQuery): Promise<NamedResource[]> {
  const { text, types, bounds, withOperational } = query;
  const lower = text.toLowerCase();
  const last = { lastText: `${text}\u{10ffff}`, lastLower: `${lower}\u{10ffff}` };
  const values = { text, lower, ...last, withOperational, ...bounds };
  const read = (statement: SqlText) => db.$queryRaw<NamedResource[]>(compose(statement, values));
  const found: NamedResource[] = [];
  const named = withinBounds(query);
  if (named !== null)
    found.push(
      ...(await read(sql`
        SELECT found.type, found.id, found.name, found.detail, environments.id AS "environmentId",
               environments.name AS "environmentName", tenants.id AS "tenantId", tenants.name AS "tenantName"
          FROM (SELECT *, row_number() OVER (PARTITION BY type ORDER BY lower(name), id) AS place
                  FROM (${named}) AS named (type, id, name, detail, environment_id)) AS found
          JOIN environments ON environments.id = found.environment_id
          JOIN tenants ON tenants.id = environments.tenant_id
         WHERE found.place <= ${MAX_NAMES} ORDER BY found.place`)),
    );
  if (types.includes('environment'))
    found.push(
      ...(await read(sql`
        SELECT 'environment' AS type, environments.id::text, environments.name, NULL AS detail, environments.id AS "environmentId",
               environments.name AS "environmentName", tenants.id AS "tenantId", tenants.name AS "tenantName"
          FROM environments JOIN tenants ON tenants.id = environments.tenant_id
         WHERE starts_with(lower(environments.name), :lower) AND ${environmentsWithin(bounds, sql`environments.id`)}
         ORDER BY lower(environments.name), environments.id LIMIT ${MAX_NAMES}`)),
    );
  if (types.includes('tenant'))
    found.push(
      ...(await db.$queryRaw<NamedResource[]>`
        SELECT 'tenant' AS type, id::text, name, NULL AS detail, id AS "tenantId", name AS "tenantName",
               NULL AS "environmentId", NULL AS "environmentName" FROM tenants
         WHERE starts_with(lower(name), ${lower})
           AND (${bounds === null} OR id = ANY (${[...(bounds?.tenantIds ?? [])]}::uuid[]))
         ORDER BY lower(name), id LIMIT ${MAX_NAMES}`),
    );
  return NAMED_TYPES.flatMap((type) => found.filter((row) => row.type === type));
}
