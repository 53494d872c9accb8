import { Prisma, type UnboundDatabase } from '../client.ts';
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

/** The condition that a column, compared by an index in the order of bytes, begins with `start`. */
const beginsWith = (name: string, start: string) => {
  const column = Prisma.raw(`${name} COLLATE "C"`);
  return Prisma.sql`${column} >= ${start} AND ${column} <= ${`${start}\u{10ffff}`}`;
};

/** Rows of (type, id, name, detail, environment_id) within a condition; each type costs one look-up in an index. */
function inEnvironments({ text, types, withOperational }: NamesQuery, within: Prisma.Sql): Prisma.Sql[] {
  const lower = text.toLowerCase();
  const of: Partial<Record<NamedType, Prisma.Sql>> = {
    channel: Prisma.sql`
      SELECT 'channel' AS type, id::text, name, kind AS detail, environment_id FROM channels
       WHERE ${within} AND deleted_at IS NULL AND ${beginsWith('folded_name', lower)}
         AND (${withOperational}::bool OR NOT operational) ORDER BY folded_name LIMIT ${MAX_NAMES}`,
    template: Prisma.sql`
      SELECT 'template', id::text, event_key, channel_kind, environment_id FROM template_versions
       WHERE ${within} AND active AND ${beginsWith('event_key', lower)} ORDER BY event_key COLLATE "C" LIMIT ${MAX_NAMES}`,
    consumer: Prisma.sql`
      (SELECT 'consumer', id, COALESCE(name, id), NULL, environment_id FROM consumers
        WHERE ${within} AND deleted_at IS NULL AND ${beginsWith('id', text)} ORDER BY id COLLATE "C" LIMIT ${MAX_NAMES})
      UNION
      (SELECT 'consumer', id, COALESCE(name, id), NULL, environment_id FROM consumers
        WHERE ${within} AND deleted_at IS NULL AND folded_name IS NOT NULL AND ${beginsWith('folded_name', lower)}
        ORDER BY folded_name LIMIT ${MAX_NAMES})`,
  };
  return types.flatMap((type) => of[type] ?? []);
}

/** Rows as of {@link inEnvironments}. An operator of all environments searches all at once, others each of theirs. */
function withinBounds(query: NamesQuery): Prisma.Sql | null {
  const { bounds } = query;
  const joined = (within: Prisma.Sql) =>
    Prisma.join(
      inEnvironments(query, within).map((part) => Prisma.sql`(${part})`),
      ' UNION ALL ',
    );
  if (!query.types.some((type) => type !== 'environment' && type !== 'tenant')) return null;
  if (bounds === null) return joined(Prisma.raw('true'));
  return Prisma.sql`
    SELECT named.* FROM (SELECT id FROM environments WHERE ${environmentsWithin(bounds, 'environments.id')}) AS scope
     CROSS JOIN LATERAL (${joined(Prisma.raw('environment_id = scope.id'))}) AS named (type, id, name, detail, environment_id)`;
}

/** Resources whose name begins with the text in any case, or consumers whose id does: at most {@link MAX_NAMES} of each type. */
export async function findByName(db: UnboundDatabase, query: NamesQuery): Promise<NamedResource[]> {
  const { text, types, bounds } = query;
  const lower = text.toLowerCase();
  const found: NamedResource[] = [];
  const named = withinBounds(query);
  if (named !== null)
    found.push(
      ...(await db.$queryRaw<NamedResource[]>`
        SELECT found.type, found.id, found.name, found.detail, environments.id AS "environmentId",
               environments.name AS "environmentName", tenants.id AS "tenantId", tenants.name AS "tenantName"
          FROM (SELECT *, row_number() OVER (PARTITION BY type ORDER BY lower(name), id) AS place
                  FROM (${named}) AS named (type, id, name, detail, environment_id)) AS found
          JOIN environments ON environments.id = found.environment_id
          JOIN tenants ON tenants.id = environments.tenant_id
         WHERE found.place <= ${MAX_NAMES} ORDER BY found.place`),
    );
  if (types.includes('environment'))
    found.push(
      ...(await db.$queryRaw<NamedResource[]>`
        SELECT 'environment' AS type, environments.id::text, environments.name, NULL AS detail, environments.id AS "environmentId",
               environments.name AS "environmentName", tenants.id AS "tenantId", tenants.name AS "tenantName"
          FROM environments JOIN tenants ON tenants.id = environments.tenant_id
         WHERE starts_with(lower(environments.name), ${lower}) AND ${environmentsWithin(bounds, 'environments.id')}
         ORDER BY lower(environments.name), environments.id LIMIT ${MAX_NAMES}`),
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
