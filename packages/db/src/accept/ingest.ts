import { createUuidV7Source, type JsonObject } from '@postrider/domain';
import { createBatcher, type ObserveBatch } from '../batcher.ts';
import { type Database, databaseErrorCodes, isDatabaseUnreachable, LOCK_NOT_AVAILABLE } from '../client.ts';
import { createDatabaseClock } from '../database-clock.ts';
import { IDEMPOTENCY_WAIT_MS, idempotencyScope, probeKey } from './idempotency.ts';
import { createRuns, runsToEnqueue } from './insert-runs.ts';
import { explainRefusal } from './refusal.ts';
import { storeEvents } from './store-events.ts';
import type {
  Accepted,
  IdempotencyClaim,
  IdempotencyRefusal,
  PlannedRun,
  QuotaExceeded,
  Respond,
  RunToEnqueue,
} from './types.ts';

/** A validated event with everything decided but its time. */
export interface EventToAccept {
  readonly tenantId: string;
  readonly idempotency: IdempotencyClaim;
  readonly eventKey: string;
  readonly recipient: JsonObject;
  readonly payload: JsonObject;
  readonly scheduleAt: Date | null;
  readonly requestId: string | null;
  readonly traceId: string;
  /** The `traceparent` by which others continue the request's trace; null when nobody traces it. */
  readonly traceparent: string | null;
  /** At least one. */
  readonly runs: readonly PlannedRun[];
  /** Length of the request's body, by which memory is bounded. */
  readonly bytes: number;
  readonly responseStatus: number;
  readonly respond: Respond<Accepted>;
}

export type IngestOutcome =
  | {
      readonly outcome: 'accepted';
      readonly messageId: string;
      readonly body: Uint8Array;
      readonly enqueue: readonly RunToEnqueue[];
    }
  | QuotaExceeded
  | IdempotencyRefusal;

/**
 * Accepts one event: idempotency record with the answer's bytes, message, runs and quota in one transaction
 * that commits whole or leaves nothing. With N events left in the plan, exactly N of any number of concurrent
 * calls, in any number of processes, are accepted.
 */
export type IngestEvent = (event: EventToAccept) => Promise<IngestOutcome>;

/**
 * How long a batch of several tenants waits for a row: one tenant's trouble is then left to a batch of its
 * own.
 */
const MIXED_BATCH_LOCK_WAIT_MS = 250;

function lockWaitFor(events: readonly EventToAccept[]): number {
  const isMixed = events.some((event) => event.tenantId !== events[0]?.tenantId);
  return isMixed ? MIXED_BATCH_LOCK_WAIT_MS : IDEMPOTENCY_WAIT_MS;
}

/** The first event of each scope; a second one with the same key in the same batch is a duplicate of it. */
function firstOfEachScope(events: readonly EventToAccept[]): Set<EventToAccept> {
  const first = new Map<string, EventToAccept>();
  for (const event of events) {
    const scope = idempotencyScope(event.idempotency);
    if (!first.has(scope)) first.set(scope, event);
  }
  return new Set(first.values());
}

async function acceptBatch(
  db: Database,
  events: readonly EventToAccept[],
  now: Date,
): Promise<IngestOutcome[]> {
  const newId = createUuidV7Source(() => now.getTime());
  const drafts = [...firstOfEachScope(events)].map((event) => {
    const messageId = newId();
    const runs = createRuns(event.runs, { newId, scheduleAt: event.scheduleAt, now });
    const responseBody = event.respond({ messageId, createdAt: now, runs });
    return { event, stored: { ...event, messageId, runs, responseBody } };
  });
  const accepted = await storeEvents(
    db,
    drafts.map(({ stored }) => stored),
    { now, lockTimeoutMs: lockWaitFor(events) },
  );
  const storedOf = new Map(drafts.map(({ event, stored }) => [event, stored]));
  return events.map((event) => {
    const stored = storedOf.get(event);
    if (!stored || !accepted.has(stored.messageId)) return { outcome: 'duplicate' };
    const { messageId, responseBody: body, runs } = stored;
    return { outcome: 'accepted', messageId, body, enqueue: runsToEnqueue(runs, now) };
  });
}

/** What a single event came to whose statement failed; throws `error` again when that is no refusal. */
async function explainFailure(db: Database, event: EventToAccept, error: unknown): Promise<IngestOutcome> {
  const { tenantId, idempotency, responseStatus } = event;
  if (!databaseErrorCodes(error).includes(LOCK_NOT_AVAILABLE)) return explainRefusal(db, tenantId, error);
  const key = await probeKey(db, { ...idempotency, responseStatus, responseBody: new Uint8Array() });
  if (key === 'free') throw error;
  return { outcome: key === 'held' ? 'in_progress' : 'duplicate' };
}

export interface IngestOptions {
  readonly maxItems?: number;
  readonly maxInFlight?: number;
  readonly onBatch?: ObserveBatch | undefined;
  /** Hears of the events of each batch before it is run; what it returns is called when the batch is over. */
  readonly watchBatch?: ((events: readonly EventToAccept[]) => () => void) | undefined;
}

/**
 * Creates the batched {@link IngestEvent}. Events that arrive together share a transaction; if one of them is
 * refused (quota, a key or a usage row held elsewhere), the batch is rolled back and tried again tenant by
 * tenant, then one by one.
 */
export function createIngest(
  db: Database,
  { maxItems = 128, maxInFlight = 2, onBatch, watchBatch }: IngestOptions = {},
): IngestEvent {
  const readTime = createDatabaseClock(db);
  return createBatcher<EventToAccept, IngestOutcome>(
    async (events) => {
      const over = watchBatch?.(events);
      try {
        return await acceptBatch(db, events, await readTime());
      } catch (error) {
        const [only] = events;
        if (events.length > 1 || !only) throw error;
        return [await explainFailure(db, only, error)];
      } finally {
        over?.();
      }
    },
    {
      maxItems,
      maxInFlight,
      isItemFault: (error) => !isDatabaseUnreachable(error),
      groupOf: (event) => event.tenantId,
      // A tenant's usage row is held elsewhere.
      isGroupFault: (error) => databaseErrorCodes(error).includes(LOCK_NOT_AVAILABLE),
      sizeOf: (event) => event.bytes,
      onBatch,
    },
  );
}
