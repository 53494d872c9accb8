import { CHANNEL_KINDS } from '@postrider/domain';
import { list, record, type Schema } from '../schema-object.ts';
import { limit, oneOf, pageOf, text, time } from './common.ts';

/** Contract section 8. */
export const PLAN_SCHEMAS: Readonly<Record<string, Schema>> = {
  Plan: record('What a tenant may use.', {
    code: text('Its stable code.'),
    name: text('For people.'),
    events_per_month: limit('Events and replays of a tenant in a calendar month, UTC.'),
    requests_per_second: limit('Requests that an environment can keep up.'),
    burst: limit('Requests that may come at once.'),
    max_payload_bytes: limit('The largest body of an event, below what holds on every plan.'),
    max_schedule_days: limit('How far ahead `schedule_at` may be.'),
    retention_days: limit('Days after which messages are removed, with their runs and attempts.'),
    channel_kinds: list(oneOf(CHANNEL_KINDS, 'A kind of channel.'), 'The kinds that the tenant may have.'),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  }),
  PlanList: pageOf('Plan', 'A page of plans, by their code.'),
};
