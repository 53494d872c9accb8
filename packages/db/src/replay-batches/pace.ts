import { type BucketRate, takeToken } from '@postrider/domain';

/** Half a second's worth may go at once, so that a worker that looks in a few times a second keeps the pace. */
const BURST_SECONDS = 0.5;

function rateOf(messagesPerSecond: number): BucketRate {
  return {
    requestsPerSecond: messagesPerSecond,
    burst: Math.max(1, Math.ceil(messagesPerSecond * BURST_SECONDS)),
  };
}

/** Messages that the pace allows at `nowMs`; `state` is what {@link afterTaking} gave, null at the beginning. */
export function messagesAllowed(state: number | null, nowMs: number, messagesPerSecond: number): number {
  const { allowed, remaining } = takeToken(state, nowMs, rateOf(messagesPerSecond));
  return allowed ? remaining + 1 : 0;
}

/** The state of the pace after `count` messages of those that it allowed. */
export function afterTaking(
  state: number | null,
  nowMs: number,
  messagesPerSecond: number,
  count: number,
): number | null {
  const rate = rateOf(messagesPerSecond);
  let next = state;
  for (let taken = 0; taken < count; taken += 1) next = takeToken(next, nowMs, rate).nextState;
  return next;
}
