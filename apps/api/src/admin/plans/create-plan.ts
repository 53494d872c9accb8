import { presentPlan, createPlan as store } from '@postrider/db';
import { alreadyExists, created } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withBody } from '../operation.ts';
import { PLAN_BODY_SCHEMA, toPlan, validatePlan } from './schema.ts';

/** POST /admin/v1/plans: a new plan; its code is taken for ever. */
export function createPlan({ db, newId }: AdminDeps): AdminOperation {
  return withBody({
    method: 'POST',
    path: '/admin/v1/plans',
    schema: PLAN_BODY_SCHEMA,
    validate: validatePlan,
    run: async ({ actor, body }) => {
      const stored = await store({ db, newId, actor }, toPlan(body));
      return stored.outcome === 'created' ? created(presentPlan(stored.plan)) : alreadyExists('/code');
    },
  });
}
