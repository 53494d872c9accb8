import { createHash, randomUUID } from 'node:crypto';
import { createTraceId } from '@postrider/domain';
import type { EventToAccept } from '../accept/ingest.ts';
import { draftRuns } from '../accept/runs.ts';
import type { PlannedRun } from '../accept/types.ts';
import { EMPTY_FIELDS, type NewMessage } from '../message-fields.ts';

export interface TestEventInput extends Partial<NewMessage> {
  readonly runs: readonly PlannedRun[];
  /** Idempotency-Key; one of its own when left out. */
  readonly key?: string;
  readonly fingerprint?: Uint8Array;
  readonly traceparent?: string | null;
}

/** An event that is ready to be accepted, dated now, with a response that names its message and its runs. */
export function testEvent(
  { tenantId, environmentId }: { readonly tenantId: string; readonly environmentId: string },
  { runs, key = randomUUID(), fingerprint, traceparent = null, ...message }: TestEventInput,
): EventToAccept {
  const drafted = draftRuns(runs, { now: new Date(), scheduleAt: message.scheduleAt ?? null });
  const body = { messageId: drafted.messageId, runs: drafted.runs.map(({ id }) => id) };
  return {
    ...drafted,
    tenantId,
    environmentId,
    message: {
      ...EMPTY_FIELDS,
      eventKey: 'order.shipped',
      recipient: { email: 'ada@example.com' },
      payload: { order: 1 },
      traceId: createTraceId(),
      test: false,
      ignoreSuppression: false,
      ...message,
    },
    replay: 0,
    traceparent,
    response: {
      environmentId,
      operation: 'events.create',
      key,
      fingerprint: fingerprint ?? createHash('sha256').update(key).digest(),
      responseStatus: 201,
      responseBody: Buffer.from(JSON.stringify(body)),
    },
    bytes: 100,
  };
}
