import {
  type ConsumerDelivery,
  isDeliveryPosition,
  listConsumerDeliveries,
  readConsumerDelivery,
} from '@postrider/db';
import { isEventKey, type JsonObject, RUN_STATUSES } from '@postrider/domain';
import { presentRun } from '../../delivery-runs/present.ts';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import { MEMORY } from '../../http/memory.ts';
import { ok, refuse } from '../../http/reply.ts';
import { DELIVERIES_EXAMPLE } from '../../openapi/examples.ts';
import { pageOf, ref, type Schema } from '../../openapi/schema.ts';
import { described, idParameter, oneOf, textThat } from '../../paging/query.ts';
import { CHANNEL_ID_PATTERN } from '../../validation/body.ts';
import { type AdminOperation, listPage, withoutBody } from '../operation.ts';
import { CONSUMER, CONSUMER_PATH } from './schema.ts';

const RUN_CHANNEL = {
  type: 'string',
  pattern: CHANNEL_ID_PATTERN,
  description: 'The run’s channel.',
} as const;

const present = ({ eventKey, ...run }: ConsumerDelivery): JsonObject =>
  ({ ...presentRun(run), event_key: eventKey }) as JsonObject;

const [RUN_EXAMPLE] = DELIVERIES_EXAMPLE.delivery_runs;
const EXAMPLE = { ...RUN_EXAMPLE, event_key: 'order.shipped' };

export const CONSUMER_DELIVERY_SCHEMAS: Readonly<Record<string, Schema>> = {
  ConsumerDeliveryList: pageOf(
    'ConsumerDelivery',
    'A page of delivery runs, those of the newest messages first.',
  ),
};

export const DELIVERY_OPERATIONS: readonly AdminOperation[] = [
  listPage({
    path: `${CONSUMER_PATH}/deliveries`,
    operationId: 'listConsumerDeliveries',
    forConsumers: true,
    scope: 'messages:read',
    memory: MEMORY.page,
    summary: 'List the deliveries of a consumer',
    description:
      'The delivery runs of the consumer’s own channels, with their attempts, those of the newest messages first. Without runs of ' +
      'deleted channels. A filter that matches little examines about 5,000 runs at a time: a page can be short or empty while ' +
      '`has_more` is true.',
    parent: CONSUMER,
    filters: {
      // In the form that the search of messages has, so that the document shares it.
      channel_id: described(RUN_CHANNEL.description, idParameter('chn'), RUN_CHANNEL),
      status: described('Only runs with this status.', oneOf(RUN_STATUSES)),
      event_key: described(
        'Only of messages with this event key.',
        textThat(isEventKey, 'must be an event key, such as order.shipped'),
        EVENT_BODY_SCHEMA.properties.event_key,
      ),
    },
    orderedBy: isDeliveryPosition,
    read: (db, { parent: consumer, filter, after, limit }) =>
      listConsumerDeliveries(db, { consumer, ...filter, after, limit }),
    present,
    schema: ref('ConsumerDeliveryList'),
    example: EXAMPLE,
  }),
  withoutBody({
    path: `${CONSUMER_PATH}/deliveries/{deliveryRunId}`,
    operationId: 'getConsumerDelivery',
    forConsumers: true,
    scope: 'messages:read',
    memory: MEMORY.page,
    summary: 'Read a delivery of a consumer',
    description: 'A delivery run of one of the consumer’s own channels, with its attempts.',
    of: CONSUMER,
    success: { status: 200, schema: ref('ConsumerDelivery'), example: EXAMPLE },
    run: async (request, { db }) => {
      const { deliveryRunId: runId } = request.ids;
      const run = await readConsumerDelivery(db, { consumer: request.found, runId });
      return run ? ok(present(run)) : refuse('delivery_run_not_found');
    },
  }),
];
