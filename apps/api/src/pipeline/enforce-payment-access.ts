import type { EnvironmentSnapshot } from '@postrider/db';
import { refuse } from '../http/reply.ts';
import type { Identified, Stage } from './stage.ts';

/**
 * Suspended, or past due without a grace date that is still ahead by the database's clock (contract section
 * 2).
 */
function isBarred({ tenant, databaseNow }: EnvironmentSnapshot): boolean {
  if (tenant.billingStatus === 'active') return false;
  if (tenant.billingStatus === 'suspended') return true;
  return tenant.graceEndsAt === null || tenant.graceEndsAt <= databaseNow();
}

/** Stage 4: refuses what makes deliveries for a tenant that does not pay. */
export const enforcePaymentAccess: Stage<Identified, Identified> = (request) =>
  request.traits.createsDeliveries && isBarred(request.snapshot)
    ? { reply: refuse('payment_required') }
    : { passed: request };
