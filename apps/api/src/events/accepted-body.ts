import type { DraftedRuns } from '@postrider/db';
import { formatId, type MessageStatus } from '@postrider/domain';
import { presentRunSummary } from '../delivery-runs/present.ts';
import { jsonBytes } from '../http/reply.ts';

/** New runs are never terminal, and the runs of the newest replay are what counts. */
const STATUS_OF_NEW_RUNS: MessageStatus = 'pending';

/** The bytes of a 201 of ingestion or replay: docs/specification.md, "Accepted event". */
export function acceptedBody({ messageId, runs }: DraftedRuns): Uint8Array {
  return jsonBytes({
    message_id: formatId('msg', messageId),
    status: STATUS_OF_NEW_RUNS,
    delivery_runs: runs.map(presentRunSummary),
  });
}
