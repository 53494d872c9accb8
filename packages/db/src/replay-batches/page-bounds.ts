import {
  type BucketRate,
  type ReplayBatchRecord,
  type ReplaySkipReason,
  takeTokens,
} from '@postrider/domain';
import type { PlannedRun } from '../accept/runs.ts';
import type { Queryable } from '../client.ts';
import { defineStatement } from '../statement.ts';
import { channelsSeenBy } from './change-batch.ts';
import type { PlannedMessage } from './page-messages.ts';

/** Open runs of a bulk replay at which it waits, so that live traffic is not delayed. */
export const MAX_OPEN_REPLAY_RUNS = 1_000;

/** The most open runs that are read to count those of a bulk replay. */
const MAX_EXAMINED = 10_000;

/** The open runs of a bulk replay. */
interface OpenReplayRuns {
  readonly count: number;
  /** Whether there may be more: it reads {@link MAX_EXAMINED} open runs, among which are those of others. */
  readonly isLowerBound: boolean;
}

const define = (open: string) =>
  defineStatement<
    Pick<ReplayBatchRecord, 'environmentId' | 'createdAt'> & {
      readonly channels?: readonly string[] | undefined;
    },
    { count: number; examined: number }
  >({
    text: `
    SELECT count(*) FILTER (WHERE is_own)::int AS count, count(*)::int AS examined
      FROM (${open} LIMIT ${MAX_EXAMINED}) AS open`,
  });
const countOfChannels = define(`
      SELECT replay > 0 AND created_at >= :createdAt::timestamptz AND replayed_by_consumer IS NOT NULL AS is_own
        FROM delivery_runs
       WHERE environment_id = :environmentId::uuid AND channel_id = ANY(:channels::uuid[]) AND completed_at IS NULL`);
const countOfEnvironment = define(`
      SELECT replayed_by_consumer IS NULL AS is_own FROM delivery_runs
       WHERE environment_id = :environmentId::uuid AND replay > 0 AND created_at >= :createdAt::timestamptz
         AND completed_at IS NULL
       ORDER BY created_at DESC`);

/**
 * Counts the open runs of replays that were made in the environment since the bulk replay. They are its own, because an environment has
 * one open bulk replay, and those of single replays. Runs that an earlier one left to a failing channel do not count: they may be open
 * for days. Replays by callers of consumers only count for a bulk replay of that consumer, whose are those of its channels, and for
 * which the runs of others are not read.
 */
export async function countOpenReplayRuns(
  tx: Queryable,
  batch: Pick<ReplayBatchRecord, 'environmentId' | 'createdAt' | 'consumerId' | 'channelIds'>,
): Promise<OpenReplayRuns> {
  const { environmentId, createdAt } = batch;
  const channels = channelsSeenBy(batch);
  const [row] = await (channels ? countOfChannels : countOfEnvironment)(tx, {
    environmentId,
    createdAt,
    channels,
  });
  return { count: row?.count ?? 0, isLowerBound: row?.examined === MAX_EXAMINED };
}

/**
 * The seconds of the pace that may be used at once, so that a worker that polls a few times a second keeps the pace.
 */
const BURST_SECONDS = 0.5;

function rateOf(messagesPerSecond: number): BucketRate {
  return {
    requestsPerSecond: messagesPerSecond,
    burst: Math.max(1, Math.ceil(messagesPerSecond * BURST_SECONDS)),
  };
}

/**
 * The messages that the pace allows at `nowMs`; `state` is the result of {@link afterTaking}, null at the beginning.
 */
export function messagesAllowed(state: number | null, nowMs: number, messagesPerSecond: number): number {
  const { taken, remaining } = takeTokens(state, nowMs, rateOf(messagesPerSecond));
  return taken + remaining;
}

/** The state of the pace after `count` messages. */
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
  /** The last message of the page; null if the batch is done. */
  readonly position: string | null;
  /** Whether no matching message follows. */
  readonly isLast: boolean;
  /** Whether not even the first message fits, so that the page changes nothing. */
  readonly isEmpty: boolean;
}

interface Bounds {
  /** Where the search continues after these messages; null if there are no more. */
  readonly nextAfter: string | null;
  readonly mostReplays: number;
  readonly openRuns: number;
  readonly mostOpenRuns: number;
}

/**
 * Takes the planned messages, in order, that fit within the limits. A message with more runs than may be open is
 * taken alone if none is open; otherwise the batch would never end.
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
