import { isDeepStrictEqual } from 'node:util';
import {
  formatId,
  invalid,
  presentTenant,
  reject,
  type TenantInput,
  type TenantRecord,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Tenant as TenantRow } from '../generated/client.ts';
import { newestFirst, type Page, type PageRequest } from '../pages.ts';
import type { Bounds } from '../snapshot/access.ts';
import { auditRecorderOf, type ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction, timeOf } from '../transactions/transaction.ts';

/** Types a row as a record; the table's checks guarantee the status. */
const toRecord = (row: TenantRow) => row as TenantRecord;

function toInput({ name, planCode, billingStatus, graceEndsAt }: TenantRecord): TenantInput {
  return { name, planCode, billingStatus, graceEndsAt };
}

const record = auditRecorderOf(
  ({ id }: TenantRecord) => ({ resourceId: formatId('ten', id), tenantId: id }),
  presentTenant,
);

/** Plans are never deleted, so an existing plan stays valid. */
async function requirePlan(tx: Queryable, code: string): Promise<void> {
  if ((await tx.plan.count({ where: { code } })) > 0) return;
  reject(invalid([{ path: '/plan', code: 'unknown_plan', message: 'is not the code of a plan' }]));
}

/** The tenant with this UUID, or null. */
export async function readTenant(db: Queryable, id: string): Promise<TenantRecord | null> {
  const row = await db.tenant.findFirst({ where: { id } });
  return row && toRecord(row);
}

/** Tenants that a caller with these bounds sees, newest first. */
export async function listTenants(
  db: Queryable,
  { bounds = null, ...page }: PageRequest & { readonly bounds?: Bounds | null },
): Promise<Page<TenantRecord>> {
  const visible = bounds && {
    OR: [
      { id: { in: [...bounds.tenantIds] } },
      { environments: { some: { id: { in: [...bounds.environmentIds] } } } },
    ],
  };
  return newestFirst(page, async (id, query) =>
    (await db.tenant.findMany({ where: { ...visible, id }, ...query })).map(toRecord),
  );
}

/**
 * Creates a tenant. Names need not be unique.
 * @throws RefusedError if there is no such plan
 */
export async function createTenant(deps: ConfigureDeps, input: TenantInput): Promise<TenantRecord> {
  return inTransaction(deps, async (tx) => {
    await requirePlan(tx, input.planCode);
    const tenant = toRecord(await tx.tenant.create({ data: { id: deps.newId(), ...input } }));
    await record(tx, deps, { action: 'tenant.created', before: null, after: tenant });
    return tenant;
  });
}

/** Like {@link readTenant}, and locks the row against changes until the transaction ends. */
export async function lockTenant(tx: Queryable, id: string): Promise<TenantRecord | null> {
  await tx.$queryRaw`SELECT FROM tenants WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return readTenant(tx, id);
}

/**
 * Changes a tenant that the transaction has locked. If nothing differs, it writes nothing.
 * @throws RefusedError if there is no such plan
 */
export async function changeTenant(
  tx: Queryable,
  deps: ConfigureDeps,
  current: TenantRecord,
  next: TenantInput,
): Promise<TenantRecord> {
  const { id } = current;
  if (isDeepStrictEqual(next, toInput(current))) return current;
  await requirePlan(tx, next.planCode);
  const tenant = toRecord(
    await tx.tenant.update({ where: { id }, data: { ...next, updatedAt: await timeOf(tx) } }),
  );
  await record(tx, deps, { action: 'tenant.updated', before: current, after: tenant });
  return tenant;
}
