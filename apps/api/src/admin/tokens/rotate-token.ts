import { presentToken, rotateToken as rotate } from '@postrider/db';
import { ok, type Reply, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { ROTATE_TOKEN_BODY_SCHEMA, type RotateTokenBody } from './schema.ts';

const DEFAULT_OVERLAP_SECONDS = ROTATE_TOKEN_BODY_SCHEMA.properties.overlap_seconds.default;

/** POST /admin/v1/tokens/{tokenId}/rotate: the only answer that has the new token itself. */
export function rotateToken({ db, newId }: AdminDeps): AdminOperation {
  return withBody<RotateTokenBody>({
    method: 'POST',
    path: '/admin/v1/tokens/:tokenId/rotate',
    body: 'optional',
    schema: ROTATE_TOKEN_BODY_SCHEMA,
    run: async (request): Promise<Reply> => {
      const tokenId = idOf(request, 'tok', 'tokenId');
      if (tokenId === null) return refuse('token_not_found');
      const { actor, body } = request;
      const { overlap_seconds: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
      const rotated = await rotate({ db, newId, actor }, { tokenId, overlapSeconds });
      switch (rotated.outcome) {
        case 'rotated':
          return ok({
            ...presentToken(rotated.token),
            token: rotated.secret,
            previous: presentToken(rotated.previous),
          });
        case 'not_found':
          return refuse('token_not_found');
        case 'revoked':
          return refuse('conflict', { message: 'The token is revoked: issue another one.' });
        case 'expired':
          return refuse('conflict', { message: 'The token has expired: issue another one.' });
        case 'replaced': {
          const { replaced_by: successor } = presentToken(rotated.token);
          return refuse('conflict', {
            message: `The token was rotated before, and ${successor} is in its place: rotate that one.`,
          });
        }
      }
    },
  });
}
