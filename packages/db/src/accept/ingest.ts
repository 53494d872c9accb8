import { idempotencyScope } from '@postrider/domain';
import { type BatcherOptions, createBatcher, type ObserveBatch } from '../batcher.ts';
import { type AnyClient, type Database, isDatabaseUnreachable, isLockNotAvailable } from '../client.ts';
import type { NewMessage } from '../message-fields.ts';
import { storeFiles } from '../message-files.ts';
import { ACCEPT, isOrdered, type StoredCreations } from '../statements/accept.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { type AcceptAll, acceptBesideLockedKeys, acceptWithinQuota, type Outcomes } from './accept-part.ts';
import { IDEMPOTENCY_WAIT_MS, type ResponseToStore } from './idempotency.ts';
import {
  explainConsumerRefusal,
  explainRefusal,
  type QuotaExceeded,
  QuotaExceededError,
  refusedCharge,
} from './quota.ts';
import { type Creation, type RunWakeUp, wakeUpsOf } from './runs.ts';

/** A validated event and everything that it creates. */
export interface EventToAccept extends Creation {
  readonly message: NewMessage;
  readonly response: ResponseToStore;
  /** Size of the request body, by which memory is limited. */
  readonly bytes: number;
  /** Files stored separately from the payload, numbered from 1. */
  readonly files?: readonly Uint8Array[] | undefined;
}

export type IngestOutcome =
  | {
      readonly outcome: 'accepted';
      readonly messageId: string;
      readonly body: Uint8Array;
      /** Events of the tenant in the period, including this one. */
      readonly eventsUsed: number;
      readonly wakeUps: readonly RunWakeUp[];
    }
  /** The time of the event is too old, or ahead of the database's clock, see `dated`. Nothing is stored. */
  | { readonly outcome: 'untimely' }
  /** Another request with this key has committed. Read its record and return that response. */
  | { readonly outcome: 'duplicate' }
  /** Another request holds this key and did not end within 2 s. */
  | { readonly outcome: 'in_progress' }
  | QuotaExceeded;

/**
 * Accepts one event: idempotency record with the response's bytes, message, runs and quota in one transaction, which
 * commits completely or leaves nothing. With N events left in the plan, exactly N of any number of concurrent calls,
 * in any number of processes, are accepted.
 */
export type IngestEvent = (event: EventToAccept) => Promise<IngestOutcome>;

export interface IngestOptions {
  readonly maxItems?: number;
  readonly maxInFlight?: number;
  readonly onBatch?: ObserveBatch | undefined;
  /** Called with the events of a batch before it runs. The returned function is called when the batch has ended. */
  readonly watchBatch?: ((events: readonly EventToAccept[]) => () => void) | undefined;
}

/** Larger events get their own batches, so that small ones do not wait while PostgreSQL stores megabytes. */
const LARGE_EVENT_BYTES = 16 * 1024;
const LARGE_BATCH_BYTES = 512 * 1024;

/**
 * Creates the batched {@link IngestEvent}. Events that arrive together share a transaction. If a batch is refused
 * (quota, or a key or usage row that is locked elsewhere), it is repeated tenant by tenant: each gets what its plan
 * allows, except for events with locked keys. If one event makes the batch fail, it is repeated event by event.
 * Operators' events and events with files are few and get their own transactions.
 */
