import { type ChannelKind, matchesEvent } from '@postrider/domain';
import type { Queryable } from '../client.ts';

/** Whether an enabled channel of this kind takes the event: what a template of the kind is for. */
export async function isTakenByChannel(
  db: Queryable,
  { environmentId, eventKey, kind }: { environmentId: string; eventKey: string; kind: ChannelKind },
): Promise<boolean> {
  const channels = await db.channel.findMany({
    where: { environmentId, kind, enabled: true, deletedAt: null },
    select: { eventKeys: true },
  });
  return channels.some(({ eventKeys }) => matchesEvent(eventKeys, eventKey));
}
