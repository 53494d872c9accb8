import {
  type ConsumerSnapshot,
  type Creation,
  channelsFor,
  dated,
  draftRuns,
  type EventToAccept,
  type EventTypeSnapshot,
  type PlannedRuns,
  planRuns,
} from '@postrider/db';
import {
  formatId,
  type IdempotencyClaim,
  invalid,
  isConsumerId,
  isEventKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keysOf,
  type MessageStatus,
  parseTimestamp,
  presentRunSummary,
  type Refusal,
  refuse,
  reject,
  STILL_IN_PROGRESS,
} from '@postrider/domain';
import { MAX_BODY_BYTES } from '../http/admission.ts';
import { MEMORY } from '../http/memory.ts';
import { jsonBytes } from '../http/reply.ts';
import { ACCEPTED_EXAMPLE, EVENT_EXAMPLES } from '../openapi/examples.ts';
import { ref } from '../openapi/schema.ts';
import { rejectIf } from '../pipeline/limits.ts';
import {
  type Operation,
  type OperationDeps,
  operatorAudit,
  type RunOperation,
} from '../pipeline/operation.ts';
import type { ApiRequest } from '../pipeline/stage.ts';
import { compileIssues, type Invalid, parseBody } from '../validation/body.ts';
import { createPayloadCheck, type FindPayloadIssues } from '../validation/payload-schemas.ts';
import { takeFiles } from './files.ts';
import {
  expiryIssues,
  noChannelTakes,
  orderingKeyIssues,
  scheduleIssues,
  toDetail,
  unknownConsumerIssues,
} from './issues.ts';
import { EVENT_BODY_SCHEMA } from './schema.ts';

/** An event without issues, with its runs. */
export type ValidEvent = Pick<EventToAccept, 'message' | 'keys'> & Pick<PlannedRuns, 'runs'>;

/** The consumers that events name, by id, without those that do not exist. */
export type NamedConsumers = ReadonlyMap<string, ConsumerSnapshot>;

export const NO_CONSUMERS: NamedConsumers = new Map();

/** `consumers` has the consumer that the body names, if it exists. */
type ValidateEvent = (
  body: JsonValue,
  request: Pick<ApiRequest, 'snapshot' | 'context'>,
  consumers: NamedConsumers,
) => ValidEvent | Invalid;

/** The settings of an event key without an event type. */
const UNDESCRIBED: EventTypeSnapshot = { payloadSchema: null, stream: null, searchKeys: [] };

const asObject = (value: JsonValue | undefined): JsonObject | null => (isJsonObject(value) ? value : null);

/** The consumer that a body names; null if it names none, or not by an id. */
export function consumerIdOf(body: JsonValue): string | null {
  const named = isJsonObject(body) ? body.consumer : null;
  return typeof named === 'string' && isConsumerId(named) ? named : null;
}

/** The valid parts of a body, null for the others, so that they can be checked further. */
function readableParts(body: JsonValue) {
  const fields = asObject(body) ?? {};
  const { event_key: eventKey, schedule_at: scheduleAt, expires_at: expiresAt } = fields;
  return {
    eventKey: typeof eventKey === 'string' && isEventKey(eventKey) ? eventKey : null,
    recipient: asObject(fields.recipient),
    payload: asObject(fields.payload),
    scheduleAt: typeof scheduleAt === 'string' ? parseTimestamp(scheduleAt) : null,
    expiresAt: typeof expiresAt === 'string' ? parseTimestamp(expiresAt) : null,
    ignoreSuppression: fields.ignore_suppression === true,
    orderingKey: typeof fields.ordering_key === 'string' ? fields.ordering_key : null,
    consumerId: consumerIdOf(fields),
  };
}

type ReadableParts = ReturnType<typeof readableParts>;
const hasEventKey = (parts: ReadableParts): parts is ReadableParts & { readonly eventKey: string } =>
  parts.eventKey !== null;

