import { type ChannelRegistry, perRegistry } from '@postrider/channels';
import { changePlan, createPlan, listPlans, lockPlan, readPlan } from '@postrider/db';
import {
  alreadyExists,
  type Detail,
  PLAN_CODE_PATTERN,
  PLAN_FIELDS,
  type Plan,
  parseFields,
  presentPlan,
  presentPlanFields,
  reject,
  UNLIMITED,
} from '@postrider/domain';
import { MAX_BODY_BYTES, MAX_EVENT_BYTES } from '../http/admission.ts';
import { isCode } from '../openapi/parameters.ts';
import * as json from '../openapi/schema.ts';
import { compileBody, type ValidateBody, withRules } from '../validation/body.ts';
import type { AdminResource } from './operation.ts';
import { NAME_SCHEMA, patchSchema } from './schemas.ts';
import { standardOperationsOf } from './standard-operations.ts';

/** Maximum of PostgreSQL's type integer. */
const INTEGER_MAX = 2_147_483_647;

/** A hundred years: sums of times and days stay within the range of dates. */
const MAX_DAYS = 36_500;

const figure = (minimum: number, maximum: number, about: string) => {
  const description = `${about} Null means unlimited.`;
  return { type: ['integer', 'null'], minimum, maximum, default: null, description } as const;
};

/** Body of POST /admin/v1/plans (docs/specification.md, "Plans"). */
const planBodySchema = perRegistry(({ kinds }) =>
  json.closedObject(['code', 'name'], {
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
      'The sustained rate of an environment, in requests per second; together with `burst`.',
    ),
    burst: figure(1, INTEGER_MAX, 'Requests that are allowed at once; together with `requests_per_second`.'),
    max_payload_bytes: figure(
      1,
      MAX_EVENT_BYTES,
      `The largest body of an event, in bytes; ${MAX_BODY_BYTES} by default. Only base64 files may use what exceeds ` +
        'the default.',
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
      items: { title: 'Plan channel kind', type: 'string', enum: [...kinds] },
      default: [...kinds],
      description: 'Channel kinds that the tenant may use; all by default.',
    },
  }),
);

type PlanBody = json.BodyOf<ReturnType<typeof planBodySchema>>;

/** Body of PATCH /admin/v1/plans/{code}: a JSON Merge Patch. */
const planPatchSchema = perRegistry((kinds) => patchSchema(planBodySchema(kinds), ['code']));

/** A token bucket needs both a rate and a burst. */
function rateIssues({ requests_per_second: rate = null, burst = null }: PlanBody): Detail[] {
  if ((rate === null) === (burst === null)) return [];
  const [missing, given] =
    rate === null ? ['requests_per_second', 'burst'] : ['burst', 'requests_per_second'];
  return [{ path: `/${missing}`, code: 'required', message: `is required together with ${given}` }];
}

/** Validates a whole plan: the body of a POST, or the result of a PATCH. */
const planValidator = perRegistry(
  (kinds): ValidateBody<PlanBody> =>
    withRules(compileBody<PlanBody>(planBodySchema(kinds)), [
      { reads: ['/requests_per_second', '/burst'], issuesOf: rateIssues },
    ]),
);

/** Converts a valid body. Fields that are left out are unlimited. */
const toPlan = ({ kinds: channelKinds }: ChannelRegistry, { code, name, ...body }: PlanBody): Plan =>
  parseFields<Plan>(body, { code, name, ...UNLIMITED, channelKinds });

/** Response schemas (docs/specification.md, "Plans"). */
const planSchemas = ({ kinds }: ChannelRegistry): json.Schemas => ({
  Plan: json.record('What a tenant may use.', {
    ...PLAN_FIELDS,
    channel_kinds: json.list(json.oneOf(kinds, 'A kind of channel.'), 'The kinds that the tenant may have.'),
  }),
  PlanList: json.pageOf('Plan', 'A page of plans, by their code.'),
});

const EXAMPLE = {
  code: 'starter',
  name: 'Starter',
  events_per_month: 10_000,
  requests_per_second: 50,
  burst: 100,
  max_payload_bytes: 65_536,
  max_schedule_days: 30,
  retention_days: 90,
  channel_kinds: ['email', 'webhook'],
};

const STANDARD = standardOperationsOf({
  name: 'Plan',
  all: '/admin/v1/plans',
  one: '/admin/v1/plans/{code}',
  scopes: ['tenants:read', 'tenants:admin'],
  present: presentPlan,
  example: EXAMPLE,
});

export const plansResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: { name: 'Plans', description: 'Management: what tenants may use.' },
  schemas: planSchemas(kinds),
  operations: [
    // The code can never be used for another one.
    STANDARD.create({
      description:
        'A limit that is null or left out does not apply. `requests_per_second` and `burst` are set together or ' +
        'not at all.',
      body: {
        schema: planBodySchema(kinds),
        validate: planValidator(kinds),
        examples: {
          limited: { summary: 'With limits', value: EXAMPLE },
          unlimited: { summary: 'Without', value: { code: 'unlimited', name: 'Unlimited' } },
        },
      },
      errors: ['already_exists'],
      run: async ({ body }, deps) => {
        const stored = await createPlan(deps, toPlan(kinds, body));
        return stored ? presentPlan(stored) : reject(alreadyExists('/code'));
      },
    }),
    STANDARD.list({ description: 'All plans, by their code.', orderedBy: isCode, read: listPlans }),
    STANDARD.get({ description: 'The current plan.', of: { name: 'code', read: readPlan } }),
    STANDARD.update({
      description:
        'Applies to all its tenants within 5 seconds. A quota below what is already used refuses ' +
        'events until the next month. Null removes a limit. The code cannot be changed.',
      body: {
        schema: planPatchSchema(kinds),
        examples: {
          raise: { summary: 'Raise the quota', value: { events_per_month: 20_000 } },
          unlimited: { summary: 'Without a rate limit', value: { requests_per_second: null, burst: null } },
        },
      },
      changed: { events_per_month: 20_000, updated_at: '2026-11-21T10:00:00.000Z' },
      lock: lockPlan,
      fields: presentPlanFields,
      validate: planValidator(kinds),
      change: (tx, { current, body }, deps) => changePlan(tx, deps, current, toPlan(kinds, body)),
    }),
  ],
});
