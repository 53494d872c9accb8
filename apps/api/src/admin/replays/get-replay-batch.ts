import { presentReplayBatch, readReplayBatch } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/** GET /admin/v1/replays/{replayId}: a bulk replay and how far it has come. */
export function getReplayBatch({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/replays/:replayId',
    run: async (request) => {
      const id = idOf(request, 'rpb', 'replayId');
      const batch = id && (await readReplayBatch(db, id));
      return batch ? ok(presentReplayBatch(batch)) : refuse('replay_batch_not_found');
    },
  });
}
