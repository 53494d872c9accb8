import { isDeepStrictEqual } from 'node:util';
import {
  type BillingStatus,
  formatId,
  presentTenant,
  type TenantInput,
  type TenantRecord,
} from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Tenant as TenantRow } from '../generated/client.ts';
import { recordAudit } from './audit.ts';
import {
  type ConfigureDeps,
  type Decision,
  inTransaction,
  type Page,
  type PageRequest,
  pageOf,
} from './change.ts';

export type CreateTenantOutcome =
  | { readonly outcome: 'created'; readonly tenant: TenantRecord }
  | { readonly outcome: 'plan_not_found' };

export type UpdateTenantOutcome<Refusal> =
  | { readonly outcome: 'updated'; readonly tenant: TenantRecord }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'plan_not_found' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

const toRecord = (row: TenantRow): TenantRecord => ({
  ...row,
  billingStatus: row.billingStatus as BillingStatus,
});

function toInput({ name, planCode, billingStatus, graceEndsAt }: TenantRecord): TenantInput {
  return { name, planCode, billingStatus, graceEndsAt };
}

/** Plans are never deleted, so an existing plan stays valid. */
async function hasPlan(tx: Queryable, code: string): Promise<boolean> {
  return (await tx.plan.count({ where: { code } })) > 0;
}

/** The tenant of this UUID, or null. */
export async function readTenant(db: Queryable, id: string): Promise<TenantRecord | null> {
  const row = await db.tenant.findUnique({ where: { id } });
  return row && toRecord(row);
}

/** Tenants, newest first. */
export async function listTenants(db: Queryable, { after, limit }: PageRequest): Promise<Page<TenantRecord>> {
  const rows = await db.tenant.findMany({
    where: after === null ? {} : { id: { lt: after } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  return pageOf(rows.map(toRecord), limit, ({ id }) => id);
}

/** Creates a tenant. Names need not be unique: they are for people. */
export async function createTenant(deps: ConfigureDeps, input: TenantInput): Promise<CreateTenantOutcome> {
  return inTransaction(deps, async (tx) => {
    if (!(await hasPlan(tx, input.planCode))) return { outcome: 'plan_not_found' };
    const tenant = toRecord(await tx.tenant.create({ data: { id: deps.newId(), ...input } }));
    await recordAudit(tx, deps, {
      action: 'tenant.created',
      resourceId: formatId('ten', tenant.id),
      tenantId: tenant.id,
      before: null,
      after: presentTenant(tenant),
    });
    return { outcome: 'created', tenant };
  });
}

/**
 * Changes a tenant to the result of `decide`, which gets the locked row, so concurrent changes build on each other.
 * Writes nothing if nothing differs.
 */
export async function updateTenant<Refusal>(
  deps: ConfigureDeps,
  id: string,
  decide: (current: TenantInput) => Decision<TenantInput, Refusal>,
): Promise<UpdateTenantOutcome<Refusal>> {
  return inTransaction(deps, async (tx) => {
    await tx.$queryRaw`SELECT FROM tenants WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const current = await readTenant(tx, id);
    if (!current) return { outcome: 'not_found' };
    const decision = decide(toInput(current));
    if (decision.outcome === 'refused') return decision;
    const { next } = decision;
    if (isDeepStrictEqual(next, toInput(current))) return { outcome: 'updated', tenant: current };
    if (!(await hasPlan(tx, next.planCode))) return { outcome: 'plan_not_found' };
    const tenant = toRecord(await tx.tenant.update({ where: { id }, data: next }));
    await recordAudit(tx, deps, {
      action: 'tenant.updated',
      resourceId: formatId('ten', id),
      tenantId: id,
      before: presentTenant(current),
      after: presentTenant(tenant),
    });
    return { outcome: 'updated', tenant };
  });
}
