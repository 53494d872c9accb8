import { ENVIRONMENT_BODY_SCHEMA } from '../../admin/environments/schema.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc } from '../operation-doc.ts';
import { ENVIRONMENT_ID, PAGING, TENANT_ID } from '../parameters.ts';
import { ref } from '../schema-object.ts';

const ENVIRONMENT_EXAMPLE = {
  id: EXAMPLE_IDS.environment,
  tenant_id: EXAMPLE_IDS.tenant,
  name: 'production',
  created_at: '2026-11-21T09:00:00.000Z',
};

export const CREATE_ENVIRONMENT: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/tenants/{tenantId}/environments',
  operationId: 'createEnvironment',
  tag: 'Environments',
  summary: 'Create an environment',
  description:
    'An isolated world of the tenant. It shares the tenant’s quota with the others and has tokens, ' +
    'channels and templates of its own.',
  bodyUse: 'required',
  parameters: [TENANT_ID],
  body: {
    schema: ENVIRONMENT_BODY_SCHEMA,
    examples: { production: { summary: 'Production', value: { name: 'production' } } },
  },
  success: { status: 201, schema: ref('Environment'), example: ENVIRONMENT_EXAMPLE },
  errors: ['tenant_not_found', 'already_exists'],
};

export const LIST_ENVIRONMENTS: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/tenants/{tenantId}/environments',
  operationId: 'listEnvironments',
  tag: 'Environments',
  summary: 'List environments',
  description: 'The environments of a tenant, newest first.',
  bodyUse: 'ignored',
  parameters: [TENANT_ID, ...PAGING],
  success: {
    status: 200,
    schema: ref('EnvironmentList'),
    example: { data: [ENVIRONMENT_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['tenant_not_found', 'validation_failed'],
};

export const GET_ENVIRONMENT: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/environments/{environmentId}',
  operationId: 'getEnvironment',
  tag: 'Environments',
  summary: 'Read an environment',
  description: 'The environment and the tenant that it belongs to.',
  bodyUse: 'ignored',
  parameters: [ENVIRONMENT_ID],
  success: { status: 200, schema: ref('Environment'), example: ENVIRONMENT_EXAMPLE },
  errors: ['environment_not_found'],
};
