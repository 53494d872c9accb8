import { presentErasure, listErasures as readPage } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import { formatCursor } from '../../paging/cursor.ts';
import { presentPage } from '../../paging/page.ts';
import { PAGING_PARAMETERS, parseQuery, positionOf } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { environmentOf } from '../environments/environment-of.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';

/** GET /admin/v1/environments/{environmentId}/erasures: the environment's erasures, newest first. */
export function listErasures({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId/erasures',
    run: async (request) => {
      const parsed = parseQuery(request.query, PAGING_PARAMETERS);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const environment = await environmentOf(db, request);
      if (!environment) return refuse('environment_not_found');
      const page = await readPage(db, { environmentId: environment.id, ...positionOf(parsed.values) });
      return ok(presentPage(page, presentErasure, formatCursor));
    },
  });
}
