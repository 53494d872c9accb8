import type { ChannelRegistry } from '@postrider/channels';
import { deleteChannel, findGoneListeners, type UnboundDatabase, WORKER_ACTOR } from '@postrider/db';
import type { IdSource } from '@postrider/domain';

/** Channels with limits per round. */
const AT_ONCE = 500;

/** Where the next round begins. */
export interface ListenersCursor {
  after: string | null;
}

/**
 * Deletes the channels of listeners that have not come back, as after the crash of a laptop. Every worker does this. Returns how many
 * it deleted.
 */
export async function sweepListeners(
  deps: { readonly db: UnboundDatabase; readonly newId: IdSource; readonly kinds: ChannelRegistry },
  cursor: ListenersCursor,
): Promise<number> {
  const { gone, after } = await findGoneListeners(deps.db, { after: cursor.after, limit: AT_ONCE });
  cursor.after = after;
  let deleted = 0;
  for (const id of gone) {
    const { outcome } = await deleteChannel({ ...deps, actor: WORKER_ACTOR }, id);
    if (outcome === 'deleted') deleted += 1;
  }
  return deleted;
}
