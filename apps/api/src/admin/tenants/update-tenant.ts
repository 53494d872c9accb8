import { updateTenant as change, presentTenant, presentTenantFields, type TenantInput } from '@postrider/db';
import type { JsonObject } from '@postrider/domain';
import { ok, type Reply, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { applyPatch } from '../patch.ts';
import { TENANT_PATCH_SCHEMA, toTenant, unknownPlan, validateTenant } from './schema.ts';

/** A patch that ends `past_due` ends its grace with it, unless it says something about that itself. */
function withoutIdleGrace(patch: JsonObject): JsonObject {
  const leaves = 'billing_status' in patch && patch.billing_status !== 'past_due';
  return leaves ? { grace_ends_at: null, ...patch } : patch;
}

/** What a patch makes of a tenant, or every fault of that. */
function decide(current: TenantInput, patch: JsonObject) {
  const result = applyPatch(presentTenantFields(current), withoutIdleGrace(patch), validateTenant);
  return 'body' in result
    ? ({ outcome: 'change', next: toTenant(result.body) } as const)
    : ({ outcome: 'refused', refusal: result.faults } as const);
}

/** PATCH /admin/v1/tenants/{tenantId}: holds for all its environments at once. */
export function updateTenant({ db, newId }: AdminDeps): AdminOperation {
  return withBody<JsonObject>({
    method: 'PATCH',
    path: '/admin/v1/tenants/:tenantId',
    schema: TENANT_PATCH_SCHEMA,
    run: async (request): Promise<Reply> => {
      const id = idOf(request, 'ten', 'tenantId');
      if (id === null) return refuse('tenant_not_found');
      const { actor, body } = request;
      const changed = await change({ db, newId, actor }, id, (current) => decide(current, body));
      switch (changed.outcome) {
        case 'updated':
          return ok(presentTenant(changed.tenant));
        case 'not_found':
          return refuse('tenant_not_found');
        case 'plan_not_found':
          return unknownPlan();
        case 'refused':
          return invalid(changed.refusal);
      }
    },
  });
}