/**
 * Creates the validation of event bodies. It reports all issues at once: those of the body's schema, and those that
 * depend on the environment's configuration (channels, templates, payload schema, schedule horizon of the plan).
 */
export function createValidateEvent(findPayloadIssues: FindPayloadIssues): ValidateEvent {
  const issuesOf = compileIssues(EVENT_BODY_SCHEMA);

  return (body, { snapshot, context }, consumers) => {
    const parts = readableParts(body);
    const { recipient, payload, scheduleAt, expiresAt, orderingKey, consumerId } = parts;
    const consumer = (consumerId === null ? null : consumers.get(consumerId)) ?? null;
    const issues = issuesOf(body);
    if (scheduleAt !== null) issues.push(...scheduleIssues(scheduleAt, snapshot));
    if (expiresAt !== null) issues.push(...expiryIssues({ scheduleAt, expiresAt }, snapshot));
    if (orderingKey !== null) issues.push(...orderingKeyIssues(orderingKey, recipient));
    if (consumerId !== null && consumer === null) issues.push(...unknownConsumerIssues(snapshot));
    if (!hasEventKey(parts)) return { issues };

    const { eventKey } = parts;
    const planned = planRuns(snapshot, parts, consumer, channelsFor(snapshot, consumer, eventKey));
    issues.push(...planned.issues.map((issue) => toDetail(issue, eventKey)));
    const isUnmatched = planned.runs.length === 0 && planned.issues.length === 0;
    if (isUnmatched && snapshot.settings.unmatchedEvents === 'refuse') issues.push(noChannelTakes(eventKey));
    const { payloadSchema, stream, searchKeys } = snapshot.eventTypes.get(eventKey) ?? UNDESCRIBED;
    if (payload && payloadSchema !== null) issues.push(...findPayloadIssues(payloadSchema, payload));
    if (issues.length > 0 || !recipient || !payload) return { issues };
    const { requestId, traceId } = context;
    const ids = { requestId, traceId, test: false, operational: null };
    const message = { ...parts, ...ids, recipient, payload, stream };
    return { message, runs: planned.runs, keys: keysOf(searchKeys, payload) };
  };
}

/** The refusal of an event that needs a scope which the token lacks (docs/specification.md, "Tokens"), or null. */
export function refuseBeyondScopes(
  { message }: ValidEvent,
  { scopes }: Pick<ApiRequest, 'scopes'>,
): Refusal | null {
  if (!message.ignoreSuppression || scopes.has('ignore_suppression')) return null;
  return refuse('token_scope_missing', {
    message:
      'The token does not have the scope ignore_suppression: leave the field out, or use a token with the scope.',
  });
}

export const CREATED = 201;
/** New runs are never terminal, and the runs of the newest replay decide the status. */
const STATUS_OF_NEW_RUNS: MessageStatus = 'pending';
const STATUS_WITHOUT_RUNS: MessageStatus = 'unrouted';

/** The bytes of a 201 of ingestion or replay (docs/specification.md, "Accepted event"). */
export function acceptedBody(
  { messageId, runs }: Pick<Creation, 'messageId' | 'runs'>,
  more: JsonObject = {},
): Uint8Array {
  return jsonBytes({
    message_id: formatId('msg', messageId),
    status: runs.length > 0 ? STATUS_OF_NEW_RUNS : STATUS_WITHOUT_RUNS,
    delivery_runs: runs.map(presentRunSummary),
    ...more,
  });
}

/** Drafts the rows of a valid event, dated `now`, with the response to store for its key. `bytes` is the size of its JSON. */
export function draftEvent(
  event: ValidEvent,
  { snapshot, context }: Pick<ApiRequest, 'snapshot' | 'context'>,
  claim: IdempotencyClaim,
  { now, bytes, files = [] }: { now: Date; bytes: number; files?: readonly Buffer[] },
): EventToAccept {
  const drafted = draftRuns(event.runs, { now, scheduleAt: event.message.scheduleAt });
  return {
    ...event,
    ...drafted,
    tenantId: snapshot.tenant.id,
    environmentId: snapshot.environment.id,
    traceparent: context.traceparent,
    response: { ...claim, status: CREATED, body: acceptedBody(drafted) },
    bytes,
    files,
  };
}

