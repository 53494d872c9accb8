import type { EnvironmentSnapshot } from '@postrider/db';
import { formatId, formatOptionalTime } from '@postrider/domain';
import type { Operation } from '../http/protected-route.ts';
import { ok } from '../http/reply.ts';
import { bodyLimit } from '../pipeline/receive-body.ts';
import { READ } from '../pipeline/traits.ts';

function presentLimits({ tenant, plan }: EnvironmentSnapshot) {
  return {
    tenant_id: formatId('ten', tenant.id),
    plan: { code: plan.code, name: plan.name },
    billing: { status: tenant.billingStatus, grace_ends_at: formatOptionalTime(tenant.graceEndsAt) },
    quota: { events_per_month: plan.eventsPerMonth },
    rate_limit: { requests_per_second: plan.requestsPerSecond, burst: plan.burst },
    payload: { max_bytes: bodyLimit(plan) },
    schedule: { max_days: plan.maxScheduleDays },
    retention: { days: plan.retentionDays },
    entitlements: { channel_kinds: plan.channelKinds },
  };
}

/**
 * GET /api/v1/limits: what the tenant's plan allows; null means unlimited. A body is limited on every plan.
 */
export function getLimits(): Operation {
  return {
    method: 'GET',
    path: '/api/v1/limits',
    traits: READ,
    run: async ({ snapshot }) => ok(presentLimits(snapshot)),
  };
}
