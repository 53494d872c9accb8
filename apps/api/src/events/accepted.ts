import type { Creation, RunSummary } from '@postrider/db';
import { formatId, formatOptionalTime, type JsonObject, type MessageStatus } from '@postrider/domain';
import { jsonBytes } from '../http/reply.ts';

/** A channel as runs show it. */
export function presentRunChannel({ id, kind, name }: RunSummary['channel']) {
  return { id: formatId('chn', id), kind, name };
}

/** A run as ingestion and replay show it (docs/specification.md, "Accepted event"). */
export function presentRunSummary({ id, channel, status, scheduledAt }: RunSummary) {
  return {
    id: formatId('run', id),
    channel: presentRunChannel(channel),
    status,
    scheduled_at: formatOptionalTime(scheduledAt),
  };
}

/** New runs are never terminal, and the runs of the newest replay decide the status. */
const STATUS_OF_NEW_RUNS: MessageStatus = 'pending';
const STATUS_WITHOUT_RUNS: MessageStatus = 'unrouted';

/** The bytes of a 201 of ingestion or replay (docs/specification.md, "Accepted event"). */
export function acceptedBody(
  { messageId, runs }: Pick<Creation, 'messageId' | 'runs'>,
  more: JsonObject = {},
): Uint8Array {
  return jsonBytes({
    message_id: formatId('msg', messageId),
    status: runs.length > 0 ? STATUS_OF_NEW_RUNS : STATUS_WITHOUT_RUNS,
    delivery_runs: runs.map(presentRunSummary),
    ...more,
  });
}
