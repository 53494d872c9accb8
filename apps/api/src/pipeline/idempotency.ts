import { type FindStoredResponse, IDEMPOTENCY_WAIT_MS, type StoredResponse } from '@postrider/db';
import {
  fingerprint,
  formatId,
  type IdempotencyClaim,
  idempotencyScope,
  keyOfConsumer,
  parseIdempotencyKey,
  type Refusal,
  refuse,
  STILL_IN_PROGRESS,
} from '@postrider/domain';
import type { Reply } from '../http/reply.ts';
import { headerOf } from '../http/request.ts';
import type { ApiRequest, Stage } from './stage.ts';

export interface IdempotencyDeps {
  readonly findStoredResponse: FindStoredResponse;
  readonly monotonicNow: () => number;
}

/**
 * The stored response of a claim's key, or a conflict if another request stored it.
 * @param earlier further fingerprints of the same request
 */
export function replayOf(
  { fingerprint, status, body }: StoredResponse,
  claim: IdempotencyClaim,
  earlier: readonly Uint8Array[] = [],
): Reply {
  const stored = Buffer.from(fingerprint);
  const isSame = [claim.fingerprint, ...earlier].some((own) => stored.equals(own));
  if (!isSame) return refuse('idempotency_conflict');
  return { status, body, headers: { 'Idempotent-Replayed': 'true' } };
}

/** The request's claim; null if it has none and needs none; or the refusal of its key. */
function claimOf(request: ApiRequest): IdempotencyClaim | null | Refusal {
  const { http, snapshot, consumerId } = request;
  const { traits } = request.operation;
  if (traits.idempotency.key === 'ignored') return null;
  const text = headerOf(http, 'idempotency-key');
  if (text === undefined || text === '') {
    return traits.idempotency.key === 'required' ? refuse('idempotency_key_required') : null;
  }
  const key = parseIdempotencyKey(text, snapshot.settings.idempotencyKeys);
  if (key === null) return refuse('idempotency_key_invalid');
  const { operation } = traits.idempotency;
  return {
    environmentId: snapshot.environment.id,
    operation,
    key: consumerId === null ? key : keyOfConsumer(consumerId, key),
    fingerprint: fingerprintOf(request.bytes, targetsOf(request.params)),
  };
}

/** The ids in the path without the environment's, which only an operator's path has: the key belongs to it already. */
function targetsOf(params: ApiRequest['params']): readonly string[] {
  const { environmentId: _environment, ...targets } = params;
  return Object.values(targets);
}

/**
 * SHA-256 of the raw body (docs/specification.md, "Idempotency"). For an operation on one message or run it includes
 * the id, because their bodies are mostly empty: a key used again for another message must be a conflict, not return
 * the first message's response.
 */
function fingerprintOf(bytes: Uint8Array, targets: readonly string[]): Uint8Array {
  if (targets.length === 0) return fingerprint(bytes);
  return fingerprint(Buffer.concat([Buffer.from(`${targets.join(' ')}\n`), bytes]));
}

/** The fingerprint that 0.1.0 stored for this request if an operator sent it. */
function earlierFingerprintOf({ bytes, snapshot }: ApiRequest, targets: readonly string[]): Uint8Array {
  return fingerprintOf(bytes, [formatId('env', snapshot.environment.id), ...targets]);
}

/**
 * Stage 2: requires or honours the Idempotency-Key. If a response is stored for the key, the request gets the same
 * bytes, or 409 if it is a different request. The pipeline checks `storedReply` of a request that is refused later;
 * otherwise the accepting transaction finds out. Requests of this process with
 * the same key wait here for the first, for at most 2 s; between processes the accepting transaction decides.
 */
export function createEnforceIdempotency({ findStoredResponse, monotonicNow }: IdempotencyDeps): Stage {
  const lockScope = createScopeLocks();

  async function storedReply(
    request: ApiRequest,
    claim: IdempotencyClaim,
    targets: readonly string[],
  ): Promise<Reply | null> {
    const stored = await findStoredResponse(claim);
    if (!stored) return null;
    const reply = replayOf(stored, claim, [earlierFingerprintOf(request, targets)]);
    if (!('refused' in reply)) request.context.facts.idempotent_replayed = true;
    return reply;
  }

  async function waitForLock(request: ApiRequest, claim: IdempotencyClaim): Promise<Reply | null> {
    const deadline = monotonicNow() + IDEMPOTENCY_WAIT_MS;
    for (;;) {
      const lock = await lockScope(idempotencyScope(claim), Math.max(0, deadline - monotonicNow()));
      if (lock.outcome === 'timed_out') return STILL_IN_PROGRESS;
      if (lock.outcome === 'acquired') {
        request.onDecided((reply) => lock.release(reply !== null && !('refused' in reply)));
        return null;
      }
      const reply = await request.storedReply();
      if (reply) return reply;
    }
  }

  return (request) => {
    const claim = claimOf(request);
    if (claim === null || 'refused' in claim) return claim;
    request.claim = claim;
    // A later stage hides ids.
    const targets = targetsOf(request.params);
    request.storedReply = () => storedReply(request, claim, targets);
    return waitForLock(request, claim);
  };
}

/**
 * The end of a wait for a scope. With `acquired`, call `release` once and say whether a response is now stored; with
 * `settled` another request stored one.
 */
export type ScopeLock =
  | { readonly outcome: 'acquired'; readonly release: (answerStored: boolean) => void }
  | { readonly outcome: 'settled' }
  | { readonly outcome: 'timed_out' };

/** Locks a scope, or waits for it for at most `waitMs`. */
type LockScope = (scope: string, waitMs: number) => Promise<ScopeLock>;

type Waiter = (lock: ScopeLock) => void;

/**
 * Serialises requests of this process with the same idempotency scope, so that they wait here and not for the row in
 * PostgreSQL. A stored response ends the wait of all; a request that stored none (4xx, 5xx) lets the next one run. A
 * scope is only remembered while a request has locked it.
 */
export function createScopeLocks(): LockScope {
  const queues = new Map<string, Waiter[]>();

  function lockOf(scope: string): ScopeLock {
    return { outcome: 'acquired', release: (answerStored) => release(scope, answerStored) };
  }

  function release(scope: string, answerStored: boolean): void {
    const waiters = queues.get(scope) ?? [];
    const next = answerStored ? undefined : waiters.shift();
    if (next) {
      next(lockOf(scope));
      return;
    }
    queues.delete(scope);
    for (const waiter of waiters) waiter({ outcome: 'settled' });
  }

  return (scope, waitMs) => {
    const queue = queues.get(scope);
    if (!queue) {
      queues.set(scope, []);
      return Promise.resolve(lockOf(scope));
    }
    return new Promise((resolve) => {
      const waiter: Waiter = (lock) => {
        clearTimeout(timer);
        resolve(lock);
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1);
        resolve({ outcome: 'timed_out' });
      }, waitMs);
      queue.push(waiter);
    });
  };
}
