import type { TenantInput } from '@postrider/db';
import { BILLING_STATUSES, type BillingStatus, parseTimestamp } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import type { Detail, Refusal } from '../../http/reply.ts';
import { id, oneOf, optionalTime, pageOf, record, type Schema, text, time } from '../../openapi/schema.ts';
import {
  compileBody,
  invalid,
  PLAN_CODE_PATTERN,
  type ValidateBody,
  withRules,
} from '../../validation/body.ts';
import { NAME_SCHEMA, patchSchema } from '../schemas.ts';

export interface TenantBody {
  readonly name: string;
  readonly plan: string;
  readonly billing_status?: BillingStatus;
  readonly grace_ends_at?: string | null;
}

/** Body of POST /admin/v1/tenants: docs/specification.md, "Tenants". */
export const TENANT_BODY_SCHEMA = {
  type: 'object',
  required: ['name', 'plan'],
  additionalProperties: false,
  properties: {
    name: NAME_SCHEMA,
    plan: { type: 'string', pattern: PLAN_CODE_PATTERN, description: 'The code of its plan.' },
    billing_status: {
      type: 'string',
      enum: [...BILLING_STATUSES],
      default: 'active',
      description:
        'Whether it may make deliveries: `suspended` may not, `past_due` only until `grace_ends_at`.',
    },
    grace_ends_at: {
      type: ['string', 'null'],
      format: 'date-time',
      default: null,
      description: 'Only with `past_due`: until when it may still make deliveries. Null gives no grace.',
    },
  },
} as const satisfies SchemaObject;

/** Body of PATCH /admin/v1/tenants/{tenantId}: a JSON Merge Patch. */
export const TENANT_PATCH_SCHEMA = patchSchema(TENANT_BODY_SCHEMA);

/** A grace that nothing looks at would come into force unseen when the status changes. */
function graceFaults({ billing_status: status, grace_ends_at: grace = null }: TenantBody): Detail[] {
  if (grace === null || status === 'past_due') return [];
  const message = 'must be left out unless billing_status is past_due';
  return [{ path: '/grace_ends_at', code: 'invalid_value', message }];
}

/** Judges a whole tenant: the body of a POST, or what a PATCH makes of one. */
export const validateTenant: ValidateBody<TenantBody> = withRules(
  compileBody<TenantBody>(TENANT_BODY_SCHEMA),
  [{ reads: ['/billing_status', '/grace_ends_at'], faultsOf: graceFaults }],
);

/** A valid body as the database takes it. */
export function toTenant(body: TenantBody): TenantInput {
  const grace = body.grace_ends_at ?? null;
  return {
    name: body.name,
    planCode: body.plan,
    billingStatus: body.billing_status ?? 'active',
    graceEndsAt: grace === null ? null : parseTimestamp(grace),
  };
}

/** The 422 for a plan that does not exist. */
export function unknownPlan(): Refusal {
  return invalid([{ path: '/plan', code: 'unknown_plan', message: 'is not the code of a plan' }]);
}

/** See docs/specification.md, "Tenants". */
export const TENANT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Tenant: record('A customer of the installation.', {
    id: id('ten', 'The tenant.'),
    name: text('For people.'),
    plan: text('The code of its plan.'),
    billing_status: oneOf(
      BILLING_STATUSES,
      '`suspended` may make no deliveries, `past_due` only until `grace_ends_at`.',
    ),
    grace_ends_at: optionalTime('Until when a tenant that is `past_due` may still make deliveries.'),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  }),
  TenantList: pageOf('Tenant', 'A page of tenants, newest first.'),
};
