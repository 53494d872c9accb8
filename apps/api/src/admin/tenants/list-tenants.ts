import { presentTenant, listTenants as readPage } from '@postrider/db';
import { ok } from '../../http/reply.ts';
import { formatCursor } from '../../paging/cursor.ts';
import { presentPage } from '../../paging/page.ts';
import { PAGING_PARAMETERS, parseQuery, positionOf } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';

/** GET /admin/v1/tenants: all tenants, newest first. */
export function listTenants({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/tenants',
    run: async ({ query }) => {
      const parsed = parseQuery(query, PAGING_PARAMETERS);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const page = await readPage(db, positionOf(parsed.values));
      return ok(presentPage(page, presentTenant, formatCursor));
    },
  });
}
