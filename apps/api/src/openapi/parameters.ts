import type { OwnedTable } from '@postrider/db';
import {
  CONSUMER_ID_PATTERN,
  type ErrorCode,
  type IdPrefix,
  isConsumerId,
  isEventKey,
  isStreamName,
  PLAN_CODE_PATTERN,
  parseId,
  STREAM_SCHEMA,
} from '@postrider/domain';
import { EVENT_BODY_SCHEMA } from '../events/schema.ts';
import { EXAMPLE_IDEMPOTENCY_KEY, exampleId } from './examples.ts';
import type { Parameter } from './operation.ts';
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
    'Why you are making this change, for the audit log: 1 to 500 printable characters in UTF-8, without an email ' +
    'address; 422 otherwise.',
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

/**
 * What a parameter of a path names, which says whether it is within a caller's bounds: a tenant, an environment, a row of a table
 * that belongs to an environment, a name within the environment of the same path, or something of the whole installation.
 */
type PathOwner = 'tenant' | 'environments' | OwnedTable | 'environment of the path' | 'installation';

interface PathFacts {
  readonly description: string;
  readonly schema: Schema;
  readonly example: string;
  /** Returns null for a text that cannot be a value of it. */
  readonly parse: (text: string) => string | null;
  readonly owner: PathOwner;
  /** The code of the 404 for an unknown value. */
  readonly notFound: ErrorCode;
}

type Resource<Code> = Code extends `${infer Name}_not_found` ? Name : never;

/** The public id of a resource, which is `what`, such as "a tenant". The parsed value is the UUID. */
const publicId = (
  resource: Resource<ErrorCode>,
  prefix: IdPrefix,
  what: string,
  owner: PathOwner,
): PathFacts => ({
  description: `The \`id\` of ${what}.`,
  schema: id(prefix, sentence(what)),
  example: exampleId(prefix),
  owner,
  notFound: `${resource}_not_found`,
  parse: (text) => parseId(prefix, text),
});

/** A name that callers choose. */
const chosenName = (isValid: (text: string) => boolean, facts: Omit<PathFacts, 'parse'>): PathFacts => ({
  ...facts,
  parse: (text) => (isValid(text) ? text : null),
});

const CODE = new RegExp(PLAN_CODE_PATTERN);
/** Whether a text can be the code of a plan or a role. Others are not sent to the database, which refuses some (NUL). */
export const isCode = (text: string) => CODE.test(text);

const PATH_FACTS = {
  tenantId: publicId('tenant', 'ten', 'a tenant', 'tenant'),
  environmentId: publicId('environment', 'env', 'an environment', 'environments'),
  tokenId: publicId('token', 'tok', 'a token', 'tokens'),
  channelId: publicId('channel', 'chn', 'a channel', 'channels'),
  templateId: publicId('template', 'tpl', 'a version', 'template_versions'),
  layoutId: publicId('layout', 'lay', 'a version', 'template_parts'),
  partialId: publicId('partial', 'prt', 'a version', 'template_parts'),
  translationId: publicId('translation', 'trn', 'a version', 'template_parts'),
  replayId: publicId('replay_batch', 'rpb', 'a bulk replay', 'replay_batches'),
  erasureId: publicId('erasure', 'era', 'an erasure', 'erasures'),
  suppressionId: publicId('suppression', 'sup', 'a suppression', 'suppressions'),
  messageId: publicId('message', 'msg', 'a message', 'environment of the path'),
  deliveryRunId: publicId('delivery_run', 'run', 'a delivery run', 'environment of the path'),
  eventKey: chosenName(isEventKey, {
    description: 'An event key.',
    schema: EVENT_BODY_SCHEMA.properties.event_key,
    example: 'order.shipped',
    owner: 'environment of the path',
    notFound: 'event_type_not_found',
  }),
  consumer: chosenName(isConsumerId, {
    description: 'Your own id for the consumer.',
    schema: { type: 'string', pattern: CONSUMER_ID_PATTERN },
    example: 'org_42',
    owner: 'environment of the path',
    notFound: 'consumer_not_found',
  }),
  stream: chosenName(isStreamName, {
    description: 'A paused stream.',
    schema: STREAM_SCHEMA,
    example: 'newsletter',
    owner: 'environment of the path',
    notFound: 'stream_not_found',
  }),
  code: chosenName(isCode, {
    description: 'The plan’s code.',
    schema: { type: 'string' },
    example: 'starter',
    owner: 'installation',
    notFound: 'plan_not_found',
  }),
  operatorId: publicId('operator', 'opr', 'an operator', 'installation'),
  operatorTokenId: publicId('operator_token', 'otk', 'a token of an operator or a machine', 'installation'),
  roleCode: chosenName(isCode, {
    description: 'The role’s code.',
    schema: { type: 'string' },
    example: 'on-call',
    owner: 'installation',
    notFound: 'role_not_found',
  }),
  consoleSessionId: publicId('console_session', 'ses', 'a session', 'installation'),
} as const satisfies Readonly<Record<string, PathFacts>>;

/** The names of parameters of paths. */
export type PathName = keyof typeof PATH_FACTS;

/** A parameter of a path. */
export type PathParameter = Parameter & PathFacts & { readonly name: PathName; readonly in: 'path' };

/** The parameters of paths, by name. */
export const PATH_PARAMETERS = Object.fromEntries(
  Object.entries(PATH_FACTS).map(([name, facts]) => [name, { name, in: 'path', required: true, ...facts }]),
) as unknown as Readonly<Record<PathName, PathParameter>>;

/** The parameters that a path names, in its order. Throws for a name without a line in `PATH_FACTS`. */
export function parametersOfPath(path: string): readonly PathParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const parameter = PATH_PARAMETERS[name as PathName];
    if (!parameter) throw new Error(`The path ${path} has an unknown parameter.`);
    return parameter;
  });
}
