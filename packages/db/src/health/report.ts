import type { ChannelRecord, JsonObject, OperationalEventType } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { emitOperational } from '../operational/emit.ts';

/** A change of the state of a channel; `transitions` tells it from the others of the channel. */
interface HealthReport {
  readonly type: Extract<OperationalEventType, 'channel.failing' | 'channel.paused' | 'channel.recovered'>;
  readonly transitions: number | string;
  readonly facts: JsonObject;
}

/** Reports a change of the state of a channel in its transaction, once; none of a channel that takes such reports. */
export async function reportHealth(
  tx: Queryable,
  { id, environmentId, name, kind, operational }: ChannelRecord,
  { type, transitions, facts }: HealthReport,
): Promise<void> {
  if (operational) return;
  await emitOperational(tx, {
    environmentId,
    type,
    payload: { channel_id: id, name, kind, ...facts },
    dedupeKey: `channel/${id}/${transitions}`,
  });
}
