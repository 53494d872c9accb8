/**
 * How a tenant stands with its bills: contract section 8. `suspended` may make no deliveries, `past_due` only until its
 * grace ends.
 */
export const BILLING_STATUSES = ['active', 'past_due', 'suspended'] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];
