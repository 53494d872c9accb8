import type { ChannelRecord, JsonObject, OperationalEventType } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { emitOperational } from '../operational/emit.ts';

/** A state change of a channel. `transitions` distinguishes it from the channel's other changes. */
interface HealthReport {
  readonly type: Extract<OperationalEventType, 'channel.failing' | 'channel.paused' | 'channel.recovered'>;
  readonly transitions: number | string;
  readonly facts: JsonObject;
}

/**
 * Reports a state change of a channel once, in its transaction. Operational channels are not reported, to avoid
 * loops.
 */
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