export function createIngest(
  db: Database,
  { maxItems = 128, maxInFlight = 2, onBatch, watchBatch }: IngestOptions = {},
): IngestEvent {
  const run = async (events: readonly EventToAccept[]) => {
    const onBatchEnd = watchBatch?.(events);
    try {
      return await (isMixed(events)
        ? storeBatch(db, events, MIXED_BATCH_LOCK_WAIT_MS)
        : acceptOfTenant(db, events));
    } finally {
      onBatchEnd?.();
    }
  };
  const options: BatcherOptions<EventToAccept> = {
    maxItems,
    maxInFlight,
    isItemError: (error) => !isDatabaseUnreachable(error),
    groupOf: (event) => event.tenantId,
    // Another transaction holds the usage row or a key of one tenant.
    isGroupError: isLockNotAvailable,
    sizeOf: (event) => event.bytes,
    onBatch,
  };
  const ingest = createBatcher(run, options);
  const ingestLarge = createBatcher(run, { ...options, maxInFlight: 1, maxBatchBytes: LARGE_BATCH_BYTES });
  const accept: IngestEvent = (event) => {
    if (event.audit || event.files?.length) return acceptAlone(db, event);
    return (event.bytes < LARGE_EVENT_BYTES ? ingest : ingestLarge)(event);
  };
  return (event) =>
    event.message.consumerId === null
      ? accept(event)
      : accept(event).catch((error: unknown) => explainConsumerRefusal(db, event, error));
}

/** Accepts an event in its own transaction, with its files and its audit entry. */
async function acceptAlone(db: Database, event: EventToAccept): Promise<IngestOutcome> {
  const storeWithFiles: AcceptAll = (events) =>
    changeInEnvironments(db, [event.environmentId], async (tx) => {
      const outcomes = await storeBatch(tx, events, IDEMPOTENCY_WAIT_MS);
      if (outcomes[0]?.outcome === 'accepted') {
        await storeFiles(tx, event, event.files ?? []);
        await event.audit?.(tx);
      }
      return outcomes;
    });
  try {
    const [outcome] = await acceptDespiteLocks(db, [event], storeWithFiles);
    if (!outcome) throw new Error('an event gave no outcome');
    return outcome;
  } catch (error) {
    return explainRefusal(db, event.tenantId, error);
  }
}

/**
 * Accepts the events of one tenant that can be accepted. If the quota does not suffice for all, it accepts the first
 * ones. Locks are waited for as in {@link acceptDespiteLocks}.
 */
export function acceptOfTenant(
  db: Database,
  events: readonly EventToAccept[],
): Promise<readonly IngestOutcome[]> {
  const acceptAll: AcceptAll = (some) => storeBatch(db, some, IDEMPOTENCY_WAIT_MS);
  const withinQuota: AcceptAll = (some) =>
    acceptAll(some).catch((error: unknown) => {
      if (error instanceof QuotaExceededError) return acceptWithinQuota(db, some, acceptAll);
      throw error;
    });
  return acceptDespiteLocks(db, events, withinQuota);
}

/**
 * Accepts one tenant's events although other transactions hold locks. Events whose keys are held are in progress, and do
 * not keep the others from being accepted. Rejects with the error of the lock if another row stays locked, for events
 * with ordering keys after {@link retryOrdered}.
 */
function acceptDespiteLocks(db: Database, events: readonly EventToAccept[], acceptAll: AcceptAll): Outcomes {
  return retryOrdered(events, () =>
    acceptAll(events).catch((error: unknown) => {
      if (isLockNotAvailable(error)) return acceptBesideLockedKeys(db, events, { error, acceptAll });
      throw error;
    }),
  );
}

/** How often events with ordering keys are accepted if other rows than the keys of their requests stay locked. */
const ORDERED_TRIES = 3;

/**
 * Calls `accept` again after a lock timeout if events have ordering keys, because acceptances of a key wait for each
 * other: after the loss of a process the line can be longer than one wait.
 */
export async function retryOrdered<Result>(
  events: readonly EventToAccept[],
  accept: () => Promise<Result>,
): Promise<Result> {
  const hasOrderingKeys = events.some(({ message }) => message.orderingKey !== null);
  for (let tries = hasOrderingKeys ? ORDERED_TRIES : 1; ; tries -= 1) {
    try {
      return await accept();
    } catch (error) {
      if (tries === 1 || !isLockNotAvailable(error)) throw error;
    }
  }
}

/**
 * How long a batch of several tenants waits for a row lock. After that, each tenant gets a batch of its own, so that
 * one does not delay the others.
 */
const MIXED_BATCH_LOCK_WAIT_MS = 250;

const isMixed = (events: readonly EventToAccept[]) =>
  events.some((event) => event.tenantId !== events[0]?.tenantId);

