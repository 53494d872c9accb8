import { presentEventTypeSummary, listEventTypes as readPage } from '@postrider/db';
import { isEventKey } from '@postrider/domain';
import { ok, refuse } from '../../http/reply.ts';
import { formatTextCursor } from '../../paging/cursor.ts';
import { presentPage } from '../../paging/page.ts';
import { PAGING_PARAMETERS, parseQuery, positionOf, textCursor } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { environmentOf } from '../environments/environment-of.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';

const QUERY = { ...PAGING_PARAMETERS, cursor: textCursor(isEventKey) };

/** GET /admin/v1/environments/{environmentId}/event-types: by their keys, without their schemas. */
export function listEventTypes({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId/event-types',
    run: async (request) => {
      const parsed = parseQuery(request.query, QUERY);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const environment = await environmentOf(db, request);
      if (!environment) return refuse('environment_not_found');
      const page = await readPage(db, { environmentId: environment.id, ...positionOf(parsed.values) });
      return ok(presentPage(page, presentEventTypeSummary, formatTextCursor));
    },
  });
}