function requiredClaim({ claim }: ApiRequest): IdempotencyClaim {
  if (!claim) throw new Error('an event passed the pipeline without an Idempotency-Key');
  return claim;
}

/** Creates a message, with one run per enabled channel that takes the event. */
function runCreate(deps: OperationDeps): RunOperation {
  const { clock, ingest, enqueue, newId, eventConsumers, spentQuota } = deps;
  const validate = createValidateEvent(createPayloadCheck());

  function audited(event: EventToAccept, request: ApiRequest): EventToAccept {
    if (request.actor === null) return event;
    const audit = operatorAudit({ newId }, request, {
      action: 'message.sent',
      resourceId: formatId('msg', event.messageId),
      after: { event_key: event.message.eventKey },
    });
    return { ...event, audit };
  }

  return async (request) => {
    const { snapshot, context } = request;
    const isLarge = request.bytes.byteLength > MAX_BODY_BYTES;
    const { bytes, files } = isLarge ? takeFiles(request.bytes) : { bytes: request.bytes, files: [] };
    const body = parseBody(bytes);
    const id = consumerIdOf(body);
    const consumers = id === null ? NO_CONSUMERS : await eventConsumers.find([body], snapshot);
    const validated = validate(body, request, consumers);
    if ('issues' in validated) reject(invalid(validated.issues));
    const refusal = refuseBeyondScopes(validated, request);
    rejectIf(refusal);
    const consumer = id === null ? undefined : consumers.get(id);
    const tokens =
      id === null ? null : await eventConsumers.admit(request, { id, consumer }, { wanted: 1, whole: true });
    rejectIf(tokens?.refusal);

    const claim = requiredClaim(request);
    const ingested = await dated(clock, (now) =>
      ingest(
        audited(draftEvent(validated, request, claim, { now, bytes: bytes.byteLength, files }), request),
      ),
    );
    switch (ingested.outcome) {
      case 'accepted':
        context.facts.message_id = formatId('msg', ingested.messageId);
        spentQuota.accepted(snapshot, ingested.eventsUsed);
        // Best effort, and not awaited: the rows are the outbox, which workers poll.
        void enqueue(ingested.wakeUps);
        return { status: CREATED, body: ingested.body };
      case 'quota_exceeded':
        return reject(spentQuota.exceeded(ingested, snapshot, consumer));
      case 'duplicate':
      case 'in_progress':
        // The pipeline replaces this refusal with the stored response, which a duplicate has.
        tokens?.giveBack(1);
        return reject(STILL_IN_PROGRESS);
    }
  };
}

export const createEvent: Operation = {
  method: 'post',
  path: '/api/v1/events',
  operationId: 'createEvent',
  asOperator: 'createEnvironmentEvent',
  scope: 'events:write',
  memory: MEMORY.small,
  summary: 'Send an event',
  description:
    'Accepts one event and creates a message with one delivery run for each enabled channel that takes it. ' +
    'The response means that the event is stored and will be delivered at least once. It does not wait for ' +
    'the delivery. Counts 1 against the quota.',
  traits: {
    idempotency: { operation: 'events.create', key: 'required' },
    acceptsFiles: true,
    share: 'work',
    checksQuotaAndPayment: true,
  },
  parameters: [],
  body: { schema: EVENT_BODY_SCHEMA, examples: EVENT_EXAMPLES },
  success: { status: 201, schema: ref('Accepted'), example: ACCEPTED_EXAMPLE },
  errors: ['token_scope_missing'],
  run: runCreate,
};
