import type { ChannelRegistry } from '@postrider/channels';
import {
  createReplay,
  type Database,
  draftRuns,
  type MessageRecord,
  type Queryable,
  readInEnvironments,
  readMessage,
} from '@postrider/db';
import { formatId, MESSAGE_STATUSES, parseId } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { acceptedBody } from '../delivery-runs/present.ts';
import { EVENT_BODY_SCHEMA, RECIPIENT_SCHEMA } from '../events/schema.ts';
import { MEMORY } from '../http/memory.ts';
import { type Reply, refuse } from '../http/reply.ts';
import { DELIVERIES_EXAMPLE, REPLAY_EXAMPLES, REPLAYED_EXAMPLE } from '../openapi/examples.ts';
import { filter, MESSAGE_ID, PAGING } from '../openapi/parameters.ts';
import { ref } from '../openapi/schema.ts';
import { queryOf } from '../paging/query.ts';
import { stillInProgress } from '../pipeline/idempotency.ts';
import { createSpentQuota, quotaExceeded } from '../pipeline/limits.ts';
import {
  auditOf,
  type Identified,
  type Operation,
  type OperationDeps,
  type PublicResource,
  READ,
  type RunOperation,
} from '../pipeline/stage.ts';
import { compileBody, invalid, parseOptionalBody } from '../validation/body.ts';
import { CHANGED_MESSAGE_SCHEMAS, cancelWholeMessage, reschedule } from './change-message.ts';
import { EXPLAIN_PARAMETER, explanationSchema, messageReply } from './explain.ts';
import {
  DELIVERIES_DESCRIPTION,
  DELIVERIES_PAGING,
  deliveriesPage,
  MESSAGE_FIELDS_FILTER,
  messagePage,
  parseListQuery,
} from './list.ts';
import { countMessage, MESSAGE_EXAMPLE, MESSAGE_LIST_EXAMPLE, messageSchemas } from './message.ts';
import { type NotReplayed, type PlannedReplay, planReplay } from './plan-replay.ts';

interface ReplayBody {
  readonly channels?: readonly string[];
}

/** Optional body of POST /api/v1/messages/{messageId}/replay (docs/specification.md, "Replay"). */
export const REPLAY_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    channels: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string' },
      description: 'Ids of the channels to deliver to. Default: all that take the event.',
    },
  },
} as const satisfies SchemaObject;

/** The UUID of the path's `messageId`, or null. It is noted for the log. */
function messageIdOf({ params, context }: Identified): string | null {
  const text = String(params.messageId);
  const id = parseId('msg', text);
  if (id !== null) context.facts.message_id = text;
  return id;
}

type MessageKey = { readonly environmentId: string; readonly messageId: string };

/** Responds with the result of `read` for the path's message in the token's environment; 404 if it is null. */
async function answerAbout(
  db: Database,
  request: Identified,
  read: (tx: Queryable, key: MessageKey) => Promise<Reply | null>,
): Promise<Reply> {
  const messageId = messageIdOf(request);
  if (messageId === null) return refuse('message_not_found');
  const environmentId = request.snapshot.environment.id;
  const reply = await readInEnvironments(db, [environmentId], (tx) => read(tx, { environmentId, messageId }));
  return reply ?? refuse('message_not_found');
}

const list: Operation = {
  method: 'get',
  path: '/api/v1/messages',
  operationId: 'listMessages',
  memory: MEMORY.page,
  summary: 'List messages',
  description:
    'The messages of the token’s environment, newest first. Filters are combined with “and”. A filter that ' +
    'matches little examines about 10,000 messages at a time: a page can be short or empty while ' +
    '`has_more` is true. A page also ends before its messages exceed 2 MiB in total; `fields` ' +
    'makes them smaller.',
  traits: READ,
  parameters: [
    ...PAGING,
    MESSAGE_FIELDS_FILTER,
    filter('event_key', 'Only messages with this event key.', EVENT_BODY_SCHEMA.properties.event_key),
    filter('status', 'Only messages with this status.', { type: 'string', enum: [...MESSAGE_STATUSES] }),
    filter(
      'recipient_email',
      'Only messages to exactly this address; the case of its domain does not matter.',
      {
        ...RECIPIENT_SCHEMA.properties.email,
        description: 'Case matters before the @.',
      },
    ),
    filter('created_after', 'Only messages accepted at this time or later.', {
      type: 'string',
      format: 'date-time',
    }),
    filter('created_before', 'Only messages accepted before this time.', {
      type: 'string',
      format: 'date-time',
    }),
  ],
  success: { status: 200, schema: ref('MessageList'), example: MESSAGE_LIST_EXAMPLE },
  errors: ['validation_failed'],
  run:
    ({ db }) =>
    async (request) => {
      const parsed = parseListQuery(queryOf(request.http.url));
      if (parsed.outcome === 'invalid') return invalid(parsed.issues);
      const environmentId = request.snapshot.environment.id;
      return readInEnvironments(db, [environmentId], (tx) =>
        messagePage(tx, { environmentId, ...parsed.query }),
      );
    },
};

const get: Operation = {
  method: 'get',
  path: '/api/v1/messages/{messageId}',
  operationId: 'getMessage',
  memory: countMessage,
  summary: 'Read a message',
  description:
    'The message as it was accepted, with its status and a summary of its newest 100 delivery runs.',
  traits: READ,
  parameters: [MESSAGE_ID, EXPLAIN_PARAMETER],
  success: { status: 200, schema: ref('Message'), example: MESSAGE_EXAMPLE },
  errors: ['message_not_found', 'validation_failed'],
  run:
    ({ db, kinds }) =>
    (request) =>
      answerAbout(db, request, (tx, key) => messageReply(tx, key, queryOf(request.http.url), kinds)),
};

