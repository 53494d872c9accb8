import {
  type ConsumerSnapshot,
  channelsFor,
  draftRuns,
  type EnvironmentSnapshot,
  type EventToAccept,
  type EventTypeSnapshot,
  type PlanIssue,
  type PlannedRuns,
  planRuns,
} from '@postrider/db';
import {
  type Detail,
  type IdempotencyClaim,
  isConsumerId,
  isEventKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keysOf,
  namesAddress,
  parseTimestamp,
  type Refusal,
  refuse,
} from '@postrider/domain';
import { acceptedBody } from '../delivery-runs/present.ts';
import type { ApiRequest } from '../pipeline/stage.ts';
import { compileBody, type Invalid } from '../validation/body.ts';
import type { FindPayloadIssues } from '../validation/payload-schemas.ts';
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

const DAY_MS = 86_400_000;
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

/** The issue of an event that would expire before it is sent. */
function expiryIssues(
  { scheduleAt, expiresAt }: { scheduleAt: Date | null; expiresAt: Date | null },
  { databaseNow }: EnvironmentSnapshot,
): Detail[] {
  if (expiresAt === null) return [];
  const path = '/expires_at';
  if (expiresAt <= databaseNow()) return [{ path, code: 'invalid_value', message: 'must be in the future' }];
  if (scheduleAt === null || expiresAt > scheduleAt) return [];
  return [{ path, code: 'invalid_value', message: 'must be after schedule_at' }];
}

/** The issue of an ordering key with the recipient's address in it, which an erasure would leave. */
function orderingKeyIssues(orderingKey: string | null, recipient: JsonObject | null): Detail[] {
  const email = recipient?.email;
  if (orderingKey === null || typeof email !== 'string' || email === '') return [];
  if (!namesAddress(orderingKey, email)) return [];
  return [
    {
      path: '/ordering_key',
      code: 'invalid_value',
      message:
        "must not contain the recipient's address, because it stays when their data is erased: use an id",
    },
  ];
}

/** The issue of an event of an unknown consumer, unless the environment creates it. */
function unknownConsumerIssues({ settings }: EnvironmentSnapshot): Detail[] {
  if (settings.unknownConsumers === 'create') return [];
  return [
    {
      path: '/consumer',
      code: 'unknown_consumer',
      message: 'is not a consumer of this environment: create it, or let the environment create unknown ones',
    },
  ];
}

export function scheduleIssues(
  scheduleAt: Date | null,
  { plan, databaseNow }: EnvironmentSnapshot,
): Detail[] {
  if (scheduleAt === null || plan.maxScheduleDays === null) return [];
  if (scheduleAt.getTime() <= databaseNow().getTime() + plan.maxScheduleDays * DAY_MS) return [];
  return [
    {
      path: '/schedule_at',
      code: 'schedule_too_far',
      message: `must not be more than ${plan.maxScheduleDays} days ahead`,
    },
  ];
}

/**
 * Creates the validation of event bodies. It reports all issues at once: those of the body's schema, and those that
 * depend on the environment's configuration (channels, templates, payload schema, schedule horizon of the plan).
 */
export function createValidateEvent(findPayloadIssues: FindPayloadIssues): ValidateEvent {
  const validateBody = compileBody<JsonObject>(EVENT_BODY_SCHEMA, { eager: true });

  return (body, { snapshot, context }, consumers) => {
    const { eventKey, recipient, payload, ...parts } = readableParts(body);
    const { scheduleAt, expiresAt, consumerId } = parts;
    const consumer = (consumerId === null ? null : consumers.get(consumerId)) ?? null;
    const issues: Detail[] = [
      ...validateBody(body).issues,
      ...scheduleIssues(scheduleAt, snapshot),
      ...expiryIssues({ scheduleAt, expiresAt }, snapshot),
      ...orderingKeyIssues(parts.orderingKey, recipient),
      ...(consumerId !== null && consumer === null ? unknownConsumerIssues(snapshot) : []),
    ];
    if (eventKey === null) return { issues };

    const channels = channelsFor(snapshot, consumer, eventKey);
    const planned = planRuns(snapshot, { eventKey, recipient, payload, consumer, channels });
    issues.push(...planned.issues.map((issue) => toDetail(issue, eventKey)));
    const isUnmatched = planned.runs.length === 0 && planned.issues.length === 0;
    if (isUnmatched && snapshot.settings.unmatchedEvents === 'refuse') issues.push(noChannelTakes(eventKey));
    const { payloadSchema, stream, searchKeys } = snapshot.eventTypes.get(eventKey) ?? UNDESCRIBED;
    if (payload && payloadSchema !== null) issues.push(...findPayloadIssues(payloadSchema, payload));
    if (issues.length > 0 || !recipient || !payload) return { issues };
    const { requestId, traceId } = context;
    const ids = { requestId, traceId, test: false, operational: null };
    const message = { ...parts, ...ids, eventKey, recipient, payload, stream };
    return { message, runs: planned.runs, keys: keysOf(searchKeys, payload) };
  };
}

/** The issue of an event that would have no run. */
export function noChannelTakes(eventKey: string): Detail {
  return {
    path: '/event_key',
    code: 'no_matching_channel',
    message: `no enabled channel takes ${eventKey}`,
  };
}

/** The issue of a plan as a detail of a 422 (docs/specification.md, "Channel matching"). */
export function toDetail(issue: PlanIssue, eventKey: string): Detail {
  switch (issue.code) {
    case 'template_not_found':
      return {
        path: '/event_key',
        code: 'template_not_found',
        message: `no ${issue.kind} template is active for ${eventKey}`,
      };
    case 'too_large_for_filters':
      return {
        path: '/payload',
        code: 'too_large',
        message: 'is too large for the filters of the channels: shorten its lists, or simplify the filters',
      };
    case 'recipient_field_missing':
      return {
        path: `/recipient/${issue.field}`,
        code: 'required',
        message: `is required, because a channel of the kind ${issue.kind} takes this event`,
      };
  }
}

export const CREATED = 201;

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

/** Drafts the rows of a valid event, dated `now`, with the response to store for its key. */
export function draftEvent(
  event: ValidEvent,
  { snapshot, context }: Pick<ApiRequest, 'snapshot' | 'context'>,
  {
    claim,
    now,
    bytes,
    files = [],
  }: { claim: IdempotencyClaim; now: Date; bytes: number; files?: readonly Buffer[] },
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
