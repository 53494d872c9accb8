import { dated, type EventToAccept, type IdempotencyClaim } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { ACCEPTED_EXAMPLE, EVENT_EXAMPLES } from '../openapi/examples.ts';
import { ref } from '../openapi/schema.ts';
import { stillInProgress } from '../pipeline/idempotency.ts';
import { createSpentQuota, quotaExceeded } from '../pipeline/limits.ts';
import {
  auditOf,
  type Identified,
  type Operation,
  type OperationDeps,
  type PublicResource,
  type RunOperation,
} from '../pipeline/stage.ts';
import { invalid, parseBody } from '../validation/body.ts';
import { createPayloadCheck } from '../validation/payload-schemas.ts';
import { BATCH_RESULTS_SCHEMA } from './batch-schema.ts';
import { createEventConsumers } from './consumers.ts';
import { createEvents } from './create-batch.ts';
import { takeFiles } from './event-files.ts';
import { EVENT_BODY_SCHEMA } from './schema.ts';
import {
  CREATED,
  consumerIdOf,
  createValidateEvent,
  draftEvent,
  NO_CONSUMERS,
  refuseBeyondScopes,
} from './validate-event.ts';

function requiredClaim({ claim }: Identified): IdempotencyClaim {
  if (!claim) throw new Error('an event passed the pipeline without an Idempotency-Key');
  return claim;
}

/** Creates a message, with one run per enabled channel that takes the event. */
function runCreate(deps: OperationDeps): RunOperation {
  const { clock, ingest, enqueue, newId, snapshots } = deps;
  const eventConsumers = createEventConsumers(deps);
  const validate = createValidateEvent(createPayloadCheck());
  const spentQuota = createSpentQuota(snapshots);

  function audited(event: EventToAccept, request: Identified): EventToAccept {
    const audit = auditOf({ newId }, request, {
      action: 'message.sent',
      resourceId: formatId('msg', event.messageId),
      after: { event_key: event.message.eventKey },
    });
    return audit ? { ...event, audit } : event;
  }

  return async (request) => {
    const { snapshot, context } = request;
    const taken = takeFiles(request.bytes);
    if ('refused' in taken) return taken;
    const { files } = taken;
    const parsed = parseBody(taken.bytes);
    if (parsed.outcome === 'refused') return parsed.refusal;
    const id = consumerIdOf(parsed.value);
    const consumers = id === null ? NO_CONSUMERS : await eventConsumers.find([parsed.value], snapshot);
    const validated = validate(parsed.value, snapshot, consumers);
    if (validated.outcome === 'invalid') return invalid(validated.issues);
    const refusal = refuseBeyondScopes(validated, request);
    if (refusal) return refusal;
    const consumer = id === null ? undefined : consumers.get(id);
    const tokens =
      id === null ? null : await eventConsumers.admit(request, { id, consumer }, { wanted: 1, whole: true });
    if (tokens?.refusal) return tokens.refusal;

    const claim = requiredClaim(request);
    const bytes = taken.bytes.byteLength;
    const ingested = await dated(clock, (now) =>
      ingest(audited(draftEvent(validated, request, { claim, now, bytes, files }), request)),
    );
    switch (ingested.outcome) {
      case 'accepted':
        context.facts.message_id = formatId('msg', ingested.messageId);
        spentQuota.accepted(snapshot, ingested.eventsUsed);
        // Best effort, and not awaited: the rows are the outbox, which workers poll.
        void enqueue(ingested.enqueue);
        return { status: CREATED, body: ingested.body };
      case 'quota_exceeded':
        if (ingested.consumerId === undefined) spentQuota.exceeded(snapshot);
        else eventConsumers.exceeded(snapshot, consumer);
        return quotaExceeded(ingested);
      case 'duplicate':
      case 'in_progress':
        tokens?.giveBack(1);
        return stillInProgress();
    }
  };
}

const createEvent: Operation = {
  method: 'post',
  path: '/api/v1/events',
  operationId: 'createEvent',
  scope: 'events:write',
  memory: MEMORY.small,
  summary: 'Send an event',
  description:
    'Accepts one event and creates a message with one delivery run for each enabled channel that takes it. ' +
    'The response means that the event is stored and will be delivered at least once. It does not wait for ' +
    'the delivery. Counts 1 against the quota.',
  traits: {
    idempotency: { operation: 'events.create', key: 'required' },
    body: 'required',
    acceptsFiles: true,
    share: 'work',
    createsDeliveries: true,
  },
  parameters: [],
  body: { schema: EVENT_BODY_SCHEMA, examples: EVENT_EXAMPLES },
  success: { status: 201, schema: ref('Accepted'), example: ACCEPTED_EXAMPLE },
  errors: ['token_scope_missing'],
  run: runCreate,
};

export const EVENTS: PublicResource = {
  tag: { name: 'Events', description: 'Events that your product sends.' },
  schemas: { EventResults: BATCH_RESULTS_SCHEMA },
  operations: [createEvent, createEvents],
};