const getDeliveries: Operation = {
  method: 'get',
  path: '/api/v1/messages/{messageId}/deliveries',
  operationId: 'getMessageDeliveries',
  memory: MEMORY.page,
  summary: 'Read the deliveries of a message',
  description: DELIVERIES_DESCRIPTION,
  traits: READ,
  parameters: [MESSAGE_ID, ...DELIVERIES_PAGING],
  success: { status: 200, schema: ref('Deliveries'), example: DELIVERIES_EXAMPLE },
  errors: ['message_not_found', 'validation_failed'],
  run:
    ({ db }) =>
    (request) =>
      answerAbout(db, request, (tx, key) => deliveriesPage(tx, key, queryOf(request.http.url))),
};

const CREATED = 201;

const presentSkipped = ({ channel, reason, condition }: NotReplayed) => ({
  channel: { ...channel, id: formatId('chn', channel.id) },
  reason,
  condition,
});

const refuseErased = () =>
  refuse('conflict', { message: 'The recipient’s data was erased: there is nothing to deliver.' });

/** Creates new, immediate runs with the templates that are active now. */
function runReplay({ clock, db, enqueue, newId, snapshots }: OperationDeps): RunOperation {
  const validateBody = compileBody<ReplayBody>(REPLAY_BODY_SCHEMA);
  const acceptReplay = createReplay(db);
  const spentQuota = createSpentQuota(snapshots);

  async function accept(
    request: Identified,
    message: MessageRecord,
    { runs, skipped }: PlannedReplay,
  ): Promise<Reply> {
    const { snapshot, claim } = request;
    const drafted = draftRuns(runs, { now: await clock.read(), messageId: message.id });
    const responseBody = acceptedBody(drafted, { skipped_channels: skipped.map(presentSkipped) });
    const replayed = await acceptReplay({
      ...drafted,
      tenantId: snapshot.tenant.id,
      environmentId: snapshot.environment.id,
      traceparent: request.context.traceparent,
      response: claim && { ...claim, responseStatus: CREATED, responseBody },
      audit: auditOf({ newId }, request, {
        action: 'message.replayed',
        resourceId: formatId('msg', message.id),
        after: { delivery_run_ids: drafted.runs.map(({ id }) => formatId('run', id)) },
      }),
    });
    switch (replayed.outcome) {
      case 'accepted':
        spentQuota.accepted(snapshot, replayed.eventsUsed);
        void enqueue(replayed.enqueue);
        return { status: CREATED, body: responseBody };
      case 'message_not_found':
        return refuse('message_not_found');
      case 'message_erased':
        return refuseErased();
      case 'quota_exceeded':
        spentQuota.exceeded(snapshot);
        return quotaExceeded(replayed);
      case 'duplicate':
      case 'in_progress':
        return stillInProgress();
    }
  }

  return async (request) => {
    const parsed = parseOptionalBody(request.bytes);
    if (parsed.outcome === 'refused') return parsed.refusal;
    const validated = validateBody(parsed.value);
    if (!('body' in validated)) return invalid(validated.issues);

    const messageId = messageIdOf(request);
    const environmentId = request.snapshot.environment.id;
    const message =
      messageId &&
      (await readInEnvironments(db, [environmentId], (tx) => readMessage(tx, { environmentId, messageId })));
    if (!message) return refuse('message_not_found');
    if (message.test)
      return refuse('conflict', { message: 'A test send cannot be replayed: send another test.' });
    if (message.operational)
      return refuse('conflict', { message: 'An operational event cannot be replayed.' });
    if (message.erasedAt) return refuseErased();
    const planned = planReplay(request.snapshot, message, validated.body.channels ?? null);
    if (planned.issues.length > 0) return invalid(planned.issues);
    return accept(request, message, planned);
  };
}

const replay: Operation = {
  method: 'post',
  path: '/api/v1/messages/{messageId}/replay',
  operationId: 'replayMessage',
  memory: countMessage,
  summary: 'Replay a message',
  description:
    'Creates new delivery runs for the message, with the current channels, filters and ' +
    'templates. `skipped_channels` are those that take its event key and get no run. The runs ' +
    'are immediate, even if the event was scheduled. Counts 1 against the quota. The body is ' +
    'optional.',
  traits: {
    idempotency: { operation: 'messages.replay', key: 'honoured' },
    body: 'optional',
    share: 'work',
    createsDeliveries: true,
  },
  parameters: [MESSAGE_ID],
  body: { schema: REPLAY_BODY_SCHEMA, examples: REPLAY_EXAMPLES },
  success: { status: 201, schema: ref('Replayed'), example: REPLAYED_EXAMPLE },
  errors: ['message_not_found', 'conflict'],
  run: runReplay,
};

export const messagesResource = (kinds: ChannelRegistry): PublicResource => ({
  tag: { name: 'Messages', description: 'The status of your events.' },
  schemas: { ...messageSchemas(kinds, explanationSchema(kinds)), ...CHANGED_MESSAGE_SCHEMAS },
  operations: [list, get, getDeliveries, replay, reschedule, cancelWholeMessage],
});
