import type { ChannelRegistry } from '@postrider/channels';
import { acceptInEnvironment, cancelRun, storeResponse } from '@postrider/db';
import { formatId, refuse, reject } from '@postrider/domain';
import { MEMORY } from '../http/memory.ts';
import { ok, type Success } from '../http/reply.ts';
import { CANCELLED_EXAMPLE } from '../openapi/examples.ts';
import { returns } from '../openapi/operation.ts';
import {
  type OperationDeps,
  operatorAudit,
  type PublicResource,
  publicOperation,
} from '../pipeline/operation.ts';
import type { ApiRequest } from '../pipeline/stage.ts';
import { contentSchemas, getContent } from './content.ts';
import { presentRun } from './present.ts';
import { CANCEL_BODY_SCHEMA, deliverySchemas } from './schema.ts';

function runCancel({ db, newId }: OperationDeps) {
  return ({
    claim,
    context,
    snapshot,
    actor,
    ids: { deliveryRunId: runId },
  }: ApiRequest & { readonly ids: { readonly deliveryRunId: string } }): Promise<Success> => {
    const environmentId = snapshot.environment.id;
    return acceptInEnvironment(db, environmentId, async (tx) => {
      const { isCancelled, run } = await cancelRun(tx, { newId, environmentId, runId });
      const message_id = formatId('msg', run.messageId);
      context.facts.message_id = message_id;
      if (!isCancelled) {
        const { status } = run;
        const details = [
          { path: '', code: 'current_status', message: `The run is ${status}.`, status } as const,
        ];
        reject(refuse('delivery_run_not_cancellable', { details }));
      }
      const reply = ok(presentRun(run));
      await operatorAudit(
        { newId },
        { actor, snapshot },
        {
          action: 'delivery_run.cancelled',
          resourceId: formatId('run', runId),
          after: { message_id },
        },
      )?.(tx);
      if (claim) await storeResponse(tx, { ...claim, ...reply });
      return reply;
    });
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
    share: 'work',
    checksQuotaAndPayment: false,
  },
  body: {
    use: 'optional',
    schema: CANCEL_BODY_SCHEMA,
    examples: { empty: { summary: 'Without fields', value: {} } },
  },
  success: returns('DeliveryRun', CANCELLED_EXAMPLE),
  errors: ['delivery_run_not_cancellable'],
  run: runCancel,
});

export const deliveryRunsResource = (kinds: ChannelRegistry): PublicResource => ({
  tag: { name: 'Delivery runs', description: 'One delivery of a message to one channel.' },
  schemas: { ...deliverySchemas(kinds), ...contentSchemas(kinds) },
  operations: [cancelDeliveryRun, getContent],
});
