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

/** The most results of each type, and of each environment. */
const MAX_NAMES = 10;

/** The condition that a text (SQL), compared by an index in the order of bytes, begins with `start`. */
const beginsWith = (column: Prisma.Sql, start: string) =>
  Prisma.sql`${column} COLLATE "C" >= ${start} AND ${column} COLLATE "C" <= ${`${start}\u{10ffff}`}`;

/** Rows of (type, id, name, detail) of an environment `scope.id`; each type costs one look-up in an index of the environment. */
function inEnvironments({ text, types, withOperational }: NamesQuery): Prisma.Sql[] {
  const lower = text.toLowerCase();
  const name = Prisma.sql`lower(name)`;
  const of: Partial<Record<NamedType, Prisma.Sql>> = {
    channel: Prisma.sql`
      SELECT 'channel' AS type, id::text, name, kind AS detail FROM channels
       WHERE environment_id = scope.id AND deleted_at IS NULL AND ${beginsWith(name, lower)}
         AND (${withOperational}::bool OR NOT operational) ORDER BY ${name} COLLATE "C" LIMIT ${MAX_NAMES}`,
    template: Prisma.sql`
      SELECT 'template', id::text, event_key, channel_kind FROM template_versions
       WHERE environment_id = scope.id AND active AND starts_with(event_key, ${lower}) LIMIT ${MAX_NAMES}`,
    consumer: Prisma.sql`
      (SELECT 'consumer', id, COALESCE(name, id), NULL FROM consumers
        WHERE environment_id = scope.id AND deleted_at IS NULL AND ${beginsWith(Prisma.sql`id`, text)} LIMIT ${MAX_NAMES})
      UNION
      (SELECT 'consumer', id, COALESCE(name, id), NULL FROM consumers
        WHERE environment_id = scope.id AND deleted_at IS NULL AND name IS NOT NULL AND ${beginsWith(name, lower)} LIMIT ${MAX_NAMES})`,
    environment: Prisma.sql`
      SELECT 'environment', scope.id::text, scope.name, NULL WHERE starts_with(lower(scope.name), ${lower})`,
  };
  return types.flatMap((type) => of[type] ?? []);
}

/** Resources whose name begins with the text in any case, or consumers whose id does: at most {@link MAX_NAMES} of each type. */
export async function findByName(db: UnboundDatabase, query: NamesQuery): Promise<NamedResource[]> {
  const { text, types, bounds } = query;
  const parts = inEnvironments(query).map((part) => Prisma.sql`(${part})`);
  const found: NamedResource[] = [];
  if (parts.length > 0)
    found.push(
      ...(await db.$queryRaw<NamedResource[]>`
        SELECT found.*, scope.id AS "environmentId", scope.name AS "environmentName", tenants.id AS "tenantId", tenants.name AS "tenantName"
          FROM (SELECT * FROM environments WHERE ${environmentsWithin(bounds, Prisma.sql`environments.id`)}) AS scope
          JOIN tenants ON tenants.id = scope.tenant_id
         CROSS JOIN LATERAL (${Prisma.join(parts, ' UNION ALL ')}) AS found (type, id, name, detail)
         ORDER BY found.type, lower(found.name), found.id LIMIT ${MAX_NAMES * NAMED_TYPES.length}`),
    );
  if (types.includes('tenant'))
    found.push(
      ...(await db.$queryRaw<NamedResource[]>`
        SELECT 'tenant' AS type, id::text, name, NULL AS detail, id AS "tenantId", name AS "tenantName",
               NULL AS "environmentId", NULL AS "environmentName" FROM tenants
         WHERE starts_with(lower(name), ${text.toLowerCase()})
           AND (${bounds === null} OR id = ANY (${[...(bounds?.tenantIds ?? [])]}::uuid[]))
         ORDER BY lower(name), id LIMIT ${MAX_NAMES}`),
    );
  return NAMED_TYPES.flatMap((type) => found.filter((row) => row.type === type).slice(0, MAX_NAMES));
}
