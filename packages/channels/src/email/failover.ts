import { createHash } from 'node:crypto';
import { failure, type SendFailure, type SendResult, type TriedSender } from '../sender.ts';
import { type BreakerKey, isRejected, type SenderBreakers } from './breakers.ts';
import type { ConfiguredSender, FailoverPolicy } from './senders.ts';

/** With less than this left of an attempt, in milliseconds, no further sender is tried. */
const LEAST_SHARE_MS = 500;
/** What is kept of the message of a sender that was tried before, in characters. */
const MAX_TRIED_MESSAGE = 300;

const HASH_BITS = 32;

/** A number between 0 and 1 that a run and a sender always have. */
function chance(runId: string, sender: string): number {
  const digest = createHash('sha256').update(`${runId} ${sender}`).digest();
  return (digest.readUInt32BE() + 1) / (2 ** HASH_BITS + 1);
}

/**
 * The order in which a run tries the senders: each run has its own, which all its attempts share, and over many runs the
 * first place falls by weight (weighted rendezvous hashing). Senders of weight 0 come last, as they are listed.
 */
export function orderSenders(
  senders: readonly ConfiguredSender[],
  runId: string,
): readonly ConfiguredSender[] {
  return senders
    .map((sender) => ({
      sender,
      rank:
        sender.weight === 0 ? Number.NEGATIVE_INFINITY : Math.log(chance(runId, sender.name)) / sender.weight,
    }))
    .sort((one, other) => (one.rank === other.rank ? 0 : other.rank - one.rank))
    .map(({ sender }) => sender);
}

/** Whether another sender may have the mail after this result. A rejection of the mail or its recipient holds for all. */
function mayMoveOn(result: SendResult, policy: FailoverPolicy): result is SendFailure {
  if (result.outcome === 'delivered' || isRejected(result)) return false;
  return result.outcome === 'failed' || policy === 'eager';
}

const toTried = (sender: string, { outcome, code, message }: SendFailure): TriedSender => ({
  ...{ sender, outcome, code },
  message: message.slice(0, MAX_TRIED_MESSAGE),
});

/** What an attempt comes to whose last sender gave `last`. One that may have taken the mail leaves the outcome unknown. */
function conclude(
  last: SendResult,
  sender: string,
  before: readonly SendFailure[],
  tried: TriedSender[],
): SendResult {
  if (before.length === 0) return { ...last, sender };
  if (last.outcome === 'delivered') return { ...last, sender, tried };
  const isUnknown = last.outcome === 'unknown' || before.some(({ outcome }) => outcome === 'unknown');
  const all = [...before, last];
  const waits = all.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]));
  return {
    ...last,
    sender,
    tried,
    outcome: isUnknown ? 'unknown' : 'failed',
    message: `${last.message} Tried before: ${tried.map((one) => `${one.sender} (${one.code})`).join(', ')}.`,
    retryable: !isRejected(last) && all.some(({ retryable }) => retryable),
    retryAfterMs: waits.length === all.length ? Math.min(...waits) : null,
  };
}

export interface FailoverAttempt {
  readonly runId: string;
  readonly channel: { readonly id: string; readonly revision: number };
  readonly policy: FailoverPolicy;
  /** Of the attempt as a whole, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Wall clock in milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Sends a mail by the first of several senders that takes it. `safe` moves on only after a sender that certainly did not
 * take it, `eager` also after one that may have. Senders that were found to be down come last. The attempt's time is shared:
 * each sender has half of what is left, the last one all of it, so that the attempt ends within its lease.
 * @param senders two at least
 * @param send one try by one sender, within this time limit in milliseconds
 */
export async function sendWithFailover(
  senders: readonly ConfiguredSender[],
  { runId, channel, policy, timeoutMs, signal, nowMs }: FailoverAttempt,
  breakers: SenderBreakers,
  send: (sender: ConfiguredSender, timeoutMs: number) => Promise<SendResult>,
): Promise<SendResult> {
  const deadline = nowMs() + timeoutMs;
  const { id: channelId, revision } = channel;
  const keyOf = ({ name }: ConfiguredSender): BreakerKey => ({ channelId, revision, sender: name });
  const before: SendFailure[] = [];
  const tried: TriedSender[] = [];

  /** One sender's result; it is settled whatever happens, so that a probe is never claimed for ever. */
  async function trySender(sender: ConfiguredSender, isLast: boolean): Promise<SendResult> {
    const leftMs = Math.max(1, deadline - nowMs());
    let result: SendResult | null = null;
    try {
      result = await send(sender, Math.ceil(isLast ? leftMs : leftMs / 2));
      return result;
    } finally {
      // What was ended from outside says nothing of the sender.
      breakers.settle(keyOf(sender), signal.aborted ? null : result, nowMs());
    }
  }

  /** Each sender once. A probe of one that is down is claimed only when its turn comes. */
  function* turns(): Generator<ConfiguredSender> {
    const down: ConfiguredSender[] = [];
    for (const sender of orderSenders(senders, runId)) {
      if (breakers.acquire(keyOf(sender), nowMs())) yield sender;
      else down.push(sender);
    }
    yield* down;
  }

  let left = senders.length;
  for (const sender of turns()) {
    left -= 1;
    const result = await trySender(sender, left === 0);
    const isOver = left === 0 || signal.aborted || deadline - nowMs() < LEAST_SHARE_MS;
    if (isOver || !mayMoveOn(result, policy)) return conclude(result, sender.name, before, tried);
    before.push(result);
    tried.push(toTried(sender.name, result));
  }
  return failure('smtp_connection_failed', 'The channel has no sender for this mail.');
}
