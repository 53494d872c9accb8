import { presentEnvironment, listEnvironments as readPage } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import { formatCursor } from '../../paging/cursor.ts';
import { presentPage } from '../../paging/page.ts';
import { PAGING_PARAMETERS, parseQuery, positionOf } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/** GET /admin/v1/tenants/{tenantId}/environments: the tenant's environments, newest first. */
export function listEnvironments({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/tenants/:tenantId/environments',
    run: async (request) => {
      const parsed = parseQuery(request.query, PAGING_PARAMETERS);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const tenantId = idOf(request, 'ten', 'tenantId');
      const page = tenantId && (await readPage(db, { tenantId, ...positionOf(parsed.values) }));
      return page ? ok(presentPage(page, presentEnvironment, formatCursor)) : refuse('tenant_not_found');
    },
  });
}
