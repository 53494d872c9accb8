import type { SchemaObject } from 'ajv';
import { OUTCOME_EVENT_TYPES } from '../event-key.ts';
import { defaultsOf, option, type SettingsOf, wholeNumber } from '../fields.ts';
import { PLAIN_TEXT_PATTERN } from '../one-line.ts';
import { DEFAULT_LOCALE, LOCALE_PATTERN } from '../templates/resources.ts';
import { DEFAULT_PORTAL_SETTINGS, type PortalSettings } from './portal.ts';

/** A language of templates. */
export const LOCALE_SCHEMA = {
  type: 'string',
  pattern: LOCALE_PATTERN,
  description: 'A language, with script and region where they matter (BCP 47), such as `fr` or `fr-CA`.',
  examples: ['fr-CA'],
} as const satisfies SchemaObject;

/** One of two values, the default first. */
const oneOfTwo = <const Value extends string>(values: readonly [Value, Value], description: string) =>
  ({ type: 'string', enum: [...values], default: values[0], description }) as const;

export const COMPLAINT_RATES = {
  minimum: 0.0001,
  maximum: 1,
  description:
    'The share of a day’s email with complaints at which a stream is paused, such as 0.003. Null: never.',
} as const;

const MAX_NAMED_STREAMS = 100;
const MAX_LANGUAGES = 50;
const MAX_STREAM_NAME = 100;

const STREAM_NAMES_SCHEMA = {
  type: 'object',
  maxProperties: MAX_NAMED_STREAMS,
  description:
    'The names of streams for recipients, by stream and language, such as `{"news": {"en": "Newsletter"}}`. The pages of ' +
    'unsubscribe links show them.',
  additionalProperties: {
    type: 'object',
    maxProperties: MAX_LANGUAGES,
    additionalProperties: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_STREAM_NAME,
      pattern: PLAIN_TEXT_PATTERN,
    },
  },
} as const satisfies SchemaObject;

const OUTCOME_EVENTS_SCHEMA = {
  type: 'array',
  maxItems: OUTCOME_EVENT_TYPES.length,
  uniqueItems: true,
  items: { title: 'Outcome event', type: 'string', enum: [...OUTCOME_EVENT_TYPES] },
  description:
    'The outcomes of deliveries, such as `run.succeeded`, that operational channels get besides the events about ' +
    'the service. Each adds a row per delivery.',
} as const satisfies SchemaObject;

/** The settings of an environment in requests, but for its portal (docs/specification.md, "Environments"). */
export const ENVIRONMENT_SETTINGS = {
  unmatched_events: oneOfTwo(
    ['refuse', 'store'],
    'What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers ' +
      '201 with the status `unrouted`, counts the event once, and keeps it for a replay.',
  ),
  missing_email_template: oneOfTwo(
    ['refuse', 'skip'],
    'What happens to an event that an email channel takes without having an active template for it: `refuse` answers ' +
      '422 `template_not_found`; `skip` creates delivery runs only for the other channels.',
  ),
  idempotency_keys: oneOfTwo(
    ['uuid', 'any'],
    'Which Idempotency-Keys are accepted: only a `uuid`, or `any` key of 1 to 255 visible ASCII characters.',
  ),
  unknown_consumers: oneOfTwo(
    ['refuse', 'create'],
    'What happens to an event that names an unknown consumer: `refuse` answers 422 `unknown_consumer`; `create` ' +
      'creates it.',
  ),
  https_only: option(
    false,
    'Whether channels must have https URLs. Cannot be set while one has an http URL.',
  ),
  default_locale: {
    ...LOCALE_SCHEMA,
    default: DEFAULT_LOCALE,
    description:
      'The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing ' +
      'it creates new versions of the active templates.',
  },
  soft_bounce_limit: wholeNumber(
    0,
    100,
    5,
    'The number of consecutive temporary bounces that suppress an address for a while; 0: never.',
  ),
  soft_bounce_days: wholeNumber(1, 90, 7, 'The number of days within which they count.'),
  soft_bounce_pause_days: wholeNumber(1, 365, 7, 'For how many days the address is then suppressed.'),
  pause_streams_at_complaint_rate: { ...COMPLAINT_RATES, type: ['number', 'null'], default: null },
  stream_names: { ...STREAM_NAMES_SCHEMA, default: {} },
  outcome_events: { ...OUTCOME_EVENTS_SCHEMA, default: [] },
} as const satisfies Record<string, SchemaObject>;

/** How an environment handles its events. */
export type EnvironmentSettings = SettingsOf<typeof ENVIRONMENT_SETTINGS> & {
  readonly portal: PortalSettings;
};

export const DEFAULT_ENVIRONMENT_SETTINGS: EnvironmentSettings = {
  ...defaultsOf(ENVIRONMENT_SETTINGS),
  portal: DEFAULT_PORTAL_SETTINGS,
};

export type StreamNames = EnvironmentSettings['streamNames'];

/**
 * The name of a stream for a recipient: in the first of these languages that has one, in a language of the same primary
 * subtag if need be; else the stream itself.
 */
export function streamNameIn(names: StreamNames, stream: string, languages: readonly string[]): string {
  const own = Object.entries(names[stream] ?? {}).map(
    ([locale, name]) => [locale.toLowerCase(), name] as const,
  );
  const primaryOf = (language: string) => language.split('-', 1)[0];
  for (const language of languages.map((each) => each.toLowerCase())) {
    const found =
      own.find(([locale]) => locale === language) ??
      own.find(([locale]) => locale === primaryOf(language)) ??
      own.find(([locale]) => primaryOf(locale) === primaryOf(language));
    if (found) return found[1];
  }
  return stream;
}
