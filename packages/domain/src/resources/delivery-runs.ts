import type { ChannelKind } from '../channels/channel-kinds.ts';
import { formatId } from '../ids.ts';
import type { RunStatus } from '../states.ts';
import { formatOptionalTime } from '../timestamp.ts';

/** A delivery run in short. Ids are UUIDs. */
export interface RunSummary {
  readonly id: string;
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly name: string };
  readonly status: RunStatus;
  readonly scheduledAt: Date | null;
}

/** A channel as runs show it. */
export function presentRunChannel({ id, kind, name }: RunSummary['channel']) {
  return { id: formatId('chn', id), kind, name };
}

/** A run as ingestion, replay and the message record show it (docs/specification.md, "Accepted event"). */
export function presentRunSummary({ id, channel, status, scheduledAt }: RunSummary) {
  return {
    id: formatId('run', id),
    channel: presentRunChannel(channel),
    status,
    scheduled_at: formatOptionalTime(scheduledAt),
  };
}
