import { changeTenant, createTenant, listTenants, lockTenant, readTenant } from '@postrider/db';
import {
  BILLING_STATUSES,
  type JsonObject,
  parseTimestamp,
  presentTenant,
  presentTenantFields,
  type TenantInput,
  type TenantRecord,
} from '@postrider/domain';
import { created, type Detail, refuse } from '../http/reply.ts';
import { type BodyOf, closedObject } from '../openapi/body-of.ts';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { id, oneOf, optionalTime, pageOf, record, type Schema, text, time } from '../openapi/schema.ts';
import { compileBody, invalid, PLAN_CODE_PATTERN, type ValidateBody, withRules } from '../validation/body.ts';
import type { AdminResource, Named } from './operation.ts';
import { resourceOf } from './resource.ts';
import { NAME_SCHEMA, patchSchema } from './schemas.ts';

/** Body of POST /admin/v1/tenants. */
const TENANT_BODY_SCHEMA = closedObject(['name', 'plan'], {
  name: NAME_SCHEMA,
  plan: { type: 'string', pattern: PLAN_CODE_PATTERN, description: 'The code of its plan.' },
  billing_status: {
    type: 'string',
    enum: [...BILLING_STATUSES],
    default: 'active',
    description:
      'Whether it may send: `suspended` tenants may not, `past_due` ones only until `grace_ends_at`.',
  },
  grace_ends_at: {
    type: ['string', 'null'],
    format: 'date-time',
    default: null,
    description: 'Only with `past_due`: until when it may still send. Null gives no grace period.',
  },
});

type TenantBody = BodyOf<typeof TENANT_BODY_SCHEMA>;

/** Body of PATCH /admin/v1/tenants/{tenantId}: a JSON Merge Patch. */
const TENANT_PATCH_SCHEMA = patchSchema(TENANT_BODY_SCHEMA);

/** A grace period without effect would apply unnoticed when the status changes later. */
function graceIssues({ billing_status: status, grace_ends_at: grace = null }: TenantBody): Detail[] {
  if (grace === null || status === 'past_due') return [];
  const message = 'must be left out unless billing_status is past_due';
  return [{ path: '/grace_ends_at', code: 'invalid_value', message }];
}

/** Validates a whole tenant: the body of a POST, or the result of a PATCH. */
const validateTenant: ValidateBody<TenantBody> = withRules(compileBody<TenantBody>(TENANT_BODY_SCHEMA), [
  { reads: ['/billing_status', '/grace_ends_at'], issuesOf: graceIssues },
]);

/** Converts a valid body. */
function toTenant(body: TenantBody): TenantInput {
  const grace = body.grace_ends_at ?? null;
  return {
    name: body.name,
    planCode: body.plan,
    billingStatus: body.billing_status ?? 'active',
    graceEndsAt: grace === null ? null : parseTimestamp(grace),
  };
}

/** Whether a change concerns what the tenant pays and may send. */
const isBilled = (current: TenantInput, next: TenantInput) =>
  current.planCode !== next.planCode ||
  current.billingStatus !== next.billingStatus ||
  current.graceEndsAt?.getTime() !== next.graceEndsAt?.getTime();

const NOT_ITS_OWN_BILLING = refuse('forbidden', {
  message: 'Plan, billing status and grace period are changed by operators of the whole installation.',
});

const UNKNOWN_PLAN = invalid([{ path: '/plan', code: 'unknown_plan', message: 'is not the code of a plan' }]);

const TENANT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Tenant: record('A customer of the installation.', {
    id: id('ten', 'The tenant.'),
    name: text('A display name.'),
    plan: text('The code of its plan.'),
    billing_status: oneOf(
      BILLING_STATUSES,
      '`suspended` tenants may not send, `past_due` ones only until `grace_ends_at`.',
    ),
    grace_ends_at: optionalTime('Until when a `past_due` tenant may still send.'),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  }),
  TenantList: pageOf('Tenant', 'A page of tenants, newest first.'),
};

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

/** How paths identify a tenant. */
export const TENANT: Named<TenantRecord> = { name: 'tenantId', read: readTenant };

const RESOURCE = resourceOf({
  name: 'Tenant',
  all: '/admin/v1/tenants',
  one: '/admin/v1/tenants/{tenantId}',
  scopes: ['tenants:read', 'tenants:admin'],
  present: presentTenant,
  example: TENANT_EXAMPLE,
});

/** A patch that ends `past_due` also ends its grace period, unless the patch sets that itself. */
function withoutIdleGrace(patch: JsonObject): JsonObject {
  const leaves = 'billing_status' in patch && patch.billing_status !== 'past_due';
  return leaves ? { grace_ends_at: null, ...patch } : patch;
}

export const TENANTS: AdminResource = {
  tag: { name: 'Tenants', description: 'Management: the customers of the installation.' },
  schemas: TENANT_SCHEMAS,
  operations: [
    RESOURCE.create({
      description: 'A customer of the installation, with an existing plan. It has no environments yet.',
      body: {
        schema: TENANT_BODY_SCHEMA,
        validate: validateTenant,
        examples: {
          active: { summary: 'In good standing', value: { name: TENANT_EXAMPLE.name, plan: 'starter' } },
        },
      },
      run: async ({ body }, deps) => {
        const stored = await createTenant(deps, toTenant(body));
        return stored.outcome === 'created' ? created(presentTenant(stored.tenant)) : UNKNOWN_PLAN;
      },
    }),
    RESOURCE.list({ filtersByBounds: true, description: 'All tenants, newest first.', read: listTenants }),
    RESOURCE.get({ description: 'The current tenant.', of: TENANT }),
    // Applies to all of its environments at once.
    RESOURCE.update({
      description:
        'Another plan or billing status applies to all its environments within 5 seconds. The usage ' +
        'of the month is not reset. Changing `billing_status` to anything but `past_due` ends the ' +
        'grace period.',
      body: {
        schema: TENANT_PATCH_SCHEMA,
        examples: {
          plan: { summary: 'Another plan', value: { plan: 'pro' } },
          pastDue: { summary: 'Past due, with grace', value: PAST_DUE },
        },
      },
      changed: { ...PAST_DUE, updated_at: '2026-11-21T10:00:00.000Z' },
      lock: lockTenant,
      fields: presentTenantFields,
      adjust: withoutIdleGrace,
      validate: validateTenant,
      async change(tx, { current, body, access }, deps) {
        const next = toTenant(body);
        if (access.bounds !== null && isBilled(current, next)) return NOT_ITS_OWN_BILLING;
        const changed = await changeTenant(tx, deps, current, next);
        return changed.outcome === 'changed' ? changed.tenant : UNKNOWN_PLAN;
      },
    }),
  ],
};
