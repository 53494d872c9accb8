import { updatePlan as change, type Plan, presentPlan, presentPlanFields } from '@postrider/db';
import type { JsonObject } from '@postrider/domain';
import { ok, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withBody } from '../operation.ts';
import { applyPatch } from '../patch.ts';
import { planCodeOf } from './plan-code.ts';
import { PLAN_PATCH_SCHEMA, toPlan, validatePlan } from './schema.ts';

/** What a patch makes of a plan, or every fault of that. */
function decide(current: Plan, patch: JsonObject) {
  const result = applyPatch(presentPlanFields(current), patch, validatePlan);
  return 'body' in result
    ? ({ outcome: 'change', next: toPlan(result.body) } as const)
    : ({ outcome: 'refused', refusal: result.faults } as const);
}

/** PATCH /admin/v1/plans/{code}: holds for its tenants at once, whatever they have used already. */
export function updatePlan({ db, newId }: AdminDeps): AdminOperation {
  return withBody<JsonObject>({
    method: 'PATCH',
    path: '/admin/v1/plans/:code',
    schema: PLAN_PATCH_SCHEMA,
    run: async (request) => {
      const code = planCodeOf(request);
      if (code === null) return refuse('plan_not_found');
      const { actor, body } = request;
      const changed = await change({ db, newId, actor }, code, (current) => decide(current, body));
      switch (changed.outcome) {
        case 'updated':
          return ok(presentPlan(changed.plan));
        case 'not_found':
          return refuse('plan_not_found');
        case 'refused':
          return invalid(changed.refusal);
      }
    },
  });
}
