import { type ChannelFacts, createBatcher, findChannels, type UnboundDatabase } from '@postrider/db';
import { LRUCache } from '@postrider/domain';

/** How many channels are cached, and for how many milliseconds: an environment can move to another tenant. */
const KEPT = { max: 10_000, ttl: 60_000 };

/**
 * Creates a look-up of channels by their UUIDs, up to a minute old. Null for an unknown one. Concurrent calls share a query. It
 * works across environments, because a job only names its channel; a claim only sees rows of the channel's environment.
 */
export function createChannelFacts(
  across: UnboundDatabase,
): (channelId: string) => Promise<ChannelFacts | null> {
  const cached = new LRUCache<string, ChannelFacts>(KEPT);
  const find = createBatcher<string, ChannelFacts | null>((ids) => findChannels(across, ids), {
    maxItems: 256,
    maxInFlight: 1,
    isItemError: () => false,
  });
  return async (channelId) => {
    const known = cached.get(channelId);
    if (known) return known;
    const found = await find(channelId);
    if (found) cached.set(channelId, found);
    return found;
  };
}
