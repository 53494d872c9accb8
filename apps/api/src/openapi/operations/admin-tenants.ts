import { TENANT_BODY_SCHEMA, TENANT_PATCH_SCHEMA } from '../../admin/tenants/schema.ts';
import { EXAMPLE_IDS } from '../examples.ts';
import type { AdminOperationDoc } from '../operation-doc.ts';
import { PAGING, TENANT_ID } from '../parameters.ts';
import { ref } from '../schema-object.ts';

const TENANT_EXAMPLE = {
  id: EXAMPLE_IDS.tenant,
  name: 'Analytical Engines Ltd',
  plan: 'starter',
  billing_status: 'active',
  grace_ends_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

const PAST_DUE = { billing_status: 'past_due', grace_ends_at: '2026-12-15T00:00:00.000Z' };

export const CREATE_TENANT: AdminOperationDoc = {
  method: 'post',
  path: '/admin/v1/tenants',
  operationId: 'createTenant',
  tag: 'Tenants',
  summary: 'Create a tenant',
  description: 'A customer of the installation, on a plan that exists. It has no environment yet.',
  bodyUse: 'required',
  parameters: [],
  body: {
    schema: TENANT_BODY_SCHEMA,
    examples: {
      active: { summary: 'In good standing', value: { name: TENANT_EXAMPLE.name, plan: 'starter' } },
    },
  },
  success: { status: 201, schema: ref('Tenant'), example: TENANT_EXAMPLE },
  errors: [],
};

export const LIST_TENANTS: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/tenants',
  operationId: 'listTenants',
  tag: 'Tenants',
  summary: 'List tenants',
  description: 'All tenants, newest first.',
  bodyUse: 'ignored',
  parameters: PAGING,
  success: {
    status: 200,
    schema: ref('TenantList'),
    example: { data: [TENANT_EXAMPLE], has_more: false, next_cursor: null },
  },
  errors: ['validation_failed'],
};

export const GET_TENANT: AdminOperationDoc = {
  method: 'get',
  path: '/admin/v1/tenants/{tenantId}',
  operationId: 'getTenant',
  tag: 'Tenants',
  summary: 'Read a tenant',
  description: 'The tenant as it is now.',
  bodyUse: 'ignored',
  parameters: [TENANT_ID],
  success: { status: 200, schema: ref('Tenant'), example: TENANT_EXAMPLE },
  errors: ['tenant_not_found'],
};

export const UPDATE_TENANT: AdminOperationDoc = {
  method: 'patch',
  path: '/admin/v1/tenants/{tenantId}',
  operationId: 'updateTenant',
  tag: 'Tenants',
  summary: 'Change a tenant',
  description:
    'Another plan or billing status holds for all its environments within 5 seconds. What is used this ' +
    'month stays used. A change of `billing_status` to something else than `past_due` ends the grace.',
  bodyUse: 'required',
  parameters: [TENANT_ID],
  body: {
    schema: TENANT_PATCH_SCHEMA,
    examples: {
      plan: { summary: 'Another plan', value: { plan: 'pro' } },
      pastDue: { summary: 'Past due, with grace', value: PAST_DUE },
    },
  },
  success: {
    status: 200,
    schema: ref('Tenant'),
    example: { ...TENANT_EXAMPLE, ...PAST_DUE, updated_at: '2026-11-21T10:00:00.000Z' },
  },
  errors: ['tenant_not_found'],
};
