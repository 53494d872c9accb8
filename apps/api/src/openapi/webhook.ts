import { SEQUENCE_WEBHOOK_HEADER, TEST_WEBHOOK_HEADER } from '@postrider/channels';
import { WEBHOOK_EXAMPLE } from './examples.ts';
import { id, openObject, record, type Schema, text, time } from './schema.ts';

const BODY: Schema = record('The body of a webhook channel without a template.', {
  type: text('The event key.'),
  timestamp: time('When the event was accepted.'),
  data: record('What is delivered.', {
    message_id: id('msg', 'The message.'),
    delivery_run_id: id('run', 'The delivery run; equals `webhook-id`.'),
    recipient: openObject('As it was sent.'),
    payload: openObject('As it was sent.'),
  }),
});

function signed(name: string, description: string, schema: Schema) {
  return { name, in: 'header', required: true, description, schema };
}

/** The request that a webhook endpoint receives (docs/specification.md, "Webhooks"). */
export const DELIVERY_WEBHOOK = {
  post: {
    operationId: 'webhookDelivery',
    tags: ['Webhooks'],
    summary: 'The request to your endpoint',
    description:
      'Signed according to Standard Webhooks 1.0: verify it with any of its libraries and the ' +
      'channel’s `whsec_…` secret, over the received bytes. Delivery is at least once: drop ' +
      'requests with a `webhook-id` that you have already processed.',
    security: [],
    parameters: [
      signed('webhook-id', 'The delivery run, the same on every attempt.', id('run', 'The delivery run.')),
      signed('webhook-timestamp', 'When this attempt was signed, in seconds since 1970.', {
        type: 'string',
        pattern: '^\\d+$',
      }),
      signed('webhook-signature', 'One signature, or two while the secret is being rotated.', {
        type: 'string',
        pattern: '^v1,\\S+( v1,\\S+)*$',
      }),
      {
        name: TEST_WEBHOOK_HEADER,
        in: 'header',
        required: false,
        description: 'Present on test sends of an operator, without a real event.',
        schema: { type: 'string', const: 'true' },
      },
      {
        name: SEQUENCE_WEBHOOK_HEADER,
        in: 'header',
        required: false,
        description:
          'On channels with `ordering: "key"`: the number of the run within its `ordering_key`, from ' +
          '1 without gaps.',
        schema: { type: 'string', pattern: '^[1-9]\\d*$' },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: BODY, example: WEBHOOK_EXAMPLE } },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      '410': {
        description:
          'The endpoint is gone: the channel is paused, or disabled if its `failure_policy` says so, ' +
          'unless it was changed meanwhile.',
      },
      '429': {
        description: 'Retried; `Retry-After` is honoured up to the longest delay of the channel.',
      },
      '503': { description: 'As 429.' },
      default: {
        description:
          'Retried after the delays of the channel. Redirects are not followed and count as failures.',
      },
    },
  },
};
