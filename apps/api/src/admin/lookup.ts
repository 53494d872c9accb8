import {
  findByLookup,
  findByName,
  findIdsByEnd,
  LOOKUP_TYPES,
  type Lookup,
  type LookupResult,
  MAX_ENDS,
  NAMED_TYPES,
  type NamedResource,
} from '@postrider/db';
import {
  endOfUuid,
  formatId,
  type JsonObject,
  MESSAGE_STATUSES,
  parseId,
  presentFields,
  type Scope,
  toBareAddress,
} from '@postrider/domain';
import { seesContent } from '../access/access.ts';
import { requireSearch } from '../access/content.ts';
import { MEMORY } from '../http/memory.ts';
import { ACCEPTED_AT, EVENT_EXAMPLES, EXAMPLE_IDS } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import * as json from '../openapi/schema.ts';
import { searchedBackTo, textThat } from '../paging/query.ts';
import { ENVIRONMENT_FIELDS } from './attention.ts';
import { ENVIRONMENT } from './environments.ts';
import { SUPPORT_TAG } from './messages.ts';
import { type AdminDeps, type AdminRequest, type AdminResource, adminOperation } from './operation.ts';

const TRACE_ID = /^[0-9a-f]{32}$/;
/** The form of request ids, and of ids of mail servers. */
const ONE_WORD = /^[\x21-\x7e]+$/;

const LOOKUP_SCHEMAS: json.Schemas = {
  LookupResult: json.record('A result of a lookup, and where it is.', {
    type: json.oneOf(LOOKUP_TYPES, 'The kind of the result.'),
    ...ENVIRONMENT_FIELDS,
    message_id: json.nullable(json.id('msg', 'The message.')),
    delivery_run_id: json.nullable(
      json.id('run', 'The delivery run, if the search was for a run or an attempt.'),
    ),
    attempt_number: json.nullable(json.ordinal('The attempt, if the search was for one.')),
    created_at: json.time('When the message was accepted.'),
    event_key: json.text('Of the message.'),
    recipient_email: json.nullable(json.text('Of the message.')),
    status: json.oneOf(MESSAGE_STATUSES, 'Of the message.'),
    channel: json.nullable(json.ref('Channel')),
    match: json.nullable(
      json.text('The business id that was found, with its path, such as `/order_id = A-7731`.'),
    ),
  }),
  NamedResource: json.record('A resource with a matching name.', {
    type: json.oneOf(NAMED_TYPES, 'What it is.'),
    id: json.text('Its id; for a consumer, your own.'),
    name: json.text('Its name; for a template, its event key.'),
    detail: json.nullable(json.text('The kind of a channel or template.')),
    ...ENVIRONMENT_FIELDS,
    environment_id: json.nullable(json.id('env', 'The environment; null for a tenant.')),
    environment_name: json.nullable(json.text('The name of the environment.')),
  }),
  Lookup: json.record('The results of a lookup.', {
    results: json.list(json.ref('LookupResult'), 'Newest first, at most 50.'),
    resources: json.list(json.ref('NamedResource'), 'At most ten of each type.'),
    recipient: json.nullable(
      json.titled(
        'Messages of an address',
        json.record('For an address: how many of its messages failed, of those in `results`.', {
          messages: json.count('Messages.'),
          failed: json.count('Those that failed, or reached only some channels.'),
          is_lower_bound: json.flag('Whether there are more messages.'),
        }),
      ),
    ),
    has_more: json.flag('Whether there are more. If so, search the environment.'),
    searched_back_to: json.optionalTime(
      'How far back a search by the end of an id has looked without a result.',
    ),
  }),
};

const RESULT_EXAMPLE = {
  tenant_name: 'Acme',
  environment_name: 'production',
  message_id: EXAMPLE_IDS.message,
  created_at: ACCEPTED_AT,
  event_key: EVENT_EXAMPLES.immediate.value.event_key,
  recipient_email: 'ada@example.com',
  status: 'delivered',
  channel: { id: EXAMPLE_IDS.webhookChannel, kind: 'webhook', name: 'warehouse' },
};

function present({ runId, channel, key, ...of }: LookupResult): JsonObject {
  return {
    ...presentFields(of, ['type', 'tenantId', 'tenantName', 'environmentId', 'environmentName']),
    message_id: formatId('msg', of.messageId),
    delivery_run_id: runId && formatId('run', runId),
    ...presentFields(of, ['attemptNumber', 'createdAt', 'eventKey', 'recipientEmail', 'status']),
    channel: channel && { ...channel, id: formatId('chn', channel.id) },
    match: key && `${key.name} = ${key.value}`,
  };
}

const ID_PREFIX = {
  channel: 'chn',
  template: 'tpl',
  environment: 'env',
  tenant: 'ten',
  consumer: null,
} as const;

function presentResource({ id, ...of }: NamedResource): JsonObject {
  const prefix = ID_PREFIX[of.type];
  return {
    type: of.type,
    id: prefix === null ? id : formatId(prefix, id),
    ...presentFields(of, ['name', 'detail', 'tenantId', 'tenantName', 'environmentId', 'environmentName']),
  };
}

const MAIL_RUN = /\brun_[0-9a-z]{26}\b/;

