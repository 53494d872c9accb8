import { findByLookup, LOOKUP_TYPES, type Lookup, type LookupResult } from '@postrider/db';
import { formatId, formatTime, type JsonObject, parseId, toBareAddress } from '@postrider/domain';
import { refuseSearch } from '../access/mask.ts';
import { MEMORY } from '../http/memory.ts';
import { ok } from '../http/reply.ts';
import { ACCEPTED_AT, EVENT_EXAMPLES, EXAMPLE_IDS } from '../openapi/examples.ts';
import { filter } from '../openapi/parameters.ts';
import { id, list, nullable, oneOf, record, ref, type Schema, text, time } from '../openapi/schema.ts';
import { parseQuery } from '../paging/query.ts';
import { invalid } from '../validation/body.ts';
import { SUPPORT_TAG } from './messages.ts';
import { type AdminResource, withoutBody } from './operation.ts';

const TRACE_ID = /^[0-9a-f]{32}$/;
/** The form of request ids and email addresses. */
const SEARCHABLE = /^[\x21-\x7e]{1,320}$/;

const LOOKUP_SCHEMAS: Readonly<Record<string, Schema>> = {
  LookupResult: record('A result of a lookup, and where it is.', {
    type: oneOf(LOOKUP_TYPES, 'The kind of the result.'),
    tenant_id: id('ten', 'The tenant.'),
    tenant_name: text('The name of the tenant.'),
    environment_id: id('env', 'The environment.'),
    environment_name: text('The name of the environment.'),
    message_id: nullable(id('msg', 'The message.')),
    delivery_run_id: nullable(id('run', 'The delivery run, if the search was for a run or an attempt.')),
    attempt_number: nullable({
      type: 'integer',
      minimum: 1,
      description: 'The attempt, if the search was for one.',
    }),
    created_at: time('When the message was accepted.'),
    event_key: text('Of the message.'),
    recipient_email: nullable(text('Of the message.')),
  }),
  Lookup: record('The results of a lookup.', {
    results: list(ref('LookupResult'), 'Newest first, at most 50.'),
    has_more: { type: 'boolean', description: 'Whether there are more: then search the environment.' },
  }),
};

const RESULT_EXAMPLE = {
  type: 'message',
  tenant_id: EXAMPLE_IDS.tenant,
  tenant_name: 'Acme',
  environment_id: EXAMPLE_IDS.environment,
  environment_name: 'production',
  message_id: EXAMPLE_IDS.message,
  delivery_run_id: null,
  attempt_number: null,
  created_at: ACCEPTED_AT,
  event_key: EVENT_EXAMPLES.immediate.value.event_key,
  recipient_email: 'ada@example.com',
};

function present(result: LookupResult): JsonObject {
  return {
    type: result.type,
    tenant_id: formatId('ten', result.tenantId),
    tenant_name: result.tenantName,
    environment_id: formatId('env', result.environmentId),
    environment_name: result.environmentName,
    message_id: formatId('msg', result.messageId),
    delivery_run_id: result.runId && formatId('run', result.runId),
    attempt_number: result.attemptNumber,
    created_at: formatTime(result.createdAt),
    event_key: result.eventKey,
    recipient_email: result.recipientEmail,
  };
}

/** The kinds of resources that a text can identify, in search order. */
function lookupsOf(q: string): Lookup[] {
  for (const [prefix, type] of [
    ['msg', 'message'],
    ['run', 'delivery_run'],
    ['att', 'attempt'],
  ] as const) {
    const uuid = parseId(prefix, q);
    if (uuid !== null) return [{ type, id: uuid }];
  }
  const address = toBareAddress(q);
  if (address !== null) return [{ type: 'recipient', text: address }];
  const request = { type: 'request', text: q } as const;
  return TRACE_ID.test(q) ? [{ type: 'trace', text: q }, request] : [request];
}

const QUERY = {
  q: {
    parse: (text: string) => (SEARCHABLE.test(text.trim()) ? text.trim() : toBareAddress(text.trim())),
    code: 'invalid_format',
    message: 'must be a message, run, attempt, request or trace id, or an email address',
  },
} as const;

const lookUp = withoutBody({
  method: 'get',
  path: '/admin/v1/lookup',
  operationId: 'findByText',
  scope: 'messages:read',
  filtersByBounds: true,
  memory: MEMORY.rows,
  summary: 'Look up an id or an address',
  description:
    'Finds a message, delivery run, attempt, request or trace id, or the email address of a ' +
    'recipient (with `messages:content`), in any environment. An unknown text has no results.',
  parameters: [
    {
      ...filter('q', 'An id, or an address.', { type: 'string', minLength: 1, maxLength: 320 }),
      required: true,
      example: EXAMPLE_IDS.message,
    },
  ],
  success: {
    status: 200,
    schema: ref('Lookup'),
    example: { results: [RESULT_EXAMPLE], has_more: false },
  },
  errors: ['validation_failed'],
  run:
    ({ db }) =>
    async (request) => {
      const { query, bounds } = request;
      const parsed = parseQuery(query, QUERY);
      if (parsed.outcome === 'invalid') return invalid(parsed.issues);
      const { q } = parsed.values;
      if (q === undefined) return invalid([{ path: '/q', code: 'required', message: 'is required' }]);
      const lookups = lookupsOf(q);
      const refusal = refuseSearch(
        request,
        lookups.some(({ type }) => type === 'recipient'),
      );
      if (refusal) return refusal;
      for (const lookup of lookups) {
        const { results, hasMore } = await findByLookup(db, lookup, bounds);
        if (results.length > 0) return ok({ results: results.map(present), has_more: hasMore });
      }
      return ok({ results: [], has_more: false });
    },
});

export const LOOKUP: AdminResource = {
  tag: SUPPORT_TAG,
  schemas: LOOKUP_SCHEMAS,
  operations: [lookUp],
};
