import { readSecretKeys, reencryptSecrets as reencrypt } from '@postrider/db';
import { ok } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withBody } from '../operation.ts';
import { presentSecretKeys } from './present.ts';
import { REENCRYPT_BODY_SCHEMA, type ReencryptBody } from './schema.ts';

const DEFAULT_LIMIT = REENCRYPT_BODY_SCHEMA.properties.limit.default;

/**
 * POST /admin/v1/secrets/reencrypt: brings secrets under the current key, so that an older one can be
 * dropped.
 */
export function reencryptSecrets({ db, newId, secretBox }: AdminDeps): AdminOperation {
  return withBody<ReencryptBody>({
    method: 'POST',
    path: '/admin/v1/secrets/reencrypt',
    body: 'optional',
    schema: REENCRYPT_BODY_SCHEMA,
    run: async ({ actor, body: { limit = DEFAULT_LIMIT } }) => {
      const { reencrypted, hasMore } = await reencrypt({ db, newId, secretBox, actor }, { limit });
      const keys = presentSecretKeys(await readSecretKeys(db, secretBox));
      return ok({ reencrypted, has_more: hasMore, keys });
    },
  });
}
