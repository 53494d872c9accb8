import type { ChannelRegistry } from '@postrider/channels';
import {
  createPlan,
  listPlans,
  type Plan,
  type PlanRecord,
  presentPlan,
  presentPlanFields,
  readPlan,
  updatePlan,
} from '@postrider/db';
import type { JsonObject } from '@postrider/domain';
import { alreadyExists, created, ok, refuse } from '../../http/reply.ts';
import type { PathParameter } from '../../openapi/operation.ts';
import { ref } from '../../openapi/schema.ts';
import { formatTextCursor, PAGING_PARAMETERS, textCursor } from '../../paging/query.ts';
import { invalid } from '../../validation/body.ts';
import { type AdminResource, getOne, idOf, listPage, type Named, withBody } from '../operation.ts';
import { applyPatch } from '../schemas.ts';
import { isPlanCode, planBodySchema, planPatchSchema, planSchemas, planValidator, toPlan } from './schema.ts';

const BODY_EXAMPLE = {
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

const PLAN_EXAMPLE = {
  ...BODY_EXAMPLE,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const CODE: PathParameter = {
  name: 'code',
  in: 'path',
  required: true,
  description: 'The plan’s code.',
  schema: { type: 'string' },
  example: BODY_EXAMPLE.code,
  parse: (text) => (isPlanCode(text) ? text : null),
};

/** How paths name it. */
export const PLAN: Named<PlanRecord> = { parameter: CODE, read: readPlan, notFound: 'plan_not_found' };

/** POST /admin/v1/plans: a new plan; its code is taken for ever. */
const createWith = (kinds: ChannelRegistry) =>
  withBody({
    method: 'post',
    path: '/admin/v1/plans',
    operationId: 'createPlan',
    summary: 'Create a plan',
    description: 'A figure that is null or left out is unlimited. A rate has both its figures or none.',
    parameters: [],
    body: {
      schema: planBodySchema(kinds),
      validate: planValidator(kinds),
      examples: {
        limited: { summary: 'With limits', value: BODY_EXAMPLE },
        unlimited: { summary: 'Without', value: { code: 'unlimited', name: 'Unlimited' } },
      },
    },
    success: { status: 201, schema: ref('Plan'), example: PLAN_EXAMPLE },
    errors: ['already_exists'],
    run:
      ({ db, newId }) =>
      async ({ actor, body }) => {
        const stored = await createPlan({ db, newId, actor }, toPlan(kinds, body));
        return stored.outcome === 'created' ? created(presentPlan(stored.plan)) : alreadyExists('/code');
      },
  });

const QUERY = { ...PAGING_PARAMETERS, cursor: textCursor(isPlanCode) };

const list = listPage({
  path: '/admin/v1/plans',
  operationId: 'listPlans',
  summary: 'List plans',
  description: 'All plans, by their code.',
  query: QUERY,
  formatCursor: formatTextCursor,
  read: listPlans,
  present: presentPlan,
  schema: ref('PlanList'),
  example: PLAN_EXAMPLE,
});

const get = getOne({
  path: '/admin/v1/plans/{code}',
  operationId: 'getPlan',
  summary: 'Read a plan',
  description: 'The plan as it is now.',
  of: PLAN,
  present: presentPlan,
  schema: ref('Plan'),
  example: PLAN_EXAMPLE,
});

/** What a patch makes of a plan, or every fault of that. */
function decide(kinds: ChannelRegistry, current: Plan, patch: JsonObject) {
  const result = applyPatch(presentPlanFields(current), patch, planValidator(kinds));
  return 'body' in result
    ? ({ outcome: 'change', next: toPlan(kinds, result.body) } as const)
    : ({ outcome: 'refused', refusal: result.faults } as const);
}

/** PATCH /admin/v1/plans/{code}: holds for its tenants at once, whatever they have used already. */
const updateWith = (kinds: ChannelRegistry) =>
  withBody<JsonObject>({
    method: 'patch',
    path: '/admin/v1/plans/{code}',
    operationId: 'updatePlan',
    summary: 'Change a plan',
    description:
      'Holds for all its tenants within 5 seconds. A quota below what is used already refuses events until ' +
      'the next month. Null removes a limit. The code cannot be changed.',
    parameters: [CODE],
    body: {
      schema: planPatchSchema(kinds),
      examples: {
        raise: { summary: 'Raise the quota', value: { events_per_month: 20_000 } },
        unlimited: { summary: 'Without a rate limit', value: { requests_per_second: null, burst: null } },
      },
    },
    success: {
      status: 200,
      schema: ref('Plan'),
      example: { ...PLAN_EXAMPLE, events_per_month: 20_000, updated_at: '2026-11-21T10:00:00.000Z' },
    },
    errors: ['plan_not_found'],
    run:
      ({ db, newId }) =>
      async (request) => {
        const code = idOf(request, CODE);
        if (code === null) return refuse('plan_not_found');
        const { actor, body } = request;
        const changed = await updatePlan({ db, newId, actor }, code, (current) =>
          decide(kinds, current, body),
        );
        switch (changed.outcome) {
          case 'updated':
            return ok(presentPlan(changed.plan));
          case 'not_found':
            return refuse('plan_not_found');
          case 'refused':
            return invalid(changed.refusal);
        }
      },
  });

export const plansResource = (kinds: ChannelRegistry): AdminResource => ({
  tag: { name: 'Plans', description: 'Management: what tenants may use.' },
  schemas: planSchemas(kinds),
  operations: [createWith(kinds), list, get, updateWith(kinds)],
});
