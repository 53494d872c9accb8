import {
  createTenant,
  listTenants,
  presentTenant,
  presentTenantFields,
  readTenant,
  type TenantInput,
  type TenantRecord,
  updateTenant,
} from '@postrider/db';
import type { JsonObject } from '@postrider/domain';
import { created, ok, type Reply, refuse } from '../../http/reply.ts';
import { EXAMPLE_IDS } from '../../openapi/examples.ts';
import { TENANT_ID } from '../../openapi/parameters.ts';
import { ref } from '../../openapi/schema.ts';
import { invalid } from '../../validation/body.ts';
import { type AdminResource, getOne, idOf, listPage, type Named, withBody } from '../operation.ts';
import { applyPatch } from '../schemas.ts';
import {
  TENANT_BODY_SCHEMA,
  TENANT_PATCH_SCHEMA,
  TENANT_SCHEMAS,
  toTenant,
  unknownPlan,
  validateTenant,
} from './schema.ts';

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

/** How paths name it. */
export const TENANT: Named<TenantRecord> = {
  parameter: TENANT_ID,
  read: readTenant,
  notFound: 'tenant_not_found',
};

/** POST /admin/v1/tenants: a new tenant, still without an environment. */
const create = withBody({
  method: 'post',
  path: '/admin/v1/tenants',
  operationId: 'createTenant',
  summary: 'Create a tenant',
  description: 'A customer of the installation, on a plan that exists. It has no environment yet.',
  parameters: [],
  body: {
    schema: TENANT_BODY_SCHEMA,
    validate: validateTenant,
    examples: {
      active: { summary: 'In good standing', value: { name: TENANT_EXAMPLE.name, plan: 'starter' } },
    },
  },
  success: { status: 201, schema: ref('Tenant'), example: TENANT_EXAMPLE },
  errors: [],
  run:
    ({ db, newId }) =>
    async ({ actor, body }) => {
      const stored = await createTenant({ db, newId, actor }, toTenant(body));
      return stored.outcome === 'created' ? created(presentTenant(stored.tenant)) : unknownPlan();
    },
});

const list = listPage({
  path: '/admin/v1/tenants',
  operationId: 'listTenants',
  summary: 'List tenants',
  description: 'All tenants, newest first.',
  read: listTenants,
  present: presentTenant,
  schema: ref('TenantList'),
  example: TENANT_EXAMPLE,
});

const get = getOne({
  path: '/admin/v1/tenants/{tenantId}',
  operationId: 'getTenant',
  summary: 'Read a tenant',
  description: 'The tenant as it is now.',
  of: TENANT,
  present: presentTenant,
  schema: ref('Tenant'),
  example: TENANT_EXAMPLE,
});

/** A patch that ends `past_due` ends its grace with it, unless it says something about that itself. */
function withoutIdleGrace(patch: JsonObject): JsonObject {
  const leaves = 'billing_status' in patch && patch.billing_status !== 'past_due';
  return leaves ? { grace_ends_at: null, ...patch } : patch;
}

/** What a patch makes of a tenant, or every fault of that. */
function decide(current: TenantInput, patch: JsonObject) {
  const result = applyPatch(presentTenantFields(current), withoutIdleGrace(patch), validateTenant);
  return 'body' in result
    ? ({ outcome: 'change', next: toTenant(result.body) } as const)
    : ({ outcome: 'refused', refusal: result.faults } as const);
}

/** PATCH /admin/v1/tenants/{tenantId}: holds for all its environments at once. */
const update = withBody<JsonObject>({
  method: 'patch',
  path: '/admin/v1/tenants/{tenantId}',
  operationId: 'updateTenant',
  summary: 'Change a tenant',
  description:
    'Another plan or billing status holds for all its environments within 5 seconds. What is used this ' +
    'month stays used. A change of `billing_status` to something else than `past_due` ends the grace.',
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
  run:
    ({ db, newId }) =>
    async (request): Promise<Reply> => {
      const id = idOf(request, TENANT_ID);
      if (id === null) return refuse('tenant_not_found');
      const { actor, body } = request;
      const changed = await updateTenant({ db, newId, actor }, id, (current) => decide(current, body));
      switch (changed.outcome) {
        case 'updated':
          return ok(presentTenant(changed.tenant));
        case 'not_found':
          return refuse('tenant_not_found');
        case 'plan_not_found':
          return unknownPlan();
        case 'refused':
          return invalid(changed.refusal);
      }
    },
});

export const TENANTS: AdminResource = {
  tag: { name: 'Tenants', description: 'Management: the customers of the installation.' },
  schemas: TENANT_SCHEMAS,
  operations: [create, list, get, update],
};
