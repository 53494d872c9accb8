import { BatcherOverloadedError } from '../batcher.ts';
import type { Database } from '../client.ts';
import { findResponses } from '../statements/responses.ts';
import { readKeyStates } from './idempotency.ts';
import type { EventToAccept, IngestOutcome } from './ingest.ts';
import { QuotaExceededError, readQuota } from './quota.ts';

export type Outcomes = Promise<readonly IngestOutcome[]>;

/** Stores all of one tenant's events, or none and throws. */
export type AcceptAll = (events: readonly EventToAccept[]) => Outcomes;

/** Other processes may use the rest of the quota between read and write. After this many tries, little of it can be left. */
const MAX_TRIES = 20;

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
async function withoutResponse(db: Database, events: readonly EventToAccept[]): Promise<EventToAccept[]> {
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
    const fresh = await withoutResponse(db, open);
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

/** Accepts one tenant's events without those whose keys are held by other transactions, which are in progress. */
export async function acceptBesideLockedKeys(
  db: Database,
  events: readonly EventToAccept[],
  { error, acceptAll }: { error: unknown; acceptAll: AcceptAll },
): Outcomes {
  const responses = events.map(({ response }) => response);
  const states = await readKeyStates(db, responses, error);
  const others = events.filter((_event, index) => states[index] !== 'locked');
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
