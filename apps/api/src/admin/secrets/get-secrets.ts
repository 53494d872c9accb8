import { readSecretKeys } from '@postrider/db';
import { ok } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';
import { presentSecretKeys } from './present.ts';

/** GET /admin/v1/secrets: how many stored secrets there are under each key, and whose key is missing. */
export function getSecrets({ db, secretBox }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/secrets',
    run: async () => ok({ keys: presentSecretKeys(await readSecretKeys(db, secretBox)) }),
  });
}
