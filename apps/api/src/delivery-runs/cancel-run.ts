import type { ChannelRegistry } from '@postrider/channels';
import { cancelRun, createAccepting, storeOnlyResponse } from '@postrider/db';
import { formatId, type RunStatus } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { jsonBytes, type Refusal, type Reply, refuse } from '../http/reply.ts';
import { CANCELLED_EXAMPLE } from '../openapi/examples.ts';
import { answers } from '../openapi/operation.ts';
import { stillInProgress } from '../pipeline/idempotency.ts';
import {
  type ApiRequest,
  auditOf,
  type OperationDeps,
  type PublicResource,
  publicOperation,
} from '../pipeline/stage.ts';
import { contentSchemas, getContent } from './content.ts';
import { presentRun } from './present.ts';
import { CANCEL_BODY_SCHEMA, deliverySchemas } from './schema.ts';

const OK = 200;

function notCancellable(status: RunStatus): Refusal {
  return refuse('delivery_run_not_cancellable', {
    details: [{ path: '', code: 'current_status', message: `The run is ${status}.`, status }],
  });
}

function runCancel({ db, newId }: OperationDeps) {
  const accept = createAccepting(db);

  return async (
    request: ApiRequest & { readonly ids: { readonly deliveryRunId: string } },
  ): Promise<Reply> => {
    const { claim, context, snapshot, ids } = request;
    const { deliveryRunId: runId } = ids;
    const environmentId = snapshot.environment.id;
    const cancelled = await accept(environmentId, async (tx) => {
      const outcome = await cancelRun(tx, { newId, environmentId, runId });
      if (outcome.outcome === 'run_not_found') return outcome;
      context.facts.message_id = formatId('msg', outcome.run.messageId);
      if (outcome.outcome === 'not_cancellable')
        return { outcome: 'not_cancellable' as const, status: outcome.run.status };
      const body = jsonBytes(presentRun(outcome.run));
      await auditOf({ newId }, request, {
        action: 'delivery_run.cancelled',
        resourceId: formatId('run', runId),
        after: { message_id: formatId('msg', outcome.run.messageId) },
      })?.(tx);
      if (claim) await storeOnlyResponse(tx, { ...claim, status: OK, body });
      return { outcome: 'cancelled' as const, body };
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
  };
}

const cancelDeliveryRun = publicOperation({
  method: 'post',
  path: '/api/v1/delivery-runs/{deliveryRunId}/cancel',
  operationId: 'cancelDeliveryRun',
  asOperator: 'cancelEnvironmentDeliveryRun',
  forConsumers: true,
  scope: 'deliveries:cancel',
  memory: MEMORY.page,
  summary: 'Cancel a scheduled delivery run',
  description:
    'Only a run that is still `scheduled` can be cancelled; it gets an attempt ' +
    '`scheduled_cancelled`. A cancelled run is never sent. Its event ' +
    'still counts against the quota. The body is optional.',
  traits: {
    idempotency: { operation: 'delivery-runs.cancel', key: 'honoured' },
    body: 'optional',
    share: 'work',
    checksQuotaAndPayment: false,
  },
  body: {
    schema: CANCEL_BODY_SCHEMA,
    examples: { empty: { summary: 'Without fields', value: {} } },
  },
  success: answers('DeliveryRun', CANCELLED_EXAMPLE),
  errors: ['delivery_run_not_cancellable'],
  run: runCancel,
});

export const deliveryRunsResource = (kinds: ChannelRegistry): PublicResource => ({
  tag: { name: 'Delivery runs', description: 'One delivery of a message to one channel.' },
  schemas: { ...deliverySchemas(kinds), ...contentSchemas(kinds) },
  operations: [cancelDeliveryRun, getContent],
});
