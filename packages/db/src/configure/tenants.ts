import type { IdSource } from '@postrider/domain';
import type { Queryable } from '../client.ts';

export type BillingStatus = 'active' | 'past_due' | 'suspended';

export interface TenantInput {
  readonly name: string;
  /** Code of an existing plan. */
  readonly planCode: string;
  readonly billingStatus?: BillingStatus;
  readonly graceEndsAt?: Date | null;
}

/** Creates a tenant and returns its UUID. */
export async function createTenant(
  { db, newId }: { db: Queryable; newId: IdSource },
  input: TenantInput,
): Promise<string> {
  const { id } = await db.tenant.create({ data: { id: newId(), ...input } });
  return id;
}

/** Creates an environment and returns its UUID. `name` is a slug, unique within the tenant. */
export async function createEnvironment(
  { db, newId }: { db: Queryable; newId: IdSource },
  { tenantId, name }: { tenantId: string; name: string },
): Promise<string> {
  const { id } = await db.environment.create({ data: { id: newId(), tenantId, name } });
  return id;
}
