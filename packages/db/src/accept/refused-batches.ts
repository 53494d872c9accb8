import { BatcherOverloadedError, createBatcher } from '../batcher.ts';
import { type Database, isLockNotAvailable } from '../client.ts';
import { findResponses } from '../statements/responses.ts';
import { type KeyState, probeKey } from './idempotency.ts';
import type { EventToAccept, IngestOutcome } from './ingest.ts';
import { readQuota } from './quota.ts';
import { QuotaExceededError } from './store.ts';

type Outcomes = Promise<readonly IngestOutcome[]>;

/** Stores all of one tenant's events, or none and throws. */
export type AcceptAll = (events: readonly EventToAccept[]) => Outcomes;

/** Other processes may use the rest of the quota between read and write. After this many tries, little of it can be left. */
const MAX_TRIES = 20;

const NO_BODY = new Uint8Array();

function inOrder(
  events: readonly EventToAccept[],
  outcomes: ReadonlyMap<EventToAccept, IngestOutcome>,
): IngestOutcome[] {
  return events.map((event) => {
    const outcome = outcomes.get(event);
    if (!outcome) throw new Error('an event of the batch has no outcome');
    return outcome;
  });
}

/** The events without a stored response. */
async function withoutAnswer(db: Database, events: readonly EventToAccept[]): Promise<EventToAccept[]> {
  const responses = await findResponses(
    db,
    events.map(({ response }) => response),
  );
  return events.filter((_event, index) => responses[index] === null);
}

/**
 * Accepts as many of one tenant's events as its plan allows, the first ones, and refuses the others. Events with
 * stored responses do not count. It takes a few statements, however many are refused, because batches of other
 * tenants are waiting. What was stored before a failure is found by its key.
 */
export async function acceptWithinQuota(
  db: Database,
  events: readonly EventToAccept[],
  acceptAll: AcceptAll,
): Outcomes {
  const [{ tenantId } = { tenantId: '' }] = events;
  const outcomes = new Map<EventToAccept, IngestOutcome>();
  let open = events;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const fresh = await withoutAnswer(db, open);
    for (const event of open) if (!fresh.includes(event)) outcomes.set(event, { outcome: 'duplicate' });
    const { limit, used, resetsAt } = await readQuota(db, tenantId);
    const left = limit === null ? fresh.length : Math.max(0, limit - used);
    if (left === 0) {
      for (const event of fresh) {
        outcomes.set(event, { outcome: 'quota_exceeded', limit: limit ?? used, used, resetsAt });
      }
      return inOrder(events, outcomes);
    }
    const part = fresh.slice(0, left);
    const accepted = await acceptAll(part).catch((error: unknown) => {
      if (error instanceof QuotaExceededError) return null;
      throw error;
    });
    accepted?.forEach((outcome, index) => {
      const event = part[index];
      if (event) outcomes.set(event, outcome);
    });
    open = accepted ? fresh.slice(left) : fresh;
    if (open.length === 0) return inOrder(events, outcomes);
  }
  throw new BatcherOverloadedError();
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
  const isOrdered = events.some(({ message }) => message.orderingKey !== null);
  for (let tries = isOrdered ? ORDERED_TRIES : 1; ; tries -= 1) {
    try {
      return await accept();
    } catch (error) {
      if (tries === 1 || !isLockNotAvailable(error)) throw error;
    }
  }
}

/** Probes are transactions of their own. */
const PROBES = { maxItems: 1, maxInFlight: 4, isItemError: () => false };

/**
 * The states of the keys of events that waited too long for a lock. Throws `error`, that of the lock, if all are free:
 * no key was the reason for waiting.
 */
export async function readKeyStates(
  db: Database,
  events: readonly EventToAccept[],
  error: unknown,
): Promise<readonly KeyState[]> {
  const probe = createBatcher(
    (some: readonly EventToAccept[]) =>
      Promise.all(some.map(({ response }) => probeKey(db, { ...response, responseBody: NO_BODY }))),
    PROBES,
  );
  const states = await Promise.all(events.map(probe));
  if (states.every((state) => state === 'free')) throw error;
  return states;
}

/** Accepts one tenant's events without those whose keys are held by other transactions, which are in progress. */
async function acceptBesideHeldKeys(
  db: Database,
  events: readonly EventToAccept[],
  { error, acceptAll }: { error: unknown; acceptAll: AcceptAll },
): Outcomes {
  const states = await readKeyStates(db, events, error);
  const others = events.filter((_event, index) => states[index] !== 'held');
  const accepted = others.length > 0 ? await acceptAll(others) : [];
  const outcomes = new Map<EventToAccept, IngestOutcome>(
    events.map((event) => [event, { outcome: 'in_progress' }]),
  );
  accepted.forEach((outcome, index) => {
    const event = others[index];
    if (event) outcomes.set(event, outcome);
  });
  return inOrder(events, outcomes);
}

/**
 * Accepts one tenant's events although other transactions hold locks. Events whose keys are held are in progress, and do
 * not keep the others from being accepted. Rejects with the error of the lock if another row stays locked, for events
 * with ordering keys after {@link retryOrdered}.
 */
export function acceptDespiteLocks(
  db: Database,
  events: readonly EventToAccept[],
  acceptAll: AcceptAll,
): Outcomes {
  return retryOrdered(events, () =>
    acceptAll(events).catch((error: unknown) => {
      if (isLockNotAvailable(error)) return acceptBesideHeldKeys(db, events, { error, acceptAll });
      throw error;
    }),
  );
}
