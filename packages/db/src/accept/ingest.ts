import { createUuidV7Source, type JsonObject } from '@postrider/domain';
import { BatcherOverloadedError, createBatcher, type ObserveBatch } from '../batcher.ts';
import { type Database, databaseErrorCodes, isDatabaseUnreachable, LOCK_NOT_AVAILABLE } from '../client.ts';
import { createDatabaseClock } from '../database-clock.ts';
import { IDEMPOTENCY_WAIT_MS, idempotencyScope } from './idempotency.ts';
import { createRuns, runsToEnqueue } from './insert-runs.ts';
import { QuotaExceededError } from './quota.ts';
import { type AcceptAll, acceptBesideHeldKeys, acceptWithinQuota } from './refused-batches.ts';
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
      /** By the tenant in the period, this one among them. */
      readonly eventsUsed: number;
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

const isMixed = (events: readonly EventToAccept[]) =>
  events.some((event) => event.tenantId !== events[0]?.tenantId);

const isLockNotAvailable = (error: unknown) => databaseErrorCodes(error).includes(LOCK_NOT_AVAILABLE);

/** The first event of each scope; a second one with the same key in the same batch is a duplicate of it. */
function firstOfEachScope(events: readonly EventToAccept[]): Set<EventToAccept> {
  const first = new Map<string, EventToAccept>();
  for (const event of events) {
    const scope = idempotencyScope(event.idempotency);
    if (!first.has(scope)) first.set(scope, event);
  }
  return new Set(first.values());
}

/** Stores all of a batch, dated `now`; null, and nothing is stored, when that was too long ago. */
async function storeBatch(
  db: Database,
  events: readonly EventToAccept[],
  now: Date,
): Promise<IngestOutcome[] | null> {
  const newId = createUuidV7Source(() => now.getTime());
  const drafts = [...firstOfEachScope(events)].map((event) => {
    const messageId = newId();
    const runs = createRuns(event.runs, { newId, scheduleAt: event.scheduleAt, now });
    const responseBody = event.respond({ messageId, createdAt: now, runs });
    return { event, stored: { ...event, messageId, runs, responseBody } };
  });
  const batch = await storeEvents(
    db,
    drafts.map(({ stored }) => stored),
    { now, lockTimeoutMs: isMixed(events) ? MIXED_BATCH_LOCK_WAIT_MS : IDEMPOTENCY_WAIT_MS },
  );
  if (!batch) return null;
  const storedOf = new Map(drafts.map(({ event, stored }) => [event, stored]));
  return events.map((event) => {
    const stored = storedOf.get(event);
    if (!stored || !batch.messages.has(stored.messageId)) return { outcome: 'duplicate' };
    const { messageId, responseBody: body, runs } = stored;
    const eventsUsed = batch.used[event.tenantId] ?? 0;
    return { outcome: 'accepted', messageId, body, eventsUsed, enqueue: runsToEnqueue(runs, now) };
  });
}

/** Creates the acceptance of all of a batch or nothing of it, dated when it is stored. */
function createAcceptAll(db: Database): AcceptAll {
  const clock = createDatabaseClock(db);
  return async (events) => {
    const dated = async () => storeBatch(db, events, await clock.read());
    const outcomes = await dated();
    if (outcomes) return outcomes;
    clock.forget();
    const again = await dated();
    if (!again) throw new BatcherOverloadedError();
    return again;
  };
}

/** Accepts what can be accepted of one tenant's events. */
async function acceptOfTenant(
  db: Database,
  events: readonly EventToAccept[],
  acceptAll: AcceptAll,
): Promise<readonly IngestOutcome[]> {
  const withinQuota: AcceptAll = (some) =>
    acceptAll(some).catch((error: unknown) => {
      if (error instanceof QuotaExceededError) return acceptWithinQuota(db, some, acceptAll);
      throw error;
    });
  return withinQuota(events).catch((error: unknown) => {
    if (isLockNotAvailable(error)) {
      return acceptBesideHeldKeys(db, events, { error, acceptAll: withinQuota });
    }
    throw error;
  });
}

export interface IngestOptions {
  readonly maxItems?: number;
  readonly maxInFlight?: number;
  readonly onBatch?: ObserveBatch | undefined;
  /** Hears of the events of each batch before it is run; what it returns is called when the batch is over. */
  readonly watchBatch?: ((events: readonly EventToAccept[]) => () => void) | undefined;
}

/**
 * Creates the batched {@link IngestEvent}. Events that arrive together share a transaction. If it is refused
 * (quota, a key or a usage row held elsewhere) it is tried again tenant by tenant, each of which gets what its
 * plan holds, but for the events whose keys are held; if it fails by an event's fault, one by one.
 */
export function createIngest(
  db: Database,
  { maxItems = 128, maxInFlight = 2, onBatch, watchBatch }: IngestOptions = {},
): IngestEvent {
  const acceptAll = createAcceptAll(db);
  return createBatcher<EventToAccept, IngestOutcome>(
    async (events) => {
      const over = watchBatch?.(events);
      try {
        return await (isMixed(events) ? acceptAll(events) : acceptOfTenant(db, events, acceptAll));
      } finally {
        over?.();
      }
    },
    {
      maxItems,
      maxInFlight,
      isItemFault: (error) => !isDatabaseUnreachable(error),
      groupOf: (event) => event.tenantId,
      // A tenant's usage row, or a key of its, is held elsewhere.
      isGroupFault: isLockNotAvailable,
      sizeOf: (event) => event.bytes,
      onBatch,
    },
  );
}
