import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, Plan, QueryOf } from '../types.ts';
import { type AdminCalls, once } from './calls.ts';

const PLANS = '/admin/v1/plans';
const PLAN = '/admin/v1/plans/{code}';

/** What tenants may use. A figure that is null is unlimited. */
export function plansOf({ http, perform }: AdminCalls) {
  return {
    ...pagedList<QueryOf<'listPlans'>, Plan>((query, options) =>
      perform((init) => http.GET(PLANS, { ...init, params: { query } }), options),
    ),
    get: (code: string, options?: CallOptions) =>
      perform((init) => http.GET(PLAN, { ...init, params: { path: { code } } }), options),
    create: (body: BodyOf<'createPlan'>, options?: CallOptions) =>
      perform((init) => http.POST(PLANS, { ...init, body }), once(options)),
    update: (code: string, body: BodyOf<'updatePlan'>, options?: CallOptions) =>
      perform((init) => http.PATCH(PLAN, { ...init, params: { path: { code } }, body }), options),
  };
}
