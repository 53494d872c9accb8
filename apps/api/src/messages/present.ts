import type { MessageRecord } from '@postrider/db';
import { formatId, formatOptionalTime, formatTime } from '@postrider/domain';
import { presentRunSummary } from '../delivery-runs/present.ts';

/** A message record: docs/specification.md, "Message". */
export function presentMessage(message: MessageRecord) {
  const id = formatId('msg', message.id);
  return {
    id,
    message_id: id,
    event_key: message.eventKey,
    status: message.status,
    recipient: message.recipient,
    payload: message.payload,
    schedule_at: formatOptionalTime(message.scheduleAt),
    request_id: message.requestId,
    test: message.test,
    created_at: formatTime(message.createdAt),
    delivery_runs: message.runs.map(presentRunSummary),
  };
}
