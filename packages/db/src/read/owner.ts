import { Prisma, type UnboundDatabase } from '../client.ts';
import type { Bounds } from '../snapshot/access.ts';

/** Tables whose rows belong to an environment and have an id of their own. */
export type OwnedTable =
  | 'tokens'
  | 'channels'
  | 'template_versions'
  | 'template_parts'
  | 'replay_batches'
  | 'erasures'
  | 'suppressions';

/** Where something is. Ids are UUIDs. */
export interface Owner {
  readonly tenantId: string;
  readonly environmentId: string;
}

/** Whether a caller with these bounds sees an environment. */
export function isWithin({ tenantIds, environmentIds }: Bounds, { tenantId, environmentId }: Owner): boolean {
  return tenantIds.includes(tenantId) || environmentIds.includes(environmentId);
}

/** The condition on the ids of environments that a caller with these bounds sees; null sees all. */
export function environmentsWithin(bounds: Bounds | null, column: string): Prisma.Sql {
  if (bounds === null) return Prisma.raw('true');
  const { tenantIds, environmentIds } = bounds;
  return Prisma.sql`${Prisma.raw(column)} IN (
    SELECT visible.id FROM environments AS visible
     WHERE visible.tenant_id = ANY(${[...tenantIds]}::uuid[]) OR visible.id = ANY(${[...environmentIds]}::uuid[]))`;
}

/** The environment with this UUID, or that of the row with this UUID in a table; null if there is none. */
export async function readOwner(
  db: UnboundDatabase,
  table: OwnedTable | 'environments',
  id: string,
): Promise<Owner | null> {
  const found =
    table === 'environments'
      ? Prisma.sql`SELECT ${id}::uuid AS environment_id`
      : Prisma.sql`SELECT environment_id FROM ${Prisma.raw(table)} WHERE id = ${id}::uuid`;
  const [row] = await db.$queryRaw<{ tenant_id: string; environment_id: string }[]>`
    SELECT tenant_id, environments.id AS environment_id FROM environments
      JOIN (${found}) AS found ON found.environment_id = environments.id`;
  return row ? { tenantId: row.tenant_id, environmentId: row.environment_id } : null;
}

/** Whether a caller with these bounds sees a tenant: the whole of it, or at least one of its environments. */
export async function seesTenant(db: UnboundDatabase, bounds: Bounds, tenantId: string): Promise<boolean> {
  if (bounds.tenantIds.includes(tenantId)) return true;
  const some = { tenantId, id: { in: [...bounds.environmentIds] } };
  return (await db.environment.findFirst({ where: some, select: { id: true } })) !== null;
}
