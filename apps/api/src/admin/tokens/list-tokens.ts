import { presentToken, listTokens as readPage } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import { formatCursor } from '../../paging/cursor.ts';
import { presentPage } from '../../paging/page.ts';
import { PAGING_PARAMETERS, parseQuery, positionOf } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/**
 * GET /admin/v1/environments/{environmentId}/tokens: the environment's tokens, newest first, without their
 * secrets.
 */
export function listTokens({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId/tokens',
    run: async (request) => {
      const parsed = parseQuery(request.query, PAGING_PARAMETERS);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const environmentId = idOf(request, 'env', 'environmentId');
      const page = environmentId && (await readPage(db, { environmentId, ...positionOf(parsed.values) }));
      return page ? ok(presentPage(page, presentToken, formatCursor)) : refuse('environment_not_found');
    },
  });
}
