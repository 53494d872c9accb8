import { isDeepStrictEqual } from 'node:util';
import {
  type BillingStatus,
  formatId,
  formatOptionalTime,
  formatTime,
  type JsonObject,
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

export interface TenantInput {
  readonly name: string;
  /** Code of an existing plan. */
  readonly planCode: string;
  readonly billingStatus: BillingStatus;
  /** Until when a tenant that is past due may still make deliveries. */
  readonly graceEndsAt: Date | null;
}

/** `id` is a UUID. */
export interface TenantRecord extends TenantInput {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type CreateTenantOutcome =
  | { readonly outcome: 'created'; readonly tenant: TenantRecord }
  | { readonly outcome: 'plan_not_found' };

export type UpdateTenantOutcome<Refusal> =
  | { readonly outcome: 'updated'; readonly tenant: TenantRecord }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'plan_not_found' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * The fields of a tenant that a client sets, as the API names them:
 * docs/specification.md, "Tenants".
 */
export function presentTenantFields(tenant: TenantInput): JsonObject {
  return {
    name: tenant.name,
    plan: tenant.planCode,
    billing_status: tenant.billingStatus,
    grace_ends_at: formatOptionalTime(tenant.graceEndsAt),
  };
}

/** A tenant as the API presents it: docs/specification.md, "Tenants". */
export function presentTenant(tenant: TenantRecord): JsonObject {
  return {
    id: formatId('ten', tenant.id),
    ...presentTenantFields(tenant),
    created_at: formatTime(tenant.createdAt),
    updated_at: formatTime(tenant.updatedAt),
  };
}

const toRecord = (row: TenantRow): TenantRecord => ({
  ...row,
  billingStatus: row.billingStatus as BillingStatus,
});

function toInput({ name, planCode, billingStatus, graceEndsAt }: TenantRecord): TenantInput {
  return { name, planCode, billingStatus, graceEndsAt };
}

/** Plans are never deleted, so one that is there stays there. */
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
 * Changes a tenant to what `decide` makes of it, which sees the locked row: of two changes at once the second
 * decides on what the first has left. A change of nothing writes nothing.
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
