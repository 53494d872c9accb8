import { presentToken, issueToken as store } from '@postrider/db';
import { parseTimestamp } from '@postrider/domain';
import { created, type Reply, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { TOKEN_BODY_SCHEMA, type TokenBody } from './schema.ts';

/** POST /admin/v1/environments/{environmentId}/tokens: the only answer that has the token itself. */
export function issueToken({ db, newId }: AdminDeps): AdminOperation {
  return withBody<TokenBody>({
    method: 'POST',
    path: '/admin/v1/environments/:environmentId/tokens',
    schema: TOKEN_BODY_SCHEMA,
    run: async (request): Promise<Reply> => {
      const environmentId = idOf(request, 'env', 'environmentId');
      if (environmentId === null) return refuse('environment_not_found');
      const { actor, body } = request;
      const expiresAt = body.expires_at ? parseTimestamp(body.expires_at) : null;
      const issued = await store({ db, newId, actor }, { environmentId, name: body.name, expiresAt });
      switch (issued.outcome) {
        case 'issued':
          return created({ ...presentToken(issued.token), token: issued.secret });
        case 'environment_not_found':
          return refuse('environment_not_found');
        case 'expires_in_past':
          return invalid([{ path: '/expires_at', code: 'invalid_value', message: 'must be in the future' }]);
      }
    },
  });
}
