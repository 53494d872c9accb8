import { presentPlan, readPlan } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';
import { planCodeOf } from './plan-code.ts';

/** GET /admin/v1/plans/{code}. */
export function getPlan({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/plans/:code',
    run: async (request) => {
      const code = planCodeOf(request);
      const plan = code && (await readPlan(db, code));
      return plan ? ok(presentPlan(plan)) : refuse('plan_not_found');
    },
  });
}
