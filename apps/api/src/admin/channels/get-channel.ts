import { presentChannel, readChannel } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withoutBody } from '../operation.ts';

/** GET /admin/v1/channels/{channelId}: without any secret. */
export function getChannel({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/channels/:channelId',
    run: async (request) => {
      const id = idOf(request, 'chn', 'channelId');
      const channel = id && (await readChannel(db, id));
      return channel ? ok(presentChannel(channel)) : refuse('channel_not_found');
    },
  });
}
