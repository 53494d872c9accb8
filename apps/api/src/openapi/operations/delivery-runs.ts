import { CANCEL_BODY_SCHEMA } from '../../delivery-runs/schema.ts';
import { CANCELLED_EXAMPLE } from '../examples.ts';
import type { PublicOperationDoc } from '../operation-doc.ts';
import { DELIVERY_RUN_ID } from '../parameters.ts';
import { ref } from '../schema-object.ts';

export const CANCEL_DELIVERY_RUN: PublicOperationDoc = {
  method: 'post',
  path: '/api/v1/delivery-runs/{deliveryRunId}/cancel',
  operationId: 'cancelDeliveryRun',
  tag: 'Delivery runs',
  summary: 'Cancel a scheduled delivery run',
  description:
    'Only a run that is still `scheduled` can be cancelled, and records an attempt `scheduled_cancelled`. ' +
    'A run that is answered as cancelled is never sent. The event that it came from stays counted. The ' +
    'body may be left out.',
  traits: {
    idempotency: { operation: 'delivery-runs.cancel', key: 'honoured' },
    body: 'optional',
    createsDeliveries: false,
  },
  parameters: [DELIVERY_RUN_ID],
  body: {
    schema: CANCEL_BODY_SCHEMA,
    examples: { empty: { summary: 'It has no fields', value: {} } },
  },
  success: { status: 200, schema: ref('DeliveryRun'), example: CANCELLED_EXAMPLE },
  errors: ['delivery_run_not_found', 'delivery_run_not_cancellable'],
};
