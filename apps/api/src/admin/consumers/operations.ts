import { type ChannelRegistry, perRegistry } from '@postrider/channels';
import {
  type ConsumerDelivery,
  deleteConsumer,
  isChannelPosition,
  isDeliveryPosition,
  listChannels,
  listConsumerDeliveries,
  listConsumers,
  putConsumer,
  readConsumerDelivery,
  readConsumerUsage,
} from '@postrider/db';
import {
  type ConsumerRecord,
  invalid,
  isConsumerId,
  isEventKey,
  type JsonObject,
  MAX_CHANNELS_PER_CONSUMER,
  presentChannel,
  presentConsumer,
  RUN_STATUSES,
  reject,
} from '@postrider/domain';
import { presentRun } from '../../delivery-runs/present.ts';
import { EVENT_BODY_SCHEMA } from '../../events/schema.ts';
import { MEMORY } from '../../http/memory.ts';
import { DELIVERIES_EXAMPLE } from '../../openapi/examples.ts';
import { returns } from '../../openapi/operation.ts';
import { pageOf, ref, type Schema } from '../../openapi/schema.ts';
import { described, idParameter, oneOf, type Parameter, textThat } from '../../paging/query.ts';
import { compileBody, withRules } from '../../validation/body.ts';
import { CHANNEL_EXAMPLE } from '../channels/actions.ts';
import { createChannelWith, ORDER } from '../channels/operations.ts';
import { ENVIRONMENT } from '../environments.ts';
import {
  type AdminDeps,
  type AdminOperation,
  type AdminResource,
  adminOperation,
  find,
  listPage,
} from '../operation.ts';
import { RUN_CHANNEL, RUN_CHANNEL_DESCRIPTION } from '../replays/schema.ts';
import { standardOperationsOf } from '../standard-operations.ts';
import { createPortalSession, PORTAL_SESSION_SCHEMAS } from './portal-sessions.ts';
import {
  attributesIssues,
  bodySchema,
  CONSUMER,
  CONSUMER_PATH,
  CONSUMER_SCHEMAS,
  CONSUMERS_PATH,
  type ConsumerBody,
  EXAMPLE,
  SUMMARY_EXAMPLE,
  toSettings,
} from './schema.ts';

const present = ({ eventKey, ...run }: ConsumerDelivery): JsonObject =>
  ({ ...presentRun(run), event_key: eventKey }) as JsonObject;

const [RUN_EXAMPLE] = DELIVERIES_EXAMPLE.delivery_runs;
const DELIVERY_EXAMPLE = { ...RUN_EXAMPLE, event_key: 'order.shipped' };

const CONSUMER_DELIVERY_SCHEMAS: Readonly<Record<string, Schema>> = {
  ConsumerDeliveryList: pageOf(
    'ConsumerDelivery',
    'A page of delivery runs, those of the newest messages first.',
  ),
};

