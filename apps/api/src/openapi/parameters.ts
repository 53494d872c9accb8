import { CONSUMER_ID_PATTERN, type IdPrefix, isConsumerId, parseId } from '@postrider/domain';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../paging/query.ts';
import { EXAMPLE_IDEMPOTENCY_KEY, EXAMPLE_IDS } from './examples.ts';
import type { Parameter, PathParameter } from './operation.ts';
import type { PathName } from './path-owners.ts';
import { id, type Schema } from './schema.ts';

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
    'Your name in the audit log: 1 to 128 visible ASCII characters. `admin` if left out or ' +
    'invalid; 422 for names that the service uses itself (`worker`, `seed`).',
  schema: { type: 'string' },
};

export const REASON: Parameter = {
  name: 'X-Reason',
  in: 'header',
  description:
    'Why you change this, for the audit log: 1 to 500 printable characters in UTF-8, without an email address; 422 ' +
    'otherwise.',
  schema: { type: 'string', minLength: 1, maxLength: 500 },
};

/** A UUID, bare or quoted, or the longest other key that an environment can allow. */
const KEY = { type: 'string', minLength: 1, maxLength: 512 } as const;

/** @param required whether the operation requires the key */
export function idempotencyKey(required: boolean): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'Your own UUID for this request, bare or in double quotes, or any visible ASCII characters if the ' +
      'environment accepts them. Sending it again within 24 hours with the same body returns the same response ' +
      `and does nothing twice.${required ? '' : ' An empty one is ignored.'}`,
    schema: required ? KEY : { type: 'string', maxLength: KEY.maxLength },
    ...(required ? { example: EXAMPLE_IDEMPOTENCY_KEY } : {}),
  };
}

const sentence = (what: string) => `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;

/** The public id of a resource in the path; `what` names it, such as "a tenant". The parsed value is the UUID. */
export function pathId(name: PathName, prefix: IdPrefix, what: string, example: string): PathParameter {
  return {
    name,
    in: 'path',
    required: true,
    description: `The \`id\` of ${what}.`,
    schema: id(prefix, sentence(what)),
    example,
    parse: (text) => parseId(prefix, text),
  };
}

export const MESSAGE_ID = pathId('messageId', 'msg', 'a message', EXAMPLE_IDS.message);

export const DELIVERY_RUN_ID = pathId('deliveryRunId', 'run', 'a delivery run', EXAMPLE_IDS.scheduledRun);

export const TENANT_ID = pathId('tenantId', 'ten', 'a tenant', EXAMPLE_IDS.tenant);

export const ENVIRONMENT_ID = pathId('environmentId', 'env', 'an environment', EXAMPLE_IDS.environment);

export const CHANNEL_ID = pathId('channelId', 'chn', 'a channel', EXAMPLE_IDS.webhookChannel);

/** Your own id of a consumer. */
export const CONSUMER_ID: PathParameter = {
  name: 'consumer',
  in: 'path',
  required: true,
  description: 'Your own id of a consumer.',
  schema: { type: 'string', pattern: CONSUMER_ID_PATTERN },
  example: 'org_42',
  parse: (text) => (isConsumerId(text) ? text : null),
};

/** An optional query parameter. */
export function filter(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

/** Base64url. The empty text is not a cursor: the first page has no parameter. */
const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$';

export const CURSOR: Parameter = filter(
  'cursor',
  'The `next_cursor` of the previous page, with the same filters.',
  { type: 'string', pattern: CURSOR_PATTERN },
);

/** The paging parameters of a list with this default and maximum page size. */
export const paging = ({
  entries,
  defaultLimit,
}: {
  readonly entries: string;
  readonly defaultLimit: number;
}): readonly Parameter[] => [
  filter('limit', entries, { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: defaultLimit }),
  CURSOR,
];

/** The paging parameters of all other lists. */
export const PAGING = paging({ entries: 'Entries on a page.', defaultLimit: DEFAULT_LIMIT });
