import { revokeToken as revoke } from '@postrider/db';
import { noContent, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/**
 * DELETE /admin/v1/tokens/{tokenId}: refused everywhere within 5 s. A token that is revoked already stays so.
 */
export function revokeToken({ db, newId }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'DELETE',
    path: '/admin/v1/tokens/:tokenId',
    run: async (request) => {
      const id = idOf(request, 'tok', 'tokenId');
      if (id === null) return refuse('token_not_found');
      const { outcome } = await revoke({ db, newId, actor: request.actor }, id);
      return outcome === 'revoked' ? noContent() : refuse('token_not_found');
    },
  });
}
