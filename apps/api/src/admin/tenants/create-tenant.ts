import { presentTenant, createTenant as store } from '@postrider/db';
import { created } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withBody } from '../operation.ts';
import { TENANT_BODY_SCHEMA, toTenant, unknownPlan, validateTenant } from './schema.ts';

/** POST /admin/v1/tenants: a new tenant, still without an environment. */
export function createTenant({ db, newId }: AdminDeps): AdminOperation {
  return withBody({
    method: 'POST',
    path: '/admin/v1/tenants',
    schema: TENANT_BODY_SCHEMA,
    validate: validateTenant,
    run: async ({ actor, body }) => {
      const stored = await store({ db, newId, actor }, toTenant(body));
      return stored.outcome === 'created' ? created(presentTenant(stored.tenant)) : unknownPlan();
    },
  });
}
