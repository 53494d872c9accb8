import { type FindStoredResponse, IDEMPOTENCY_WAIT_MS, type StoredResponse } from '@postrider/db';
import {
  fingerprint,
  formatId,
  type IdempotencyClaim,
  idempotencyScope,
  keyOfConsumer,
  parseIdempotencyKey,
  refuse,
  reject,
  STILL_IN_PROGRESS,
} from '@postrider/domain';
import type { Reply } from '../http/reply.ts';
import { headerOf } from '../http/request.ts';
import type { ApiRequest, Stage } from './stage.ts';

export interface IdempotencyDeps {
  readonly findStoredResponse: FindStoredResponse;
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

/** Whether a reply is what {@link replayOf} returns. */
export const isReplay = (reply: Reply): boolean =>
  'refused' in reply
    ? reply.refused === 'idempotency_conflict'
    : reply.headers?.['Idempotent-Replayed'] !== undefined;

/**
 * The request's claim; null if it has none and needs none.
 * @throws RefusedError for its key
 */
function claimOf(request: ApiRequest): IdempotencyClaim | null {
  const { http, snapshot, consumerId } = request;
  const { traits } = request.operation;
  if (traits.idempotency.key === 'ignored') return null;
  const text = headerOf(http, 'idempotency-key');
  if (text === undefined || text === '') {
    return traits.idempotency.key === 'required' ? reject('idempotency_key_required') : null;
  }
  const key =
    parseIdempotencyKey(text, snapshot.settings.idempotencyKeys) ?? reject('idempotency_key_invalid');
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
 * Requires or honours the Idempotency-Key. If a response is stored for the key, the request gets the same
 * bytes, or 409 if it is a different request. The pipeline checks `storedReply` of a request that is refused here or later;
 * otherwise the accepting transaction finds out. Requests of this process with
 * the same key wait here for the first, for at most 2 s; between processes the accepting transaction decides.
 */
export function createEnforceIdempotency({ findStoredResponse }: IdempotencyDeps): Stage {
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

  /** The pipeline replaces the refusal with the stored response, if that ended the wait. */
  async function waitForLock(request: ApiRequest, claim: IdempotencyClaim): Promise<void> {
    const unlock = await lockScope(idempotencyScope(claim), IDEMPOTENCY_WAIT_MS);
    if (unlock === null) reject(STILL_IN_PROGRESS);
    request.onDecided((reply) => unlock(reply !== null && !('refused' in reply)));
  }

  return (request) => {
    const claim = claimOf(request);
    if (claim === null) return;
    request.claim = claim;
    // A later stage hides ids.
    const targets = targetsOf(request.params);
    request.storedReply = () => storedReply(request, claim, targets);
    return waitForLock(request, claim);
  };
}

/** Ends a lock. Call it once, and say whether a response is now stored. */
type Unlock = (isResponseStored: boolean) => void;

/** Locks a scope. Null if another request stored a response, or the scope was not free within `waitMs`. */
type LockScope = (scope: string, waitMs: number) => Promise<Unlock | null>;

type Waiter = (unlock: Unlock | null) => void;

/**
 * Serialises requests of this process with the same idempotency scope, so that they wait here and not for the row in
 * PostgreSQL. A stored response ends the wait of all; a request that stored none (4xx, 5xx) lets the next one run. A
 * scope is only remembered while a request has locked it.
 */
export function createScopeLocks(): LockScope {
  const queues = new Map<string, Waiter[]>();

  const unlockOf =
    (scope: string): Unlock =>
    (isResponseStored) => {
      const waiters = queues.get(scope) ?? [];
      const next = isResponseStored ? undefined : waiters.shift();
      if (next) {
        next(unlockOf(scope));
        return;
      }
      queues.delete(scope);
      for (const waiter of waiters) waiter(null);
    };

  return (scope, waitMs) => {
    const queue = queues.get(scope);
    if (!queue) {
      queues.set(scope, []);
      return Promise.resolve(unlockOf(scope));
    }
    return new Promise((resolve) => {
      const waiter: Waiter = (unlock) => {
        clearTimeout(timer);
        resolve(unlock);
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1);
        resolve(null);
      }, waitMs);
      queue.push(waiter);
    });
  };
}
