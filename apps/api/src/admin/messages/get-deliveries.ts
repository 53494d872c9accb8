import { readDeliveries } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { presentRun } from '../../delivery-runs/present.ts';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';
import { messagePlaceOf } from './message-place.ts';

/**
 * GET /admin/v1/environments/{environmentId}/messages/{messageId}/deliveries: as the public API shows them.
 */
export function getEnvironmentDeliveries({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId/messages/:messageId/deliveries',
    run: async (request) => {
      const place = messagePlaceOf(request);
      const runs = place && (await readDeliveries(db, place));
      if (!place || !runs) return refuse('message_not_found');
      return ok({ message_id: formatId('msg', place.messageId), delivery_runs: runs.map(presentRun) });
    },
  });
}
