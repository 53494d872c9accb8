import {
  type FindStoredAnswer,
  IDEMPOTENCY_WAIT_MS,
  type IdempotencyClaim,
  idempotencyScope,
} from '@postrider/db';
import { fingerprint, parseIdempotencyKey } from '@postrider/domain';
import { type Refusal, type Reply, refuse } from '../http/reply.ts';
import { createTurns, type TakeTurn } from './idempotency-turns.ts';
import type { Identified, Stage, Step, WithBody } from './stage.ts';

export interface IdempotencyDeps {
  readonly findStoredAnswer: FindStoredAnswer;
  readonly monotonicNow: () => number;
}

/**
 * Another request with this key came first. Who refuses with this need not look for its answer: {@link unlessAnswered}
 * sends that instead where there is one.
 */
export function stillInProgress(): Refusal {
  return refuse('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
}

/** The request's claim, null when it needs none and has none, or the refusal of its key. */
function claimOf(request: WithBody): IdempotencyClaim | null | Refusal {
  const { http, traits, snapshot, bytes } = request;
  if (traits.idempotency.key === 'ignored') return null;
  const text = http.get('idempotency-key');
  if (text === undefined || text === '') {
    return traits.idempotency.key === 'required' ? refuse('idempotency_key_required') : null;
  }
  const key = parseIdempotencyKey(text);
  if (key === null) return refuse('idempotency_key_invalid');
  const { operation } = traits.idempotency;
  return {
    environmentId: snapshot.environment.id,
    operation,
    key,
    fingerprint: fingerprintOf(request, bytes),
  };
}

/**
 * SHA-256 of the raw body (interface specification, "Idempotency rules"). An operation on one message or run
 * puts its id in front: their bodies are mostly empty, and a key used again on another message must be a
 * conflict, not the first message's answer.
 */
function fingerprintOf({ http }: WithBody, bytes: Uint8Array): Uint8Array {
  const target = Object.values(http.params).join(' ');
  return fingerprint(target === '' ? bytes : Buffer.concat([Buffer.from(`${target}\n`), bytes]));
}

/**
 * Stage 2: requires or honours the Idempotency-Key. A key whose answer is stored is answered with the same
 * bytes, or with 409 when the request is another one: whoever would refuse the request, or take something for
 * it, asks `storedReply` first (see {@link unlessAnswered}), and for the rest the accepting transaction finds
 * out. Requests of this process that race on a key wait here for the first, for at most 2 s; against other
 * processes the accepting transaction decides.
 */
export function createEnforceIdempotency({
  findStoredAnswer,
  monotonicNow,
}: IdempotencyDeps): Stage<WithBody, Identified> {
  const takeTurn = createTurns();

  async function storedReply(request: WithBody, claim: IdempotencyClaim): Promise<Reply | null> {
    const stored = await findStoredAnswer(claim);
    if (!stored) return null;
    if (!Buffer.from(stored.fingerprint).equals(claim.fingerprint)) return refuse('idempotency_conflict');
    request.context.facts.idempotent_replayed = true;
    return { status: stored.status, body: stored.body, headers: { 'Idempotent-Replayed': 'true' } };
  }

  return async (request) => {
    const claim = claimOf(request);
    if (claim === null) return { passed: { ...request, claim, storedReply: async () => null } };
    if ('refused' in claim) return { reply: claim };
    return waitForTurn(takeTurn, monotonicNow, {
      ...request,
      claim,
      storedReply: () => storedReply(request, claim),
    });
  };
}

async function waitForTurn(
  takeTurn: TakeTurn,
  monotonicNow: () => number,
  request: Identified & { claim: IdempotencyClaim },
): Promise<Step<Identified>> {
  const deadline = monotonicNow() + IDEMPOTENCY_WAIT_MS;
  for (;;) {
    const turn = await takeTurn(idempotencyScope(request.claim), Math.max(0, deadline - monotonicNow()));
    if (turn.outcome === 'timed_out') return { reply: stillInProgress() };
    if (turn.outcome === 'mine') {
      request.onDecided((reply) => turn.release(reply !== null && !('refused' in reply)));
      return { passed: request };
    }
    const reply = await request.storedReply();
    if (reply) return { reply };
  }
}

/**
 * What a later stage, or the operation, answers; or, where that refuses a request whose key has an answer by
 * now, that answer: idempotency comes first (docs/specification.md "Request pipeline"). For a refusal by a used-up quota
 * this is needed because the request that used the last event may be this one's own first try, in another process.
 * Looking only after a refusal saves the look-up where a new key is accepted, which is nearly always.
 */
export async function unlessAnswered(request: Identified, reply: Reply): Promise<Reply> {
  if (!('refused' in reply)) return reply;
  return (await request.storedReply()) ?? reply;
}
