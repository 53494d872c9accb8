/**
 * How a tenant stands with its bills: docs/specification.md, "Tenants". `suspended` may make no deliveries,
 * `past_due` only until its grace ends.
 */
export const BILLING_STATUSES = ['active', 'past_due', 'suspended'] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/**
 * Whether a tenant may make no deliveries at `now`: suspended, or past due without a grace date that is still
 * ahead (docs/specification.md, "Quota and payment", `payment_required`).
 */
export function isBarredFromDeliveries(
  tenant: { readonly billingStatus: BillingStatus; readonly graceEndsAt: Date | null },
  now: Date,
): boolean {
  if (tenant.billingStatus === 'active') return false;
  if (tenant.billingStatus === 'suspended') return true;
  return tenant.graceEndsAt === null || tenant.graceEndsAt <= now;
}
