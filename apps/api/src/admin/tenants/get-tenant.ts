import { presentTenant, readTenant } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/** GET /admin/v1/tenants/{tenantId}. */
export function getTenant({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/tenants/:tenantId',
    run: async (request) => {
      const id = idOf(request, 'ten', 'tenantId');
      const tenant = id && (await readTenant(db, id));
      return tenant ? ok(presentTenant(tenant)) : refuse('tenant_not_found');
    },
  });
}
