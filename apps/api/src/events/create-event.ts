import {
  type DatabaseClock,
  dated,
  draftRuns,
  type IdempotencyClaim,
  type IngestEvent,
  type Snapshots,
} from '@postrider/db';
import { formatId } from '@postrider/domain';
import type { EnqueueRuns } from '@postrider/queue';
import type { Operation } from '../http/protected-route.ts';
import type { Reply } from '../http/reply.ts';
import { quotaExceeded } from '../pipeline/enforce-hard-quota.ts';
import { stillInProgress } from '../pipeline/enforce-idempotency.ts';
import { createSpentQuota } from '../pipeline/spent-quota.ts';
import type { Identified } from '../pipeline/stage.ts';
import { invalid, parseBody } from '../validation/parse-body.ts';
import { createPayloadCheck } from '../validation/payload-schemas.ts';
import { acceptedBody } from './accepted-body.ts';
import { createValidateEvent } from './validate-event.ts';

export interface CreateEventDeps {
  readonly clock: DatabaseClock;
  readonly ingest: IngestEvent;
  readonly enqueue: EnqueueRuns;
  readonly snapshots: Pick<Snapshots, 'drop'>;
}

const CREATED = 201;

function requiredClaim({ claim }: Identified): IdempotencyClaim {
  if (!claim) throw new Error('the pipeline let an event pass without its Idempotency-Key');
  return claim;
}

/** POST /api/v1/events: makes a message and one run per enabled channel that takes the event. */
export function createEvent({ clock, ingest, enqueue, snapshots }: CreateEventDeps): Operation {
  const validate = createValidateEvent(createPayloadCheck());
  const spentQuota = createSpentQuota(snapshots);

  async function run(request: Identified): Promise<Reply> {
    const { snapshot, context } = request;
    const parsed = parseBody(request.bytes);
    if (parsed.outcome === 'refused') return parsed.refusal;
    const validated = validate(parsed.value, snapshot);
    if (validated.outcome === 'invalid') return invalid(validated.faults);

    const { runs, ...event } = validated.event;
    const { requestId, traceId, traceparent } = context;
    const claim = requiredClaim(request);
    const ingested = await dated(clock, (now) => {
      const drafted = draftRuns(runs, { now, scheduleAt: event.scheduleAt });
      return ingest({
        ...drafted,
        tenantId: snapshot.tenant.id,
        environmentId: snapshot.environment.id,
        message: { ...event, requestId, traceId, test: false },
        replay: 0,
        traceparent,
        answer: { ...claim, responseStatus: CREATED, responseBody: acceptedBody(drafted) },
        bytes: request.bytes.byteLength,
      });
    });
    switch (ingested.outcome) {
      case 'accepted':
        context.facts.message_id = formatId('msg', ingested.messageId);
        spentQuota.accepted(snapshot, ingested.eventsUsed);
        // Best effort, and nobody waits for it: the rows are the outbox that the sweeper works from.
        void enqueue(ingested.enqueue);
        return { status: CREATED, body: ingested.body };
      case 'quota_exceeded':
        spentQuota.exceeded(snapshot);
        return quotaExceeded(ingested);
      case 'duplicate':
      case 'in_progress':
        return stillInProgress();
    }
  }

  return {
    method: 'POST',
    path: '/api/v1/events',
    traits: {
      idempotency: { operation: 'events.create', key: 'required' },
      body: 'required',
      createsDeliveries: true,
    },
    run,
  };
}
