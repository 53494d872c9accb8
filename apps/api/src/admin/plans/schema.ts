import { type ChannelRegistry, perRegistry } from '@postrider/channels';
import type { Plan } from '@postrider/db';
import type { ChannelKind } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { MAX_BODY_BYTES } from '../../http/body.ts';
import type { Detail } from '../../http/reply.ts';
import { limit, list, oneOf, pageOf, record, type Schema, text, time } from '../../openapi/schema.ts';
import { compileBody, PLAN_CODE_PATTERN, type ValidateBody, withRules } from '../../validation/body.ts';
import { NAME_SCHEMA, patchSchema } from '../schemas.ts';

export interface PlanBody {
  readonly code: string;
  readonly name: string;
  readonly events_per_month?: number | null;
  readonly requests_per_second?: number | null;
  readonly burst?: number | null;
  readonly max_payload_bytes?: number | null;
  readonly max_schedule_days?: number | null;
  readonly retention_days?: number | null;
  readonly channel_kinds?: readonly ChannelKind[];
}

/** What a column of Postgres' type integer holds at most. */
const INTEGER_MAX = 2_147_483_647;

/** A hundred years: sums of times and days stay within what a date can be. */
const MAX_DAYS = 36_500;

function figure(minimum: number, maximum: number, description: string): SchemaObject {
  const type = ['integer', 'null'];
  return { type, minimum, maximum, default: null, description: `${description} Null means unlimited.` };
}

/** Body of POST /admin/v1/plans: docs/specification.md, "Plans". */
export const planBodySchema = perRegistry(
  ({ kinds }) =>
    ({
      type: 'object',
      required: ['code', 'name'],
      additionalProperties: false,
      properties: {
        code: {
          type: 'string',
          pattern: PLAN_CODE_PATTERN,
          description: 'Stable name that tenants refer to; it cannot be changed.',
        },
        name: NAME_SCHEMA,
        events_per_month: figure(0, INTEGER_MAX, 'Events and replays of a tenant in a calendar month, UTC.'),
        requests_per_second: figure(
          1,
          INTEGER_MAX,
          'Requests that an environment can keep up; together with `burst`.',
        ),
        burst: figure(1, INTEGER_MAX, 'Requests that may come at once; together with `requests_per_second`.'),
        max_payload_bytes: figure(
          1,
          MAX_BODY_BYTES,
          'The largest body of an event, below what holds on every plan.',
        ),
        max_schedule_days: figure(0, MAX_DAYS, 'How far ahead `schedule_at` may be.'),
        retention_days: figure(
          1,
          MAX_DAYS,
          'Days after which messages are removed, with their runs and attempts.',
        ),
        channel_kinds: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: [...kinds] },
          default: [...kinds],
          description: 'Kinds of channel that the tenant may have; all when left out.',
        },
      },
    }) as const satisfies SchemaObject,
);

/** Body of PATCH /admin/v1/plans/{code}: a JSON Merge Patch. */
export const planPatchSchema = perRegistry((kinds) => patchSchema(planBodySchema(kinds), ['code']));

/** A rate without a burst, or the other way round, would be no bucket. */
function rateFaults({ requests_per_second: rate = null, burst = null }: PlanBody): Detail[] {
  if ((rate === null) === (burst === null)) return [];
  const [missing, given] =
    rate === null ? ['requests_per_second', 'burst'] : ['burst', 'requests_per_second'];
  return [{ path: `/${missing}`, code: 'required', message: `is required together with ${given}` }];
}

/** Validates a whole plan: the body of a POST, or what a PATCH makes of one. */
export const planValidator = perRegistry(
  (kinds): ValidateBody<PlanBody> =>
    withRules(compileBody<PlanBody>(planBodySchema(kinds)), [
      { reads: ['/requests_per_second', '/burst'], faultsOf: rateFaults },
    ]),
);

/** A valid body as a plan; what was left out is unlimited. */
export function toPlan({ kinds }: ChannelRegistry, body: PlanBody): Plan {
  return {
    code: body.code,
    name: body.name,
    eventsPerMonth: body.events_per_month ?? null,
    requestsPerSecond: body.requests_per_second ?? null,
    burst: body.burst ?? null,
    maxPayloadBytes: body.max_payload_bytes ?? null,
    maxScheduleDays: body.max_schedule_days ?? null,
    retentionDays: body.retention_days ?? null,
    channelKinds: body.channel_kinds ?? kinds,
  };
}

const PLAN_CODE = new RegExp(PLAN_CODE_PATTERN);

/**
 * Whether a text can be a plan's code. What cannot is not asked of the database, which refuses some texts
 * (NUL).
 */
export function isPlanCode(text: string): boolean {
  return PLAN_CODE.test(text);
}

/** See docs/specification.md, "Plans". */
export const planSchemas = ({ kinds }: ChannelRegistry): Readonly<Record<string, Schema>> => ({
  Plan: record('What a tenant may use.', {
    code: text('Its stable code.'),
    name: text('For people.'),
    events_per_month: limit('Events and replays of a tenant in a calendar month, UTC.'),
    requests_per_second: limit('Requests that an environment can keep up.'),
    burst: limit('Requests that may come at once.'),
    max_payload_bytes: limit('The largest body of an event, below what holds on every plan.'),
    max_schedule_days: limit('How far ahead `schedule_at` may be.'),
    retention_days: limit('Days after which messages are removed, with their runs and attempts.'),
    channel_kinds: list(oneOf(kinds, 'A kind of channel.'), 'The kinds that the tenant may have.'),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  }),
  PlanList: pageOf('Plan', 'A page of plans, by their code.'),
});
