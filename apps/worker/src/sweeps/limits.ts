import { expireLimitedRuns, findWaitingLimited, type UnboundDatabase } from '@postrider/db';
import type { IdSource } from '@postrider/domain';
import type { LimitedChannels } from '../deliver/limited-channels.ts';

/** Channels that one round looks at. */
const MAX_CHANNELS = 200;
/** How long a run that could be claimed is left to the process that claims the channel's runs. */
const GRACE_MS = 500;

export interface LimitsDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly limitedChannels: Pick<LimitedChannels, 'defer'>;
  /** The channel of this UUID behind which the next round goes on, null from the beginning; rounds change it. */
  readonly turn: { after: string | null };
  /** Called when one channel failed; the others go on. */
  readonly onError: (error: unknown) => void;
}

/**
 * Has runs claimed that the limits of their channels allow and nobody has claimed: their jobs are gone, or the process that
 * saw to the channel is. Ends those that have waited for too long. Every worker does: the database decides between them. Returns how many
 * were ended.
 */
export async function sweepLimits({
  db,
  newId,
  limitedChannels,
  turn,
  onError,
}: LimitsDeps): Promise<number> {
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
  return ended;
}
