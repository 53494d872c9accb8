import type { AdminDeps } from './deps.ts';
import type { AdminOperation } from './operation.ts';
import { createPlan } from './plans/create-plan.ts';
import { getPlan } from './plans/get-plan.ts';
import { listPlans } from './plans/list-plans.ts';
import { updatePlan } from './plans/update-plan.ts';

/** Every operation of the management API, in the order of its page: contract section 8. */
export function createAdminOperations(deps: AdminDeps): readonly AdminOperation[] {
  return [createPlan, listPlans, getPlan, updatePlan].map((create) => create(deps));
}
