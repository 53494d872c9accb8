import type { ChannelRegistry } from '@postrider/channels';
import { type DeliveryCounts, type EnvironmentSnapshot, readUsage, type UsageRecord } from '@postrider/db';
import { formatId, formatOptionalTime, formatTime } from '@postrider/domain';
import { eventLimit } from '../http/admission.ts';
import { MEMORY } from '../http/memory.ts';
import {
  count,
  id,
  limit,
  list,
  oneOf,
  optionalTime,
  record,
  ref,
  type Schema,
  text,
  time,
} from '../openapi/schema.ts';
import { type PublicResource, publicOperation, READ } from '../pipeline/operation.ts';

function presentCounts({ succeeded, failed, cancelled, pending }: DeliveryCounts) {
  return { succeeded, failed, cancelled, pending };
}

function presentUsage(tenantId: string, { period, events, deliveries, environments }: UsageRecord) {
  const { used, limit } = events;
  return {
    tenant_id: formatId('ten', tenantId),
    period: { start: formatTime(period.start), end: formatTime(period.end) },
    events: { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) },
    deliveries: {
      ...presentCounts(deliveries),
      by_channel_kind: Object.fromEntries(
        Object.entries(deliveries.byChannelKind).map(([kind, counts]) => [kind, presentCounts(counts)]),
      ),
    },
    environments: environments.map(({ id, name, eventsUsed }) => ({
      id: formatId('env', id),
      name,
      events_used: eventsUsed,
    })),
  };
}

function presentLimits({ tenant, plan }: EnvironmentSnapshot) {
  return {
    tenant_id: formatId('ten', tenant.id),
    plan: { code: plan.code, name: plan.name },
    billing: { status: tenant.billingStatus, grace_ends_at: formatOptionalTime(tenant.graceEndsAt) },
    quota: { events_per_month: plan.eventsPerMonth },
    rate_limit: { requests_per_second: plan.requestsPerSecond, burst: plan.burst },
    payload: { max_bytes: eventLimit(plan) },
    schedule: { max_days: plan.maxScheduleDays },
    retention: { days: plan.retentionDays },
    entitlements: { channel_kinds: plan.channelKinds },
  };
}

const USAGE_EXAMPLE = {
  period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  events: { used: 6120, limit: 10_000, remaining: 3880 },
  deliveries: {
    succeeded: 11_803,
    failed: 61,
    cancelled: 12,
    pending: 4,
    by_channel_kind: {
      email: { succeeded: 5902, failed: 18, cancelled: 12, pending: 3 },
      webhook: { succeeded: 5901, failed: 43, cancelled: 0, pending: 1 },
    },
  },
  environments: [{ name: 'production', events_used: 6120 }],
};

const LIMITS_EXAMPLE = {
  plan: { code: 'starter', name: 'Starter' },
  quota: { events_per_month: 10_000 },
  rate_limit: { requests_per_second: 50, burst: 100 },
  payload: { max_bytes: 262_144 },
  schedule: { max_days: 30 },
  retention: { days: 90 },
  entitlements: { channel_kinds: ['email', 'webhook'] },
};

const getUsage = publicOperation({
  method: 'get',
  path: '/api/v1/usage/current',
  operationId: 'getCurrentUsage',
  scope: 'usage:read',
  memory: MEMORY.small,
  summary: 'Read the usage of the current period',
  description: 'The usage of the tenant of the token’s environment in the current calendar month, UTC.',
  traits: READ,
  success: { status: 200, schema: ref('Usage'), example: USAGE_EXAMPLE },
  run:
    ({ db, kinds }) =>
    async ({ snapshot }) =>
      presentUsage(snapshot.tenant.id, await readUsage(db, snapshot.tenant.id, kinds.kinds)),
});

const getLimits = publicOperation({
  method: 'get',
  path: '/api/v1/limits',
  operationId: 'getLimits',
  scope: 'usage:read',
  memory: MEMORY.small,
  summary: 'Read the limits of the plan',
  description: 'The limits of the plan of the tenant of the token’s environment.',
  traits: READ,
  success: { status: 200, schema: ref('Limits'), example: LIMITS_EXAMPLE },
  run:
    () =>
    async ({ snapshot }) =>
      presentLimits(snapshot),
});

const counts = {
  succeeded: count('Runs that succeeded.'),
  failed: count('Runs that failed.'),
  cancelled: count('Runs that were cancelled.'),
  pending: count('Runs that have not ended.'),
};

/** See docs/specification.md, "Reads and actions". */
const accountSchemas = ({ kinds }: ChannelRegistry): Readonly<Record<string, Schema>> => ({
  DeliveryCounts: record('Delivery runs by status.', counts),
  Usage: record('The usage of the environment’s tenant in the current period.', {
    tenant_id: id('ten', 'The tenant.'),
    period: record('The calendar month, UTC.', {
      start: time('The start of the month.'),
      end: time('The start of the next month, when the quota resets.'),
    }),
    events: record('Events and replays. Cancelled runs still count.', {
      used: count('Used so far.'),
      limit: limit('The limit of the plan.'),
      remaining: limit('The remaining number.'),
    }),
    deliveries: record('The delivery runs created in the period.', {
      ...counts,
      by_channel_kind: record(
        'The same by channel kind.',
        Object.fromEntries(kinds.map((kind) => [kind, ref('DeliveryCounts')])),
      ),
    }),
    environments: list(
      record('The usage of one environment.', {
        id: id('env', 'The environment.'),
        name: text('Its name.'),
        events_used: count('Events and replays.'),
      }),
      'Every environment of the tenant.',
    ),
  }),
  Limits: record('What the plan of the tenant allows.', {
    tenant_id: id('ten', 'The tenant.'),
    plan: record('The plan.', { code: text('Its stable code.'), name: text('Its name.') }),
    billing: record('Whether the tenant may send.', {
      status: oneOf(
        ['active', 'past_due', 'suspended'],
        '`past_due` tenants may send until `grace_ends_at`.',
      ),
      grace_ends_at: optionalTime('When the grace period of `past_due` ends.'),
    }),
    quota: record('Per period.', { events_per_month: limit('Events and replays in a calendar month, UTC.') }),
    rate_limit: record('Per environment.', {
      requests_per_second: limit('The sustained rate.'),
      burst: limit('Requests that are allowed at once.'),
    }),
    payload: record('Limits of one request.', { max_bytes: count('The largest body.') }),
    schedule: record('Limits of `schedule_at`.', { max_days: limit('How far ahead it may be.') }),
    retention: record('How long messages are kept.', { days: limit('How long they can be read.') }),
    entitlements: record('What the plan includes.', {
      channel_kinds: list(oneOf(kinds, 'A kind of channel.'), 'Channels of other kinds take no events.'),
    }),
  }),
});

export const accountResource = (kinds: ChannelRegistry): PublicResource => ({
  tag: { name: 'Account', description: 'Usage and limits of the tenant.' },
  schemas: accountSchemas(kinds),
  operations: [getUsage, getLimits],
});
