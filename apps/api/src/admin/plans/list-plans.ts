import { presentPlan, listPlans as readPage } from '@postrider/db';
import { ok } from '../../http/reply.ts';
import { formatTextCursor } from '../../paging/cursor.ts';
import { presentPage } from '../../paging/page.ts';
import { PAGING_PARAMETERS, parseQuery, positionOf, textCursor } from '../../paging/query.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';
import { isPlanCode } from './plan-code.ts';

const QUERY = { ...PAGING_PARAMETERS, cursor: textCursor(isPlanCode) };

/** GET /admin/v1/plans: all plans, by their code. */
export function listPlans({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/plans',
    run: async ({ query }) => {
      const parsed = parseQuery(query, QUERY);
      if (parsed.outcome === 'invalid') return invalid(parsed.faults);
      const page = await readPage(db, positionOf(parsed.values));
      return ok(presentPage(page, presentPlan, formatTextCursor));
    },
  });
}
