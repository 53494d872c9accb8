import { presentChannel, rotateChannelSecret as rotate } from '@postrider/db';
import { formatTime } from '@postrider/domain';
import { ok, type Reply, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { ROTATE_SECRET_BODY_SCHEMA, type RotateSecretBody } from './schema.ts';

const DEFAULT_OVERLAP_SECONDS = ROTATE_SECRET_BODY_SCHEMA.properties.overlap_seconds.default;

/** POST /admin/v1/channels/{channelId}/rotate-secret: the only answer that has the new secret. */
export function rotateChannelSecret({ db, newId, secretBox }: AdminDeps): AdminOperation {
  return withBody<RotateSecretBody>({
    method: 'POST',
    path: '/admin/v1/channels/:channelId/rotate-secret',
    body: 'optional',
    schema: ROTATE_SECRET_BODY_SCHEMA,
    run: async (request): Promise<Reply> => {
      const channelId = idOf(request, 'chn', 'channelId');
      if (channelId === null) return refuse('channel_not_found');
      const { actor, body } = request;
      const { overlap_seconds: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
      const rotated = await rotate({ db, newId, secretBox, actor }, { channelId, overlapSeconds });
      switch (rotated.outcome) {
        case 'rotated':
          return ok({ ...presentChannel(rotated.channel), secret: rotated.secret });
        case 'not_found':
          return refuse('channel_not_found');
        case 'not_a_webhook':
          return refuse('conflict', { message: 'An email channel has no signing secret.' });
        case 'overlapping':
          return refuse('conflict', {
            message:
              `The secret before the last rotation still signs until ${formatTime(rotated.until)}. ` +
              'Wait until then, or rotate with overlap_seconds 0, which ends both at once.',
          });
      }
    },
  });
}
