/**
 * How a tenant stands with its bills: contract section 8. `suspended` may make no deliveries, `past_due` only until its
 * grace ends.
 */
export const BILLING_STATUSES = ['active', 'past_due', 'suspended'] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/**
 * Whether a tenant may make no deliveries at `now`: suspended, or past due without a grace date that is still ahead
 * (contract section 2, `payment_required`).
 */
export function isBarredFromDeliveries(
  tenant: { readonly billingStatus: BillingStatus; readonly graceEndsAt: Date | null },
  now: Date,
): boolean {
  if (tenant.billingStatus === 'active') return false;
  if (tenant.billingStatus === 'suspended') return true;
  return tenant.graceEndsAt === null || tenant.graceEndsAt <= now;
}
