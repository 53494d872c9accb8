import { type Database, readDeliveries, readInEnvironments } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { presentRun } from '../delivery-runs/present.ts';
import type { Operation } from '../http/protected-route.ts';
import { ok, refuse } from '../http/reply.ts';
import { READ } from '../pipeline/traits.ts';
import { messageIdOf } from './message-id.ts';

/** GET /api/v1/messages/{messageId}/deliveries: the message's runs with their attempts, oldest first. */
export function getDeliveries({ db }: { db: Database }): Operation {
  return {
    method: 'GET',
    path: '/api/v1/messages/:messageId/deliveries',
    traits: READ,
    run: async (request) => {
      const messageId = messageIdOf(request);
      const environmentId = request.snapshot.environment.id;
      const runs =
        messageId &&
        (await readInEnvironments(db, [environmentId], (tx) =>
          readDeliveries(tx, { environmentId, messageId }),
        ));
      if (!messageId || !runs) return refuse('message_not_found');
      return ok({ message_id: formatId('msg', messageId), delivery_runs: runs.map(presentRun) });
    },
  };
}
