import { BatcherOverloadedError } from '../batcher.ts';
import { type Database, isDatabaseUnreachable, isLockNotAvailable } from '../client.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { IDEMPOTENCY_WAIT_MS, type KeyState, readKeyStates } from './idempotency.ts';
import {
  acceptOfTenant,
  type EventToAccept,
  type IngestOptions,
  type IngestOutcome,
  retryOrdered,
  storeBatch,
} from './ingest.ts';
import {
  ConsumerQuotaExceededError,
  explainConsumerRefusal,
  type QuotaExceeded,
  QuotaExceededError,
  readConsumerRefusal,
  readQuota,
} from './quota.ts';

/** The events of one request, all of one environment, in order. Their keys differ. */
interface EventsToAccept {
  readonly events: readonly EventToAccept[];
  /** Whether all of them are stored, or none. */
  readonly atomic: boolean;
}

export type EventOutcome =
  | Exclude<IngestOutcome, { readonly outcome: 'untimely' }>
  /** Not stored, because another event of an atomic batch was refused. */
  | { readonly outcome: 'aborted' }
  /** Not stored, and trying again will not help. */
  | { readonly outcome: 'failed'; readonly error: unknown };

type BatchOutcome =
  /** One outcome for each event, in the order of the events. */
  | { readonly outcome: 'decided'; readonly outcomes: readonly EventOutcome[] }
  /** The time of the events is too old, or ahead of the database's clock, see `dated`. Some may be stored; their keys show which. */
  | { readonly outcome: 'untimely' };

/**
 * Accepts the events of a batch as if each had arrived alone, in order: if the quota does not suffice for all, the first
 * ones are accepted. Rejects if the database is unavailable; events stored by then are found by their keys.
 */
export type IngestBatch = (batch: EventsToAccept) => Promise<BatchOutcome>;

/** Keys of an atomic batch were not free, so nothing is stored. */
class KeysTakenError extends Error {
  readonly states: readonly KeyState[];

  constructor(states: readonly KeyState[]) {
    super('keys are not free');
    this.states = states;
  }
}

const OUTCOME_BY_KEY: Readonly<Record<KeyState, EventOutcome>> = {
  taken: { outcome: 'duplicate' },
  locked: { outcome: 'in_progress' },
  free: { outcome: 'aborted' },
};

/** Whether no event caused the error: the database is unavailable or busy, or a row is locked. */
const concernsNoEvent = (error: unknown) =>
  isDatabaseUnreachable(error) || error instanceof BatcherOverloadedError;

function decided(outcomes: readonly IngestOutcome[]): BatchOutcome {
  const timely = outcomes.filter((outcome) => outcome.outcome !== 'untimely');
  return timely.length < outcomes.length ? { outcome: 'untimely' } : { outcome: 'decided', outcomes: timely };
}

/** One after the other, so that an event that cannot be stored fails alone. */
async function acceptOneByOne(db: Database, events: readonly EventToAccept[]): Promise<BatchOutcome> {
  const outcomes: EventOutcome[] = [];
  for (const event of events) {
    try {
      const [outcome] = await acceptOfTenant(db, [event]).catch(async (error: unknown) => [
        await explainConsumerRefusal(db, event, error),
      ]);
      if (!outcome || outcome.outcome === 'untimely') return { outcome: 'untimely' };
      outcomes.push(outcome);
    } catch (error) {
      if (concernsNoEvent(error)) throw error;
      outcomes.push({ outcome: 'failed', error });
    }
  }
  return { outcome: 'decided', outcomes };
}

async function acceptEach(db: Database, events: readonly EventToAccept[]): Promise<BatchOutcome> {
  try {
    return decided(await acceptOfTenant(db, events));
  } catch (error) {
    if (concernsNoEvent(error)) throw error;
    return acceptOneByOne(db, events);
  }
}

/** The events beyond the limits of their consumers, which are refused, and the others. */
async function explainConsumers(
  db: Database,
  events: readonly EventToAccept[],
): Promise<readonly EventOutcome[]> {
  const left = new Map<string, { refusal: QuotaExceeded; events: number }>();
  const outcomes: EventOutcome[] = [];
  for (const { environmentId, message } of events) {
    const { consumerId } = message;
    if (consumerId !== null && !left.has(consumerId)) {
      const refusal = await readConsumerRefusal(db, environmentId, consumerId).catch((error: unknown) => {
        // A consumer without a limit refuses nothing.
        if (error instanceof BatcherOverloadedError) return null;
        throw error;
      });
      if (refusal) left.set(consumerId, { refusal, events: refusal.limit - refusal.used });
    }
    const limited = consumerId === null ? undefined : left.get(consumerId);
    if (limited) limited.events -= 1;
    outcomes.push(limited && limited.events < 0 ? limited.refusal : { outcome: 'aborted' });
  }
  // A limit or the month has changed since.
  if (outcomes.every(({ outcome }) => outcome === 'aborted')) throw new BatcherOverloadedError();
  return outcomes;
}

/** Finds the events that caused a rollback. Throws `error` again if none did. */
async function explainAbort(
  db: Database,
  events: readonly EventToAccept[],
  error: unknown,
): Promise<readonly EventOutcome[]> {
  if (error instanceof QuotaExceededError) {
    const { limit, used, resetsAt } = await readQuota(db, error.tenantId);
    // If the plan or the month has changed since, the last event counts as the one that did not fit.
    const left = Math.min(events.length - 1, Math.max(0, (limit ?? used) - used));
    const refusal = { outcome: 'quota_exceeded', limit: limit ?? used, used, resetsAt } as const;
    return events.map((_event, index) => (index < left ? { outcome: 'aborted' } : refusal));
  }
  if (error instanceof ConsumerQuotaExceededError) return explainConsumers(db, events);
  if (error instanceof KeysTakenError) return error.states.map((state) => OUTCOME_BY_KEY[state]);
  throw error;
}

/** Stores all events or none, and then throws why. */
async function storeTogether(db: Database, events: readonly EventToAccept[]): Promise<IngestOutcome[]> {
  try {
    return await changeInEnvironments(
      db,
      events.map(({ environmentId }) => environmentId),
      async (tx) => {
        const stored = await storeBatch(tx, events, IDEMPOTENCY_WAIT_MS);
        const states = stored.map(({ outcome }): KeyState => (outcome === 'duplicate' ? 'taken' : 'free'));
        if (states.includes('taken')) throw new KeysTakenError(states);
        return stored;
      },
    );
  } catch (error) {
    if (!isLockNotAvailable(error)) throw error;
    const responses = events.map(({ response }) => response);
    throw new KeysTakenError(await readKeyStates(db, responses, error));
  }
}

async function acceptTogether(db: Database, events: readonly EventToAccept[]): Promise<BatchOutcome> {
  try {
    return decided(await retryOrdered(events, () => storeTogether(db, events)));
  } catch (error) {
    return { outcome: 'decided', outcomes: await explainAbort(db, events, error) };
  }
}

/**
 * Creates the {@link IngestBatch}. A batch is one statement, or one transaction if it is atomic, and starts at once.
 * The caller limits how many run.
 */
export function createIngestBatch(
  db: Database,
  { watchBatch, onBatch }: Pick<IngestOptions, 'watchBatch' | 'onBatch'> = {},
): IngestBatch {
  return async ({ events, atomic }) => {
    const onBatchEnd = watchBatch?.(events);
    const beganAt = performance.now();
    try {
      return await (atomic ? acceptTogether(db, events) : acceptEach(db, events));
    } finally {
      onBatchEnd?.();
      onBatch?.(events.length, performance.now() - beganAt);
    }
  };
}