/** What a text can identify, in search order. `sees`: whether the caller sees content, which includes business ids. */
function lookupsOf(q: string, sees: boolean): Lookup[] {
  for (const [prefix, type] of [
    ['msg', 'message'],
    ['run', 'delivery_run'],
    ['att', 'attempt'],
  ] as const) {
    const uuid = parseId(prefix, q);
    if (uuid !== null) return [{ type, id: uuid }];
  }
  // The Message-ID of a mail: before addresses, because it has their form.
  const runId = parseId('run', MAIL_RUN.exec(q)?.[0] ?? '');
  if (runId !== null) return [{ type: 'delivery_run', id: runId }];
  const address = toBareAddress(q);
  if (address !== null) return [{ type: 'recipient', text: address }];
  return [
    ...(TRACE_ID.test(q) ? [{ type: 'trace', text: q } as const] : []),
    ...(sees ? [{ type: 'business_id', text: q } as const] : []),
    ...(ONE_WORD.test(q) ? (['request', 'mail_id'] as const).map((type) => ({ type, text: q })) : []),
  ];
}

/** Texts of these types are not names. */
const NAMELESS: ReadonlySet<string | undefined> = new Set([
  'message',
  'delivery_run',
  'attempt',
  'recipient',
]);

const FAILED: ReadonlySet<string> = new Set(['failed', 'partially_delivered']);

/** The name of a scope for each type of named resource. */
const SCOPE_OF: Readonly<Record<(typeof NAMED_TYPES)[number], Scope>> = {
  channel: 'channels:read',
  template: 'templates:read',
  consumer: 'consumers:read',
  environment: 'tenants:read',
  tenant: 'tenants:read',
};

/** Finds what a text names, in one environment or in all that the caller sees. */
async function findText(db: AdminDeps['db'], request: AdminRequest, q: string, environmentId: string | null) {
  const { isOutsider, scopes } = request;
  const bounds = environmentId === null ? request.bounds : { tenantIds: [], environmentIds: [environmentId] };
  const lookups = lookupsOf(q, seesContent(request));
  const isAddress = lookups.some(({ type }) => type === 'recipient');
  requireSearch(request, isAddress);
  const types = NAMED_TYPES.filter(
    (type) =>
      scopes.has(SCOPE_OF[type]) && (environmentId === null || !['tenant', 'environment'].includes(type)),
  );
  const resources = NAMELESS.has(lookups[0]?.type)
    ? []
    : await findByName(db, { text: q, types, bounds, withOperational: !isOutsider });
  let found: Awaited<ReturnType<typeof findByLookup>> = { results: [], hasMore: false };
  let searchedTo: string | null = null;
  for (const lookup of lookups) {
    found = await findByLookup(db, lookup, bounds);
    if (found.results.length > 0) break;
  }
  const end = environmentId === null || NAMELESS.has(lookups[0]?.type) ? null : endOfUuid(q.toLowerCase());
  // The most expensive search: only if nothing else was found.
  if (end !== null && environmentId !== null && found.results.length + resources.length === 0) {
    const { ids, oldest } = await findIdsByEnd(db, environmentId, end);
    found = await findByLookup(db, { type: 'id_end', ids, environmentId }, bounds);
    if (ids.length === 0) searchedTo = oldest;
  }
  const { results, hasMore } = found;
  const failed = results.filter(({ status }) => FAILED.has(status)).length;
  return {
    results: results.map(present),
    resources: resources.map(presentResource),
    recipient: isAddress ? { messages: results.length, failed, is_lower_bound: hasMore } : null,
    has_more: hasMore,
    searched_back_to: searchedBackTo(searchedTo),
  };
}

const MAX_LENGTH = 320;
const isText = (text: string) => text.length > 0 && text.length <= MAX_LENGTH && !/\p{Cc}/u.test(text);

const QUERY = {
  q: {
    ...textThat((text) => isText(text.trim()), `must be 1 to ${MAX_LENGTH} characters on one line`),
    description: 'An id, an address, a business id, or the beginning of one or of a name.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH },
    required: true,
    example: EXAMPLE_IDS.message,
  },
} as const;

const ABOUT =
  'Finds messages by a message, delivery run, attempt, request or trace id, by the Message-ID of a mail, the id ' +
  'that its provider or mail server gave it, a business id (`search_keys` of the event type; also its beginning; ' +
  'with `messages:content`), or the email address of a recipient (with `messages:content`); and channels, ' +
  'templates and consumers by the beginning of their names, as far as the scopes of the caller allow. ';

const lookUp = adminOperation({
  path: '/admin/v1/lookup',
  operationId: 'findByText',
  scope: 'messages:read',
  filtersByBounds: true,
  memory: MEMORY.rows,
  summary: 'Look up an id, an address or a name',
  description: `${ABOUT}Searches all environments. A text that matches nothing has no results.`,
  query: QUERY,
  success: returns('Lookup', { results: [RESULT_EXAMPLE] }),
  run: (request, { db }) => findText(db, request, request.values.q.trim(), null),
});

const lookUpInEnvironment = adminOperation({
  path: '/admin/v1/environments/{environmentId}/lookup',
  operationId: 'searchEnvironment',
  forTokens: 'reads',
  scope: 'messages:read',
  memory: MEMORY.rows,
  summary: 'Look up an id, an address or a name in an environment',
  description:
    `${ABOUT}Also messages by the last six or more characters of their id, among the newest ${MAX_ENDS.toLocaleString('en')}: ` +
    '`searched_back_to` is the time of the oldest of these if nothing was found.',
  query: QUERY,
  of: ENVIRONMENT,
  success: returns('Lookup', { results: [RESULT_EXAMPLE] }),
  run: (request, { db }) => findText(db, request, request.values.q.trim(), request.found.id),
});

export const LOOKUP: AdminResource = {
  tag: SUPPORT_TAG,
  schemas: LOOKUP_SCHEMAS,
  operations: [lookUp, lookUpInEnvironment],
};
