import { BILLING_STATUSES } from '@postrider/domain';
import { record, type Schema } from '../schema-object.ts';
import { id, oneOf, optionalTime, pageOf, text, time } from './common.ts';

/** Contract section 8. */
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
  Environment: record('An isolated world of a tenant, such as development or production.', {
    id: id('env', 'The environment.'),
    tenant_id: id('ten', 'Its tenant.'),
    name: text('A slug, unique within the tenant.'),
    created_at: time('When it was created.'),
  }),
  EnvironmentList: pageOf('Environment', 'A page of environments, newest first.'),
};
