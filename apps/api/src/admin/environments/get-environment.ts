import { presentEnvironment, readEnvironment } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/** GET /admin/v1/environments/{environmentId}. */
export function getEnvironment({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId',
    run: async (request) => {
      const id = idOf(request, 'env', 'environmentId');
      const environment = id && (await readEnvironment(db, id));
      return environment ? ok(presentEnvironment(environment)) : refuse('environment_not_found');
    },
  });
}
