import { createErasure as create, presentErasure } from '@postrider/db';
import { created, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { environmentOf } from '../environments/environment-of.ts';
import { type AdminOperation, withBody } from '../operation.ts';
import { ERASURE_BODY_SCHEMA, type ErasureBody } from './schema.ts';

/** POST /admin/v1/environments/{environmentId}/erasures: erases one recipient's data in the background. */
export function createErasure({ db, newId }: AdminDeps): AdminOperation {
  return withBody<ErasureBody>({
    method: 'POST',
    path: '/admin/v1/environments/:environmentId/erasures',
    schema: ERASURE_BODY_SCHEMA,
    run: async (request) => {
      const environment = await environmentOf(db, request);
      if (!environment) return refuse('environment_not_found');
      const { actor, body } = request;
      const input = {
        tenantId: environment.tenantId,
        environmentId: environment.id,
        recipientEmail: body.email,
      };
      return created(presentErasure(await create({ db, newId, actor }, input)));
    },
  });
}
