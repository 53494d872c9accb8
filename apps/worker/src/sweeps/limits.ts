import { expireLimitedRuns, findExpiredLimited, recordPresence, type UnboundDatabase } from '@postrider/db';
import type { IdSource } from '@postrider/domain';

/** Channels per round. */
const MAX_CHANNELS = 200;

export interface LimitsDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  /** The UUID of the channel after which the next round continues; null for the beginning. Rounds change it. */
  readonly cursor: { after: string | null };
  /** Called if one channel failed. The others continue. */
  readonly onError: (error: unknown) => void;
}

/** Ends runs that have waited too long for the limits of their channels. Every worker does this. Returns how many it ended. */
export async function sweepLimits({ db, newId, cursor, onError }: LimitsDeps): Promise<number> {
  await recordPresence(db);
  const found = await findExpiredLimited(db, { limit: MAX_CHANNELS, after: cursor.after });
  cursor.after = found.length < MAX_CHANNELS ? null : (found.at(-1)?.channelId ?? null);
  let ended = 0;
  for (const channel of found) {
    try {
      ended += await expireLimitedRuns({ db, newId }, channel);
    } catch (error) {
      onError(error);
    }
  }
  return ended;
}
