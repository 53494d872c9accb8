import { presentEventType, readEventType } from '@postrider/db';
import { ok, refuse } from '../../http/reply.ts';
import type { AdminDeps } from '../deps.ts';
import { environmentOf } from '../environments/environment-of.ts';
import { type AdminOperation, withoutBody } from '../operation.ts';
import { eventKeyOf } from './event-key.ts';

/** GET /admin/v1/environments/{environmentId}/event-types/{eventKey}. */
export function getEventType({ db }: AdminDeps): AdminOperation {
  return withoutBody({
    method: 'GET',
    path: '/admin/v1/environments/:environmentId/event-types/:eventKey',
    run: async (request) => {
      const environment = await environmentOf(db, request);
      if (!environment) return refuse('environment_not_found');
      const eventKey = eventKeyOf(request);
      const eventType = eventKey && (await readEventType(db, { environmentId: environment.id, eventKey }));
      return eventType ? ok(presentEventType(eventType)) : refuse('event_type_not_found');
    },
  });
}
