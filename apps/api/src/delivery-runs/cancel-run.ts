import { createCancel, type Database, type DeliveryRunRecord } from '@postrider/db';
import { formatId, type IdSource, parseId, type RunStatus } from '@postrider/domain';
import type { Operation } from '../http/protected-route.ts';
import { jsonBytes, type Refusal, type Reply, refuse } from '../http/reply.ts';
import { stillInProgress } from '../pipeline/enforce-idempotency.ts';
import type { Identified } from '../pipeline/stage.ts';
import { compileBody } from '../validation/body-validator.ts';
import { invalid, parseOptionalBody } from '../validation/parse-body.ts';
import { presentRun } from './present.ts';
import { CANCEL_BODY_SCHEMA } from './schema.ts';

const OK = 200;

function notCancellable(status: RunStatus): Refusal {
  return refuse('delivery_run_not_cancellable', {
    details: [{ path: '', code: 'current_status', message: `The run is ${status}.`, status }],
  });
}

/** POST /api/v1/delivery-runs/{deliveryRunId}/cancel: cancels a run that is still `scheduled`. */
export function cancelRun({ db, newId }: { db: Database; newId: IdSource }): Operation {
  const validateBody = compileBody<Record<string, never>>(CANCEL_BODY_SCHEMA);
  const cancelScheduledRun = createCancel({ db, newId });

  async function run(request: Identified): Promise<Reply> {
    const parsed = parseOptionalBody(request.bytes);
    if (parsed.outcome === 'refused') return parsed.refusal;
    const { faults } = validateBody(parsed.value);
    if (faults.length > 0) return invalid(faults);
    const runId = parseId('run', String(request.http.params.deliveryRunId));
    return runId === null ? refuse('delivery_run_not_found') : cancel(request, runId);
  }

  async function cancel(request: Identified, runId: string): Promise<Reply> {
    const cancelled = await cancelScheduledRun({
      environmentId: request.snapshot.environment.id,
      runId,
      idempotency: request.claim,
      responseStatus: OK,
      respond: (record: DeliveryRunRecord) => {
        request.context.facts.message_id = formatId('msg', record.messageId);
        return jsonBytes(presentRun(record));
      },
    });
    switch (cancelled.outcome) {
      case 'cancelled':
        return { status: OK, body: cancelled.body };
      case 'not_cancellable':
        return notCancellable(cancelled.status);
      case 'run_not_found':
        return refuse('delivery_run_not_found');
      case 'duplicate':
      case 'in_progress':
        return stillInProgress();
    }
  }

  return {
    method: 'POST',
    path: '/api/v1/delivery-runs/:deliveryRunId/cancel',
    traits: {
      idempotency: { operation: 'delivery-runs.cancel', key: 'honoured' },
      body: 'optional',
      createsDeliveries: false,
    },
    run,
  };
}
