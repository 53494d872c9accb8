import { presentEventType, putEventType as store } from '@postrider/db';
import { MAX_PAYLOAD_SCHEMAS_BYTES, type PayloadSchemaFault } from '@postrider/domain';
import { type Detail, ok, type Reply, refuse } from '../../http/reply.ts';
import { invalid } from '../../validation/parse-body.ts';
import type { AdminDeps } from '../deps.ts';
import { type AdminOperation, idOf, withBody } from '../operation.ts';
import { eventKeyOf } from './event-key.ts';
import { EVENT_TYPE_BODY_SCHEMA, type EventTypeBody } from './schema.ts';

const toDetail = ({ path, message }: PayloadSchemaFault): Detail => ({
  path: `/payload_schema${path}`,
  code: 'invalid_schema',
  message,
});

const NO_EVENT_KEY: Detail = {
  path: '/event_key',
  code: 'invalid_format',
  message: 'in the path must be an event key, such as order.shipped',
};

/** PUT /admin/v1/environments/{environmentId}/event-types/{eventKey}: describes an event key, whole. */
export function putEventType({ db, newId }: AdminDeps): AdminOperation {
  return withBody<EventTypeBody>({
    method: 'PUT',
    path: '/admin/v1/environments/:environmentId/event-types/:eventKey',
    schema: EVENT_TYPE_BODY_SCHEMA,
    run: async (request): Promise<Reply> => {
      const { actor, body } = request;
      const environmentId = idOf(request, 'env', 'environmentId');
      if (environmentId === null) return refuse('environment_not_found');
      const eventKey = eventKeyOf(request);
      if (eventKey === null) return invalid([NO_EVENT_KEY]);
      const { description = null, payload_schema: payloadSchema = null } = body;
      const stored = await store(
        { db, newId, actor },
        { environmentId, eventKey, description, payloadSchema },
      );
      switch (stored.outcome) {
        case 'stored':
          return ok(presentEventType(stored.eventType));
        case 'environment_not_found':
          return refuse('environment_not_found');
        case 'too_many_schemas':
          return refuse('conflict', {
            message:
              'All payload schemas of an environment may have ' +
              `${MAX_PAYLOAD_SCHEMAS_BYTES} bytes together.`,
          });
        case 'invalid_schema':
          return invalid(stored.faults.map(toDetail));
      }
    },
  });
}
