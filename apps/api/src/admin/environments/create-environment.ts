import { presentEnvironment, createEnvironment as store } from '@postrider/db';
import { alreadyExists, created, type Reply, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { ENVIRONMENT_BODY_SCHEMA, type EnvironmentBody } from './schema.ts';

/** POST /admin/v1/tenants/{tenantId}/environments: an environment, still without token and channel. */
export function createEnvironment({ db, newId }: AdminDeps): AdminOperation {
  return withBody<EnvironmentBody>({
    method: 'POST',
    path: '/admin/v1/tenants/:tenantId/environments',
    schema: ENVIRONMENT_BODY_SCHEMA,
    run: async (request): Promise<Reply> => {
      const tenantId = idOf(request, 'ten', 'tenantId');
      if (tenantId === null) return refuse('tenant_not_found');
      const { actor, body } = request;
      const stored = await store({ db, newId, actor }, { tenantId, name: body.name });
      switch (stored.outcome) {
        case 'created':
          return created(presentEnvironment(stored.environment));
        case 'tenant_not_found':
          return refuse('tenant_not_found');
        case 'already_exists':
          return alreadyExists('/name');
      }
    },
  });
}
