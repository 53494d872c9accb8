import { presentEnvironment } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';
import { environmentOf } from './environment-of.ts';

/** GET /admin/v1/environments/{environmentId}. */
export function getEnvironment({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId',
    run: async (request) => {
      const environment = await environmentOf(db, request);
      return environment ? ok(presentEnvironment(environment)) : refuse('environment_not_found');
    },
  });
}
