import { type IdempotencyClaim, reject, STILL_IN_PROGRESS } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import { type AnyClient, type Database, isLockNotAvailable, type Queryable } from '../client.ts';
import { findResponses, insertResponse, type StoredResponse } from '../statements/responses.ts';
import { beginAccepting, changeInEnvironments } from '../transactions/transaction.ts';

/** A response that is stored together with the result of its request, before it is sent. */
export interface ResponseToStore extends IdempotencyClaim {
  readonly status: number;
  /** JSON in UTF-8. */
  readonly body: Uint8Array;
}

/**
 * How long a request waits for another one that holds the same key (docs/specification.md, "Idempotency":
 * `idempotency_in_progress`).
 */
export const IDEMPOTENCY_WAIT_MS = 2_000;

/**
 * Stores a response in the caller's transaction. Waits for another transaction that is storing the same key, up to the lock
 * timeout.
 * @throws RefusedError if the key is not free (new, or older than 24 hours by the database's clock)
 */
export async function storeResponse(tx: AnyClient, response: ResponseToStore): Promise<void> {
  const isStored = await insertResponse(tx, response).catch((error: unknown) => {
    if (isLockNotAvailable(error)) return false;
    throw error;
  });
  if (!isStored) reject(STILL_IN_PROGRESS);
}

/** Runs an accepting transaction in one environment. It commits completely or leaves nothing. */
export function acceptInEnvironment<Result>(
  db: Database,
  environmentId: string,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return changeInEnvironments(db, [environmentId], async (tx) => {
    await beginAccepting(tx, IDEMPOTENCY_WAIT_MS);
    return work(tx);
  });
}

/** Longer than the short lock waits of a busy server, which do not mean that the key is held. */
const PROBE_WAIT_MS = 50;

/** `locked`: an open transaction holds it. `taken`: a response is stored. `free`: neither. */
export type KeyState = 'locked' | 'taken' | 'free';

/** Thrown to roll a probe back. */
class ProbeOver extends Error {
  readonly state: KeyState;

  constructor(state: KeyState) {
    super(state);
    this.state = state;
  }
}

/**
 * Checks whether a key is free now, to explain a lock timeout, for which PostgreSQL does not name the row: if it is
 * `free`, the statement waited for another row. A key that is being stored is invisible to others, so the probe
 * stores it and rolls back.
 */
async function probeKey(db: Database, response: ResponseToStore): Promise<KeyState> {
  try {
    return await changeInEnvironments(db, [response.environmentId], async (tx): Promise<KeyState> => {
      await beginAccepting(tx, PROBE_WAIT_MS);
      throw new ProbeOver((await insertResponse(tx, response)) ? 'free' : 'taken');
    });
  } catch (error) {
    if (error instanceof ProbeOver) return error.state;
    if (isLockNotAvailable(error)) return 'locked';
    throw error;
  }
}

const NO_BODY = new Uint8Array();
/** Probes are transactions of their own. */
const PROBES = { maxItems: 1, maxInFlight: 4 };

/**
 * The states of the keys of responses that waited too long for a lock. Throws `error`, that of the lock, if all are free:
 * no key was the reason for waiting.
 */
export async function readKeyStates(
  db: Database,
  responses: readonly ResponseToStore[],
  error: unknown,
): Promise<readonly KeyState[]> {
  const probe = createBatcher(
    (some: readonly ResponseToStore[]) =>
      Promise.all(some.map((response) => probeKey(db, { ...response, body: NO_BODY }))),
    PROBES,
  );
  const states = await Promise.all(responses.map(probe));
  if (states.every((state) => state === 'free')) throw error;
  return states;
}

/** Finds the stored response of one scope, see {@link findResponses}. */
export type FindStoredResponse = (claim: IdempotencyClaim) => Promise<StoredResponse | null>;

/** Creates the look-up. Concurrent calls share a query. */
export function createStoredResponseLookup(db: AnyClient): FindStoredResponse {
  return createBatcher<IdempotencyClaim, StoredResponse | null>((claims) => findResponses(db, claims), {
    maxItems: 256,
    maxInFlight: 2,
  });
}
