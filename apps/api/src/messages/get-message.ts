import { type Database, readInEnvironments, readMessage } from '@postrider/db';
import type { Operation } from '../http/protected-route.ts';
import { ok, refuse } from '../http/reply.ts';
import { READ } from '../pipeline/traits.ts';
import { messageIdOf } from './message-id.ts';
import { presentMessage } from './present.ts';

/** GET /api/v1/messages/{messageId}: the message record. */
export function getMessage({ db }: { db: Database }): Operation {
  return {
    method: 'GET',
    path: '/api/v1/messages/:messageId',
    traits: READ,
    run: async (request) => {
      const messageId = messageIdOf(request);
      const environmentId = request.snapshot.environment.id;
      const message =
        messageId &&
        (await readInEnvironments(db, [environmentId], (tx) =>
          readMessage(tx, { environmentId, messageId }),
        ));
      return message ? ok(presentMessage(message)) : refuse('message_not_found');
    },
  };
}
