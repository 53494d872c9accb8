import { readMessage } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import { presentMessage } from '../../messages/present.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';
import { messagePlaceOf } from './message-place.ts';

/** GET /admin/v1/environments/{environmentId}/messages/{messageId}: the record as the public API shows it. */
export function getEnvironmentMessage({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId/messages/:messageId',
    run: async (request) => {
      const place = messagePlaceOf(request);
      const message = place && (await readMessage(db, place));
      return message ? ok(presentMessage(message)) : refuse('message_not_found');
    },
  });
}
