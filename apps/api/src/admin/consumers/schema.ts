import { perRegistry } from '@postrider/channels';
import { readConsumer } from '@postrider/db';
import {
  type ConsumerRecord,
  type ConsumerSettings,
  type Detail,
  MAX_CHANNELS_PER_CONSUMER,
  MAX_CONSUMER_ATTRIBUTES_LENGTH,
  NEW_CONSUMER,
  PLAIN_TEXT_PATTERN,
  parseFields,
} from '@postrider/domain';
import * as json from '../../openapi/schema.ts';
import { ENVIRONMENT } from '../environments.ts';
import type { Named } from '../operation.ts';

export const CONSUMERS_PATH = '/admin/v1/environments/{environmentId}/consumers';
export const CONSUMER_PATH = `${CONSUMERS_PATH}/{consumer}` as const;

/** How paths identify a consumer. */
export const CONSUMER: Named<ConsumerRecord> = {
  parent: ENVIRONMENT,
  name: 'consumer',
  read: (db, id, environmentId) => readConsumer(db, { environmentId, id }),
};

const MAX_NAME_LENGTH = 200;

const ABOUT = {
  name: 'Its name.',
  attributes: 'Data that channel filters can compare, as `consumer.attributes`.',
  contact_email: 'The address for notices about its channels.',
  enabled: 'Whether its channels take events. Waiting deliveries are sent in either case.',
  events_per_month: 'Events per month (UTC); 402 `quota_exceeded` beyond. Replays do not count.',
  events_per_second: 'Events per second; 429 `rate_limited` beyond.',
  channels: `Channels, at most ${MAX_CHANNELS_PER_CONSUMER}.`,
  channel_kinds: 'The kinds of channel that it may have; null: all of the plan.',
} as const;

const limit = (minimum: number, maximum: number, description: string) =>
  ({ type: ['integer', 'null'], minimum, maximum, description }) as const;

/** Body of PUT …/consumers/{consumer} (docs/specification.md, "Consumers"). */
export const bodySchema = perRegistry((kinds) =>
  json.closedObject([], {
    name: {
      type: ['string', 'null'],
      maxLength: MAX_NAME_LENGTH,
      pattern: PLAIN_TEXT_PATTERN,
      default: null,
      description: ABOUT.name,
    },
    attributes: {
      type: 'object',
      additionalProperties: true,
      default: {},
      description: `${ABOUT.attributes} At most ${MAX_CONSUMER_ATTRIBUTES_LENGTH} characters of JSON.`,
    },
    contact_email: {
      type: ['string', 'null'],
      format: 'email',
      default: null,
      description: ABOUT.contact_email,
    },
    enabled: json.option(true, ABOUT.enabled),
    limits: {
      type: 'object',
      additionalProperties: false,
      description: 'Null: only the limits of the tenant apply.',
      properties: {
        events_per_month: limit(0, 2_147_483_647, ABOUT.events_per_month),
        events_per_second: limit(1, 100_000, ABOUT.events_per_second),
        channels: limit(0, MAX_CHANNELS_PER_CONSUMER, ABOUT.channels),
        channel_kinds: {
          type: ['array', 'null'],
          uniqueItems: true,
          maxItems: kinds.definitions.length,
          items: {
            title: 'Consumer channel kind',
            type: 'string',
            enum: kinds.definitions.map(({ kind }) => kind),
          },
          description: ABOUT.channel_kinds,
        },
      },
    },
  }),
);

export type ConsumerBody = json.BodyOf<ReturnType<typeof bodySchema>>;

/** The issues of attributes that are too large. */
export const attributesIssues = ({ attributes = {} }: ConsumerBody): Detail[] =>
  JSON.stringify(attributes).length <= MAX_CONSUMER_ATTRIBUTES_LENGTH
    ? []
    : [
        {
          path: '/attributes',
          code: 'too_large',
          message: `must not have more than ${MAX_CONSUMER_ATTRIBUTES_LENGTH} characters of JSON`,
        },
      ];

export function toSettings({ limits = {}, ...body }: ConsumerBody): ConsumerSettings {
  const { channels: maxChannels, ...others } = limits;
  return parseFields<ConsumerSettings>({ ...body, ...others, max_channels: maxChannels }, NEW_CONSUMER);
}

const FIELDS = {
  environment_id: json.id('env', 'Its environment.'),
  id: json.text('Your own id for it.'),
  name: json.nullable(json.text(ABOUT.name)),
  attributes: json.openObject(ABOUT.attributes),
  contact_email: json.nullable(json.text(ABOUT.contact_email)),
  enabled: json.flag(ABOUT.enabled),
  limits: json.record('Null: only the limits of the tenant apply.', {
    events_per_month: json.limit(ABOUT.events_per_month),
    events_per_second: json.limit(ABOUT.events_per_second),
    channels: json.limit(ABOUT.channels),
    channel_kinds: json.nullable(json.list(json.text('A kind of channel.'), ABOUT.channel_kinds)),
  }),
  created_at: json.time('When it was created.'),
  updated_at: json.time('When it was last changed.'),
} as const;

export const CONSUMER_SCHEMAS: json.Schemas = {
  ConsumerDetails: json.record('A customer of the tenant, with channels and limits of its own.', {
    ...FIELDS,
    usage: json.record('What it has used of its limits.', {
      events: json.count('Events of this month (UTC).'),
      channels: json.count('Channels.'),
      months: json.list(
        json.record('The usage of a month.', {
          period_start: { type: 'string', format: 'date', description: 'The first day of the month, UTC.' },
          events: json.count('Events of the month.'),
        }),
        'The months of the last 400 days that had events, and the current one, newest first.',
      ),
    }),
  }),
  ConsumerSummary: json.record('A consumer without its usage.', FIELDS),
  ConsumerList: json.pageOf('ConsumerSummary', 'A page of consumers, by their ids.'),
};

export const SUMMARY_EXAMPLE = {
  id: 'org_42',
  name: 'Acme GmbH',
  attributes: { tier: 'gold' },
  contact_email: 'ops@acme.example.com',
  enabled: true,
  limits: { events_per_month: 10_000, channels: 5, channel_kinds: ['webhook'] },
};
export const EXAMPLE = {
  ...SUMMARY_EXAMPLE,
  usage: {
    events: 312,
    channels: 2,
    months: [
      { period_start: '2026-11-01', events: 312 },
      { period_start: '2026-10-01', events: 4_020 },
    ],
  },
};
