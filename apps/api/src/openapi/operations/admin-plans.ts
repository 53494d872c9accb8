import { PLAN_BODY_SCHEMA, PLAN_PATCH_SCHEMA } from '../../admin/plans/schema.ts';
import type { AdminOperationDoc, Parameter } from '../operation-doc.ts';
import { PAGING } from '../parameters.ts';
import { ref } from '../schema-object.ts';

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

const CODE: Parameter = {
  name: 'code',
  in: 'path',
  required: true,
  description: 'The plan’s code.',
  schema: { type: 'string' },
  example: BODY_EXAMPLE.code,
};

export const CREATE_PLAN: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/plans',
  operationId: 'createPlan',
  tag: 'Plans',
  summary: 'Create a plan',
  description: 'A figure that is null or left out is unlimited. A rate has both its figures or none.',
  bodyUse: 'required',
  parameters: [],
  body: {
    schema: PLAN_BODY_SCHEMA,
    examples: {
      limited: { summary: 'With limits', value: BODY_EXAMPLE },
      unlimited: { summary: 'Without', value: { code: 'unlimited', name: 'Unlimited' } },
    },
  },
  success: { status: 201, schema: ref('Plan'), example: PLAN_EXAMPLE },
  errors: ['already_exists'],
};

export const LIST_PLANS: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/plans',
  operationId: 'listPlans',
  tag: 'Plans',
  summary: 'List plans',
  description: 'All plans, by their code.',
  bodyUse: 'ignored',
  parameters: PAGING,
  success: {
    status: 200,
    schema: ref('PlanList'),
    example: { data: [PLAN_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['validation_failed'],
};

export const GET_PLAN: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/plans/{code}',
  operationId: 'getPlan',
  tag: 'Plans',
  summary: 'Read a plan',
  description: 'The plan as it is now.',
  bodyUse: 'ignored',
  parameters: [CODE],
  success: { status: 200, schema: ref('Plan'), example: PLAN_EXAMPLE },
  errors: ['plan_not_found'],
};

export const UPDATE_PLAN: AdminOperationDoc = {
  method: 'patch',
  path: '/admin/v1/plans/{code}',
  operationId: 'updatePlan',
  tag: 'Plans',
  summary: 'Change a plan',
  description:
    'Holds for all its tenants within 5 seconds. A quota below what is used already refuses events until ' +
    'the next month. Null removes a limit. The code cannot be changed.',
  bodyUse: 'required',
  parameters: [CODE],
  body: {
    schema: PLAN_PATCH_SCHEMA,
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
};