const DELIVERY_OPERATIONS: readonly AdminOperation[] = [
  listPage({
    path: `${CONSUMER_PATH}/deliveries`,
    operationId: 'listConsumerDeliveries',
    forTokens: 'reads',
    forConsumers: true,
    scope: 'messages:read',
    memory: MEMORY.page,
    summary: 'List the deliveries of a consumer',
    description:
      'The delivery runs of the consumer’s own channels, with their attempts. Runs of the newest messages come ' +
      'first; those of deleted channels are left out. A filter that matches little examines about 5,000 runs at a ' +
      'time: a page can be short or empty while `has_more` is true.',
    parent: CONSUMER,
    filters: {
      // In the form that the search of messages has, so that the document shares it.
      channel_id: described(RUN_CHANNEL_DESCRIPTION, idParameter('chn'), RUN_CHANNEL),
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
    example: DELIVERY_EXAMPLE,
  }),
  adminOperation({
    path: `${CONSUMER_PATH}/deliveries/{deliveryRunId}`,
    operationId: 'getConsumerDelivery',
    forTokens: 'reads',
    forConsumers: true,
    scope: 'messages:read',
    memory: MEMORY.page,
    summary: 'Read a delivery of a consumer',
    description: 'A delivery run of one of the consumer’s own channels, with its attempts.',
    of: CONSUMER,
    success: returns('ConsumerDelivery', DELIVERY_EXAMPLE),
    run: async (request, { db }) => {
      const { deliveryRunId: runId } = request.ids;
      const run = await readConsumerDelivery(db, { consumer: request.found, runId });
      return run ? present(run) : reject('delivery_run_not_found');
    },
  }),
];

const CONSUMER_CHANNELS_PATH = `${CONSUMER_PATH}/channels` as const;

const MAX_SEARCH_LENGTH = 100;

const NO_CONSUMER_ID = invalid([
  {
    path: '/id',
    code: 'invalid_format',
    message: 'in the path must have 1 to 128 letters, digits or characters of _ . : -',
  },
]);

async function presentWithUsage(db: AdminDeps['db'], consumer: ConsumerRecord): Promise<JsonObject> {
  const { months, ...usage } = await readConsumerUsage(db, consumer);
  const byMonth = months.map(({ periodStart, events }) => ({ period_start: periodStart, events }));
  return { ...presentConsumer(consumer), usage: { ...usage, months: byMonth } };
}

const STANDARD = standardOperationsOf({
  name: 'Consumer',
  // `Consumer` is a type of Java's own, which clients that are generated for Java import.
  schema: 'ConsumerDetails',
  all: CONSUMERS_PATH,
  one: CONSUMER_PATH,
  scopes: ['consumers:read', 'consumers:write'],
  forTokens: true,
  parent: ENVIRONMENT,
  present: presentConsumer,
  example: EXAMPLE,
  inList: { present: presentConsumer, example: SUMMARY_EXAMPLE },
});

const putWith = (kinds: ChannelRegistry) => {
  const schema = bodySchema(kinds);
  return STANDARD.put({
    memory: MEMORY.resource,
    description:
      'Creates the consumer or replaces its settings: fields that are left out get their defaults. Applies to ' +
      'events accepted from then on. Lowering a limit removes nothing that exists. Using the id of a deleted ' +
      'consumer again creates a new one without channels; the earlier messages are found under it.',
    body: {
      schema,
      validate: withRules(compileBody<ConsumerBody>(schema), [
        { reads: ['/attributes'], issuesOf: attributesIssues },
      ]),
      examples: {
        limited: {
          summary: 'With attributes and limits',
          value: {
            name: EXAMPLE.name,
            attributes: EXAMPLE.attributes,
            contact_email: EXAMPLE.contact_email,
            limits: { events_per_month: 10_000, channels: 5, channel_kinds: ['webhook'] },
          },
        },
        plain: { summary: 'Only an id', value: {} },
      },
    },
    refusals: { consumer: NO_CONSUMER_ID },
    run: async ({ ids: { environmentId, consumer: id }, body }, deps) => {
      const stored = await putConsumer(deps, { environmentId, id }, toSettings(body));
      return stored ? await presentWithUsage(deps.db, stored) : reject('environment_not_found');
    },
  });
};

const SEARCH: Parameter<string> = {
  parse: (text) =>
    text.length >= 1 && text.length <= MAX_SEARCH_LENGTH && !text.includes('\0') ? text : null,
  code: 'invalid_value',
  message: `must have 1 to ${MAX_SEARCH_LENGTH} characters`,
};

const listChannelsWith = (kinds: ChannelRegistry) =>
  listPage({
    path: CONSUMER_CHANNELS_PATH,
    operationId: 'listConsumerChannels',
    forTokens: 'reads',
    forConsumers: true,
    scope: 'channels:read',
    memory: MEMORY.page,
    summary: 'List the channels of a consumer',
    description: 'Without their secrets.',
    parent: CONSUMER,
    filters: { order: ORDER },
    orderedBy: isChannelPosition,
    read: (db, { parent: { environmentId, id: consumerId }, filter: { order }, after, limit }) =>
      listChannels(db, { environmentId, consumerId, order, after, limit }),
    present: (channel) => presentChannel(channel, kinds),
    schema: ref('ConfiguredChannelList'),
    example: { ...CHANNEL_EXAMPLE, consumer: 'org_42' },
  });

/** Once per registry, so that both APIs have the same schemas. */
export const consumersResource = perRegistry(
  (kinds): AdminResource => ({
    tag: {
      name: 'Consumers',
      description: 'Management: the customers of a tenant, with channels of their own.',
    },
    schemas: { ...CONSUMER_SCHEMAS, ...CONSUMER_DELIVERY_SCHEMAS, ...PORTAL_SESSION_SCHEMAS },
    operations: [
      putWith(kinds),
      STANDARD.list({
        memory: MEMORY.page,
        description: 'Ordered by id.',
        filters: {
          search: described(
            'The beginning of an id, or of a name, ignoring case. Only the first 1,000 names are searched.',
            SEARCH,
            { type: 'string', minLength: 1, maxLength: MAX_SEARCH_LENGTH },
          ),
        },
        orderedBy: isConsumerId,
        read: (db, { filter, ...page }) => listConsumers(db, { ...page, ...filter }),
      }),
      STANDARD.get({
        forConsumers: true,
        memory: MEMORY.resource,
        description:
          'The consumer and its usage. Callers bound to it get empty `attributes`, because these belong to the tenant.',
        of: CONSUMER,
        present: (consumer, db, { consumerId }) =>
          presentWithUsage(db, consumerId === null ? consumer : { ...consumer, attributes: {} }),
      }),
      STANDARD.remove({
        memory: MEMORY.resource,
        description:
          'Deletes the consumer and its channels. No further deliveries of them start, and waiting ones end as ' +
          '`failed` with an attempt `channel_disabled`. Messages and past deliveries stay readable; the name, ' +
          'contact and attributes are erased.',
        run: async (request, deps) => {
          // An unknown environment gets its own 404, as in all other operations.
          const { id: environmentId } = await find(deps.db, request, ENVIRONMENT);
          return deleteConsumer(deps, { environmentId, id: request.ids.consumer });
        },
      }),
      createChannelWith(kinds, {
        path: CONSUMER_CHANNELS_PATH,
        operationId: 'createConsumerChannel',
        forConsumers: true,
        summary: 'Create a channel of a consumer',
        description:
          'A destination of the consumer: it takes only events that name the consumer. All other operations on ' +
          `channels work on it. A consumer has at most ${MAX_CHANNELS_PER_CONSUMER} channels.`,
      }),
      listChannelsWith(kinds),
      ...DELIVERY_OPERATIONS,
      createPortalSession,
    ],
  }),
);