/**
 * Stores the events of a batch whose keys are free, or throws and stores nothing. Waits up to `lockTimeoutMs` for a
 * row lock.
 */
export async function storeBatch(
  db: AnyClient,
  events: readonly EventToAccept[],
  lockTimeoutMs: number,
): Promise<IngestOutcome[]> {
  const first = firstOfEachScope(events);
  const times = events.map(({ createdAt }) => createdAt.getTime());
  const oldest = new Date(Math.min(...times));
  const newest = new Date(Math.max(...times));
  const stored = await store(db, [...first], { as: 'events', lockTimeoutMs, oldest, newest });
  if (!stored) return events.map(() => ({ outcome: 'untimely' }));
  const { messageIds, used } = stored;
  const isNew = messageIds && new Set(messageIds);
  const behind = new Set(stored.behind);
  return events.map((event) => {
    const { messageId, tenantId, response } = event;
    const isStored = first.has(event) && (isNew?.has(messageId) ?? true);
    if (!isStored) return { outcome: 'duplicate' };
    const eventsUsed = used?.[tenantId] ?? 0;
    return {
      outcome: 'accepted',
      messageId,
      body: response.body,
      eventsUsed,
      wakeUps: wakeUpsOf(event, behind),
    };
  });
}

/** The first event of each scope; a second one with the same key in the same batch is a duplicate of it. */
function firstOfEachScope(events: readonly EventToAccept[]): Set<EventToAccept> {
  const keys = new Set(events.map(({ response }) => response.key));
  if (keys.size === events.length) return new Set(events);
  const first = new Map<string, EventToAccept>();
  for (const event of events) {
    const scope = idempotencyScope(event.response);
    if (!first.has(scope)) first.set(scope, event);
  }
  return new Set(first.values());
}

/** The variant of the statement, see {@link ACCEPT}. */
type AcceptVariant = 'events' | 'tests' | 'replays';

/**
 * Stores creations in one statement. For events this statement is its own transaction: one round trip and one commit
 * for the batch. Creations with a response are stored if their key is free (new, or older than 24 hours by the
 * database's clock), and otherwise skipped. The rest is all or nothing: it throws {@link QuotaExceededError} if the
 * plan of any tenant does not allow its part, and `ConsumerQuotaExceededError` if the limit of any consumer does
 * not. Charges count in the month (UTC) of the database's clock.
 * @param oldest if this time is too long ago, nothing is stored and the result is null: an erasure that searches by
 * time must not miss an event that is stored later
 * @param newest the same if it is ahead of the database's clock: the runs would wait until the clock has reached it
 */
export async function store(
  db: AnyClient,
  creations: readonly Creation[],
  {
    as,
    lockTimeoutMs,
    oldest = null,
    newest = null,
  }: { as: AcceptVariant; lockTimeoutMs: number; oldest?: Date | null; newest?: Date | null },
): Promise<StoredCreations | null> {
  const accept = statementFor(as, creations);
  try {
    const [stored] = await accept(db, { creations, lockTimeoutMs, oldest, newest });
    return stored?.timely ? stored : null;
  } catch (error) {
    // The error does not name the tenant: the caller splits a batch of several tenants and repeats its parts.
    throw refusedCharge(error, creations[0]?.tenantId ?? '');
  }
}

function statementFor(as: AcceptVariant, creations: readonly Creation[]) {
  if (as === 'tests') return ACCEPT.tests;
  if (as === 'replays') {
    const byConsumer = creations.some(({ replayedBy = null }) => replayedBy !== null);
    return byConsumer ? ACCEPT.consumerReplays : ACCEPT.replays;
  }
  const ordered = creations.some((creation) => creation.runs.some((run) => isOrdered(creation, run)));
  const consumers = creations.some(({ message }) => (message?.consumerId ?? null) !== null);
  const keyed = creations.some(({ keys = [] }) => keys.length > 0);
  return ACCEPT.events({ ordered, consumers, keyed });
}
