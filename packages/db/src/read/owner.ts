import { Prisma, type UnboundDatabase } from '../client.ts';
import type { Bounds } from '../snapshot/access.ts';
import { defineStatement } from '../statement.ts';

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

const withinBounds = (column: string) => `${column} IN (
    SELECT visible.id FROM environments AS visible
     WHERE visible.tenant_id = ANY(:tenantIds::uuid[]) OR visible.id = ANY(:environmentIds::uuid[]))`;

/**
 * Defines a statement for callers who see all environments, and another for those with bounds, which are its parameters.
 * @param textOf gets SQL of the condition that the caller sees the environment whose id a column has
 */
export function defineVisible<Input extends object, Row>(
  textOf: (isVisible: (column: string) => string, isBounded: boolean) => string,
) {
  const all = defineStatement<Input, Row>({ text: textOf(() => 'true', false) });
  const within = defineStatement<Input & Bounds, Row>({ text: textOf(withinBounds, true) });
  return (db: UnboundDatabase, bounds: Bounds | null, input: Input): Promise<Row[]> =>
    bounds === null ? all(db, input) : within(db, { ...input, ...bounds });
}

/**
 * The environment with this UUID, or that of the row with this UUID in a table, and whether the row is an operational channel, which
 * only operators see; null if there is none.
 */
export async function readOwner(
  db: UnboundDatabase,
  table: OwnedTable | 'environments',
  id: string,
): Promise<(Owner & { readonly isForOperators: boolean }) | null> {
  const own = Prisma.raw(table === 'environments' ? 'id' : 'environment_id');
  const operational = Prisma.raw(table === 'channels' ? 'operational' : 'false');
  const [row = null] = await db.$queryRaw<(Owner & { readonly isForOperators: boolean })[]>`
    SELECT tenant_id AS "tenantId", environments.id AS "environmentId", operational AS "isForOperators" FROM environments
      JOIN (SELECT ${own} AS environment_id, ${operational} AS operational FROM ${Prisma.raw(table)} WHERE id = ${id}::uuid) AS found
        ON found.environment_id = environments.id`;
  return row;
}

/** Whether a caller with these bounds sees a tenant: the whole of it, or at least one of its environments. */
export async function seesTenant(db: UnboundDatabase, bounds: Bounds, tenantId: string): Promise<boolean> {
  if (bounds.tenantIds.includes(tenantId)) return true;
  const some = { tenantId, id: { in: [...bounds.environmentIds] } };
  return (await db.environment.findFirst({ where: some, select: { id: true } })) !== null;
}
