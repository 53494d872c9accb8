import { CHANNEL_KINDS } from '@postrider/domain';
import { list, record, ref, type Schema } from '../schema-object.ts';
import { count, id, limit, oneOf, optionalTime, text, time } from './common.ts';

const counts = {
  succeeded: count('Runs that succeeded.'),
  failed: count('Runs that failed.'),
  cancelled: count('Runs that were cancelled.'),
  pending: count('Runs that are not at their end.'),
};

/** Contract section 6. */
export const ACCOUNT_SCHEMAS: Readonly<Record<string, Schema>> = {
  DeliveryCounts: record('Delivery runs by how they stand.', counts),
  Usage: record('What the tenant of the environment has used in the current period.', {
    tenant_id: id('ten', 'The tenant.'),
    period: record('The calendar month, UTC.', {
      start: time('Its first moment.'),
      end: time('The first moment of the next, when the quota starts anew.'),
    }),
    events: record('Events and replays, which count alike. A cancelled run is not given back.', {
      used: count('So far.'),
      limit: limit('What the plan allows.'),
      remaining: limit('What is left.'),
    }),
    deliveries: record('The delivery runs created in the period.', {
      ...counts,
      by_channel_kind: record('The same for each kind.', {
        email: ref('DeliveryCounts'),
        webhook: ref('DeliveryCounts'),
      }),
    }),
    environments: list(
      record('The part of one environment.', {
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
    billing: record('Whether the tenant may make deliveries.', {
      status: oneOf(['active', 'past_due', 'suspended'], '`past_due` may until `grace_ends_at`.'),
      grace_ends_at: optionalTime('The end of the grace of `past_due`.'),
    }),
    quota: record('Per period.', { events_per_month: limit('Events and replays in a calendar month, UTC.') }),
    rate_limit: record('Per environment.', {
      requests_per_second: limit('The rate that can be kept up.'),
      burst: limit('Requests that may come at once.'),
    }),
    payload: record('Of one request.', { max_bytes: count('The largest body.') }),
    schedule: record('Of `schedule_at`.', { max_days: limit('How far ahead it may be.') }),
    retention: record('Of messages.', { days: limit('How long they can be read.') }),
    entitlements: record('What the plan includes.', {
      channel_kinds: list(
        oneOf(CHANNEL_KINDS, 'A kind of channel.'),
        'Channels of other kinds take no events.',
      ),
    }),
  }),
};
