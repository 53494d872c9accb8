import {
  changeTenant,
  createTenant,
  listTenants,
  lockTenant,
  readTenant,
  readUsageMonths,
} from '@postrider/db';
import {
  BILLING_STATUSES,
  type Detail,
  invalidValue,
  type JsonObject,
  PLAN_CODE_PATTERN,
  parseTimestamp,
  presentTenant,
  presentTenantFields,
  refuse,
  reject,
  TENANT_FIELDS,
  type TenantInput,
  type TenantRecord,
} from '@postrider/domain';
import { EXAMPLE_IDS } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { described, type Parameter } from '../paging/query.ts';
import { compileBody, type ValidateBody, withRules } from '../validation/body.ts';
import { type AdminResource, adminOperation, type Named } from './operation.ts';
import { NAME_SCHEMA, patchSchema } from './schemas.ts';
import { standardOperationsOf } from './standard-operations.ts';

/** Body of POST /admin/v1/tenants. */
const TENANT_BODY_SCHEMA = json.closedObject(['name', 'plan'], {
  name: NAME_SCHEMA,
  plan: { type: 'string', pattern: PLAN_CODE_PATTERN, description: 'The code of its plan.' },
  billing_status: {
    type: 'string',
    enum: [...BILLING_STATUSES],
    default: 'active',
    description:
      'Whether it may send: `suspended` tenants may not, `past_due` ones only until `grace_ends_at`.',
  },
  grace_ends_at: json.timeOrNull(
    'Only with `past_due`: until when it may still send. Null gives no grace period.',
  ),
});

type TenantBody = json.BodyOf<typeof TENANT_BODY_SCHEMA>;

/** Body of PATCH /admin/v1/tenants/{tenantId}: a JSON Merge Patch. */
const TENANT_PATCH_SCHEMA = patchSchema(TENANT_BODY_SCHEMA);

/** A grace period without effect would apply unnoticed when the status changes later. */
function graceIssues({ billing_status: status, grace_ends_at: grace = null }: TenantBody): Detail[] {
  if (grace === null || status === 'past_due') return [];
  const message = 'must be left out unless billing_status is past_due';
  return [invalidValue('/grace_ends_at', message)];
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

const TENANT_SCHEMAS: json.Schemas = {
  Tenant: json.record('A customer of the installation.', TENANT_FIELDS),
  TenantList: json.pageOf('Tenant', 'A page of tenants, newest first.'),
};

export const TENANT_EXAMPLE = {
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

const STANDARD = standardOperationsOf({
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
    STANDARD.create({
      description: 'A customer of the installation, with an existing plan. It has no environments yet.',
      body: {
        schema: TENANT_BODY_SCHEMA,
        validate: validateTenant,
        examples: {
          active: { summary: 'In good standing', value: { name: TENANT_EXAMPLE.name, plan: 'starter' } },
        },
      },
      run: async ({ body }, deps) => presentTenant(await createTenant(deps, toTenant(body))),
    }),
    STANDARD.list({ filtersByBounds: true, description: 'All tenants, newest first.', read: listTenants }),
    STANDARD.get({ description: 'The current tenant.', of: TENANT }),
    // Applies to all of its environments at once.
    STANDARD.update({
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
        if (access.bounds !== null && isBilled(current, next)) reject(NOT_ITS_OWN_BILLING);
        return changeTenant(tx, deps, current, next);
      },
    }),
  ],
};

const DEFAULT_MONTHS = 12;
const MAX_MONTHS = 120;

const USAGE_SCHEMAS: json.Schemas = {
  UsageMonth: json.record('The usage of a tenant in a calendar month.', {
    period_start: { type: 'string', format: 'date', description: 'The first day of the month, UTC.' },
    events_used: json.count('Events that were accepted.'),
    events_limit: json.limit('The monthly limit of the current plan. Earlier plans are not stored.'),
  }),
  UsageHistory: json.record('The usage of a tenant by month.', {
    items: json.list(json.ref('UsageMonth'), 'Newest first, including months without events.'),
  }),
};

const MONTHS: Parameter<number> = {
  parse: (text) => (/^\d{1,3}$/.test(text) && +text >= 1 && +text <= MAX_MONTHS ? +text : null),
  code: 'invalid_value',
  message: `must be a whole number from 1 to ${MAX_MONTHS}`,
};

const usage = adminOperation({
  path: '/admin/v1/tenants/{tenantId}/usage',
  operationId: 'getTenantUsage',
  scope: 'usage:read',
  summary: 'Read the usage of a tenant',
  description: 'The events of each calendar month, the current one first.',
  query: {
    months: described('The number of months.', MONTHS, {
      type: 'integer',
      minimum: 1,
      maximum: MAX_MONTHS,
      default: DEFAULT_MONTHS,
    }),
  },
  success: returns('UsageHistory', {
    items: [{ period_start: '2026-11-01', events_used: 7_312, events_limit: 10_000 }],
  }),
  run: async (request, { db }) => {
    const { months = DEFAULT_MONTHS } = request.values;
    const used = await readUsageMonths(db, request.ids.tenantId, months);
    if (!used) reject('tenant_not_found');
    const items = used.months.map(({ periodStart, eventsUsed }) => ({
      period_start: periodStart.toISOString().slice(0, 10),
      events_used: eventsUsed,
      events_limit: used.limit,
    }));
    return { items };
  },
});

export const USAGE: AdminResource = { tag: TENANTS.tag, schemas: USAGE_SCHEMAS, operations: [usage] };
