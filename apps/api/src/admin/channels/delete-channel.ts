import { deleteChannel as remove } from '@postrider/db';
import { noContent, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/**
 * DELETE /admin/v1/channels/{channelId}: its waiting runs end as `failed`, with an attempt
 * `channel_disabled`.
 */
export function deleteChannel({ db, newId }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'DELETE',
    path: '/admin/v1/channels/:channelId',
    run: async (request) => {
      const id = idOf(request, 'chn', 'channelId');
      const removed = id && (await remove({ db, newId, actor: request.actor }, id));
      return removed && removed.outcome === 'deleted' ? noContent() : refuse('channel_not_found');
    },
  });
}
