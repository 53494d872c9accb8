import { EXAMPLE_IDEMPOTENCY_KEY, EXAMPLE_IDS } from './examples.ts';
import type { Parameter } from './operation-doc.ts';
import { id } from './schemas/common.ts';

export const REQUEST_ID: Parameter = {
  name: 'X-Request-ID',
  in: 'header',
  description:
    'Your own correlation id, echoed, logged, and kept with the message. Visible ASCII characters.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
};

/** @param required whether the operation refuses to work without it */
export function idempotencyKey(required: boolean): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'A UUID of your own for this one request. Sent again within 24 hours with the same body it gives the same answer ' +
      'and does nothing twice.',
    schema: { type: 'string', format: 'uuid' },
    ...(required ? { example: EXAMPLE_IDEMPOTENCY_KEY } : {}),
  };
}

export const MESSAGE_ID: Parameter = {
  name: 'messageId',
  in: 'path',
  required: true,
  description: 'The `message_id` of an accepted event.',
  schema: id('msg', 'A message.'),
  example: EXAMPLE_IDS.message,
};

export const DELIVERY_RUN_ID: Parameter = {
  name: 'deliveryRunId',
  in: 'path',
  required: true,
  description: 'The `id` of a delivery run.',
  schema: id('run', 'A delivery run.'),
  example: EXAMPLE_IDS.scheduledRun,
};
