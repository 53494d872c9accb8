import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import { ACCEPTED_EXAMPLE, EVENT_EXAMPLES } from '../examples.ts';
import type { PublicOperationDoc } from '../operation-doc.ts';
import { ref } from '../schema-object.ts';

export const CREATE_EVENT: PublicOperationDoc = {
  method: 'post',
  path: '/api/v1/events',
  operationId: 'createEvent',
  tag: 'Events',
  summary: 'Send an event',
  description:
    'Accepts one event and creates a message with one delivery run for each enabled channel that takes it. ' +
    'The answer means that the event is stored and will be delivered at least once; it does not wait for ' +
    'the delivery. Counts 1 against the quota.',
  traits: {
    idempotency: { operation: 'events.create', key: 'required' },
    body: 'required',
    createsDeliveries: true,
  },
  parameters: [],
  body: { schema: EVENT_BODY_SCHEMA, examples: EVENT_EXAMPLES },
  success: { status: 201, schema: ref('Accepted'), example: ACCEPTED_EXAMPLE },
  errors: [],
};
