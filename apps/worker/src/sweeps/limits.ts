import {
  expireLimitedRuns,
  findOverdueTests,
  findWaitingLimited,
  notePresence,
  type UnboundDatabase,
} from '@postrider/db';
import type { IdSource } from '@postrider/domain';
import type { EnqueueRuns } from '@postrider/queue';
import type { LimitedChannels } from '../deliver/limited-channels.ts';
import { jobsOf } from './due-runs.ts';

/** Channels that one round looks at. */
const MAX_CHANNELS = 200;
/** How long a run that could be claimed is left to the process that claims the channel's runs. */
const GRACE_MS = 500;
/** Tests of one round, and how long the job that was added when one was accepted has to start it. */
const MAX_TESTS = 100;
const TEST_GRACE_MS = 1_000;

export interface LimitsDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly enqueue: EnqueueRuns;
  readonly limitedChannels: Pick<LimitedChannels, 'defer'>;
  /** The channel of this UUID behind which the next round goes on, null from the beginning; rounds change it. */
  readonly turn: { after: string | null };
  /** Called when one channel failed; the others go on. */
  readonly onError: (error: unknown) => void;
}

/**
 * Has runs claimed that the limits of their channels allow and nobody has claimed: their jobs are gone, or the process that
 * saw to the channel is. Adds jobs for tests that have lost theirs, and ends runs that have waited for too long. Every worker
 * does: the database decides between them. Returns how many were ended.
 */
export async function sweepLimits({
  db,
  newId,
  enqueue,
  limitedChannels,
  turn,
  onError,
}: LimitsDeps): Promise<number> {
  await notePresence(db);
  const found = await findWaitingLimited(db, { limit: MAX_CHANNELS, after: turn.after, graceMs: GRACE_MS });
  turn.after = found.length < MAX_CHANNELS ? null : (found.at(-1)?.channelId ?? null);
  let ended = 0;
  for (const channel of found) {
    try {
      if (channel.hasExpired) ended += await expireLimitedRuns({ db, newId }, channel);
    } catch (error) {
      onError(error);
    }
    if (channel.isNeglected) limitedChannels.defer(channel);
  }
  await enqueue(jobsOf(await findOverdueTests(db, { limit: MAX_TESTS, graceMs: TEST_GRACE_MS })));
  return ended;
}
