import { FIELDS_PATTERN } from '../messages/present.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../paging/query.ts';
import { EXAMPLE_IDEMPOTENCY_KEY, EXAMPLE_IDS } from './examples.ts';
import type { Parameter } from './operation-doc.ts';
import type { Schema } from './schema-object.ts';
import { id } from './schemas/common.ts';

export const REQUEST_ID: Parameter = {
  name: 'X-Request-ID',
  in: 'header',
  description:
    'Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any ' +
    'other value is ignored.',
  schema: { type: 'string' },
};

export const ACTOR: Parameter = {
  name: 'X-Actor',
  in: 'header',
  description:
    'Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; ' +
    '422 for the name of a part of the service (`worker`, `seed`).',
  schema: { type: 'string' },
};

const UUID = { type: 'string', format: 'uuid' } as const;

/** @param required whether the operation refuses to work without it */
export function idempotencyKey(required: boolean): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'A UUID of your own for this one request. Sent again within 24 hours with the same body it gives the same answer ' +
      `and does nothing twice.${required ? '' : ' An empty one counts as none.'}`,
    schema: required ? UUID : { type: 'string', anyOf: [UUID, { maxLength: 0 }] },
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

export const TENANT_ID: Parameter = {
  name: 'tenantId',
  in: 'path',
  required: true,
  description: 'The `id` of a tenant.',
  schema: id('ten', 'A tenant.'),
  example: EXAMPLE_IDS.tenant,
};

export const ENVIRONMENT_ID: Parameter = {
  name: 'environmentId',
  in: 'path',
  required: true,
  description: 'The `id` of an environment.',
  schema: id('env', 'An environment.'),
  example: EXAMPLE_IDS.environment,
};

export const CHANNEL_ID: Parameter = {
  name: 'channelId',
  in: 'path',
  required: true,
  description: 'The `id` of a channel.',
  schema: id('chn', 'A channel.'),
  example: EXAMPLE_IDS.webhookChannel,
};

/** A query parameter that may be left out. */
export function filter(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

/** Which fields of each message a list shows. */
export const MESSAGE_FIELDS_FILTER = filter(
  'fields',
  'The fields of each message, separated by commas; all of them when left out. Without `payload` and `recipient` pages ' +
    'are small and are read faster.',
  { type: 'string', pattern: FIELDS_PATTERN, examples: ['id,status,created_at'] },
);

/** Base64url; the empty text is no cursor: the first page is that without the parameter. */
const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$';

/** The parameters of every list. */
export const PAGING: readonly Parameter[] = [
  filter('limit', 'Entries on a page.', {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  filter('cursor', 'The `next_cursor` of the page before, with the same filters.', {
    type: 'string',
    pattern: CURSOR_PATTERN,
  }),
];
