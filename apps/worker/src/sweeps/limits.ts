import {
  expireLimitedRuns,
  findOverdueTests,
  findWaitingLimited,
  recordPresence,
  type UnboundDatabase,
} from '@postrider/db';
import type { IdSource } from '@postrider/domain';
import type { EnqueueRuns } from '@postrider/queue';
import type { LimitedChannels } from '../deliver/limited-channels.ts';
import { jobsOf } from './due-runs.ts';

/** Channels per round. */
const MAX_CHANNELS = 200;
/** How long a claimable run is left to the process that claims the channel's runs. */
const GRACE_MS = 500;
/** Tests per round, and how long a test's first job has to start it. */
const MAX_TESTS = 100;
const TEST_GRACE_MS = 1_000;

export interface LimitsDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly enqueue: EnqueueRuns;
  readonly limitedChannels: Pick<LimitedChannels, 'defer'>;
  /** The UUID of the channel after which the next round continues; null for the beginning. Rounds change it. */
  readonly turn: { after: string | null };
  /** Called if one channel failed. The others continue. */
  readonly onError: (error: unknown) => void;
}

/**
 * Defers limited channels whose runs could be claimed but are not, because their jobs or the process that claimed for
 * the channel are gone. Adds jobs for tests that have lost theirs, and ends runs that have waited too long. Every
 * worker does this; the database coordinates them. Returns how many were ended.
 */
export async function sweepLimits({
  db,
  newId,
  enqueue,
  limitedChannels,
  turn,
  onError,
}: LimitsDeps): Promise<number> {
  await recordPresence(db);
  const found = await findWaitingLimited(db, { limit: MAX_CHANNELS, after: turn.after, graceMs: GRACE_MS });
  turn.after = found.length < MAX_CHANNELS ? null : (found.at(-1)?.channelId ?? null);
  let ended = 0;
  for (const channel of found) {
    try {
      if (channel.hasExpired) ended += await expireLimitedRuns({ db, newId }, channel);
    } catch (error) {
      onError(error);
    }
    if (channel.isOverdue) limitedChannels.defer(channel);
  }
  await enqueue(jobsOf(await findOverdueTests(db, { limit: MAX_TESTS, graceMs: TEST_GRACE_MS })));
  return ended;
}
