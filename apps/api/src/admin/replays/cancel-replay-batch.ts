import { cancelReplayBatch as cancel, presentReplayBatch } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/** POST /admin/v1/replays/{replayId}/cancel: lets no further page follow the one that is being made. */
export function cancelReplayBatch({ db, newId }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'POST',
    path: '/admin/v1/replays/:replayId/cancel',
    run: async (request) => {
      const id = idOf(request, 'rpb', 'replayId');
      if (id === null) return refuse('replay_batch_not_found');
      const cancelled = await cancel({ db, newId, actor: request.actor }, id);
      switch (cancelled.outcome) {
        case 'cancelled':
          return ok(presentReplayBatch(cancelled.batch));
        case 'ended':
          return refuse('conflict', { message: `The bulk replay is ${cancelled.batch.status}.` });
        case 'not_found':
          return refuse('replay_batch_not_found');
      }
    },
  });
}
