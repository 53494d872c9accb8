import { type BucketRate, type ReplaySkipReason, takeTokens } from '@postrider/domain';
import type { PlannedRun } from '../accept/types.ts';
import type { Queryable } from '../client.ts';
import type { PlannedMessage } from './page-messages.ts';

/** Runs of replays that an environment may have open before a bulk replay waits: live traffic goes in between. */
export const MAX_OPEN_REPLAY_RUNS = 1_000;
/** Runs of replays that the environment has open; {@link MAX_OPEN_REPLAY_RUNS} stands for any more. */
export async function countOpenReplayRuns(tx: Queryable, environmentId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS open FROM (
      SELECT FROM delivery_runs
       WHERE environment_id = ${environmentId}::uuid AND replay > 0 AND completed_at IS NULL
       LIMIT ${MAX_OPEN_REPLAY_RUNS}) AS open_runs`;
  return row?.open ?? 0;
}

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
  const { taken, remaining } = takeTokens(state, nowMs, rateOf(messagesPerSecond));
  return taken + remaining;
}

/** The state of the pace after `count` messages of those that it allowed. */
export function afterTaking(
  state: number | null,
  nowMs: number,
  messagesPerSecond: number,
  count: number,
): number | null {
  return count === 0
    ? state
    : takeTokens(state, nowMs, rateOf(messagesPerSecond), { wanted: count }).nextState;
}

/** What one page does. */
export interface Page {
  readonly replays: readonly { readonly id: string; readonly runs: readonly PlannedRun[] }[];
  readonly skips: readonly ReplaySkipReason[];
  /** The message up to which the batch has come with it; null when it has come to the end. */
  readonly position: string | null;
  /** Whether nothing that matches comes after it. */
  readonly isLast: boolean;
  /** Whether its first message does not fit, so that it changes nothing. */
  readonly isEmpty: boolean;
}

interface Bounds {
  /** Where the search goes on after the messages; null when there are no more. */
  readonly nextAfter: string | null;
  readonly mostReplays: number;
  readonly openRuns: number;
  readonly mostOpenRuns: number;
}

/**
 * Takes of the planned messages, in their order, what fits the bounds. A message that by itself has more runs than may
 * be open is taken when nothing is open, or the batch would wait for ever.
 */
export function cutPage(
  planned: readonly PlannedMessage[],
  { nextAfter, mostReplays, openRuns, mostOpenRuns }: Bounds,
): Page {
  const replays: Page['replays'][number][] = [];
  const skips: ReplaySkipReason[] = [];
  let open = openRuns;
  let last: string | null = null;
  for (const message of planned) {
    if (message.outcome === 'replay') {
      const fits = open === 0 || open + message.runs.length <= mostOpenRuns;
      if (!fits || replays.length >= mostReplays) {
        return { replays, skips, position: last, isLast: false, isEmpty: last === null };
      }
      replays.push(message);
      open += message.runs.length;
    } else {
      skips.push(message.reason);
    }
    last = message.id;
  }
  return { replays, skips, position: nextAfter ?? last, isLast: nextAfter === null, isEmpty: false };
}
