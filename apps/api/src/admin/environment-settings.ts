import {
  canonicalLocale,
  DEFAULT_ENVIRONMENT_SETTINGS,
  DEFAULT_LOCALE,
  type EnvironmentSettings,
  escapePointerSegment,
  IDEMPOTENCY_KEYS,
  isStreamName,
  LOCALE_PATTERN,
  MISSING_EMAIL_TEMPLATE,
  OUTCOME_EVENT_TYPES,
  type OutcomeEventType,
  presentEnvironmentSettings,
  type StreamNames,
  UNKNOWN_CONSUMERS,
  UNMATCHED_EVENTS,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import type { Detail } from '../http/reply.ts';
import { count, oneOf, text } from '../openapi/schema.ts';
import { compileBody, PLAIN_TEXT_PATTERN, type Rule, withRules } from '../validation/body.ts';
import {
  PORTAL_SCHEMA,
  type PortalBody,
  PRESENTED_PORTAL,
  portalIssues,
  toPortalSettings,
} from './portal-settings.ts';
import { LOCALE_SCHEMA } from './schemas.ts';

export interface SettingsBody {
  readonly unmatched_events?: EnvironmentSettings['unmatchedEvents'];
  readonly missing_email_template?: EnvironmentSettings['missingEmailTemplate'];
  readonly idempotency_keys?: EnvironmentSettings['idempotencyKeys'];
  readonly unknown_consumers?: EnvironmentSettings['unknownConsumers'];
  readonly https_only?: boolean;
  readonly default_locale?: string;
  readonly soft_bounce_limit?: number;
  readonly soft_bounce_days?: number;
  readonly soft_bounce_pause_days?: number;
  readonly pause_streams_at_complaint_rate?: number | null;
  readonly stream_names?: StreamNames;
  readonly outcome_events?: OutcomeEventType[];
  readonly portal?: PortalBody;
}

const ABOUT_SETTINGS = {
  unmatched_events:
    'What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers ' +
    '201 with the status `unrouted`, counts the event once, and keeps it for a replay.',
  missing_email_template:
    'What happens to an event that an email channel takes without having an active template for it: `refuse` answers ' +
    '422 `template_not_found`; `skip` creates delivery runs only for the other channels.',
  default_locale:
    'The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing ' +
    'it creates new versions of the active templates.',
  unknown_consumers:
    'What happens to an event that names a consumer which does not exist: `refuse` answers 422 `unknown_consumer`; ' +
    '`create` creates it.',
  idempotency_keys:
    'Which Idempotency-Keys are accepted: only a `uuid`, or `any` key of 1 to 255 visible ASCII characters.',
  soft_bounce_limit:
    'How many bounces in a row that are not permanent suppress an address for a while; 0: never.',
  soft_bounce_days: 'The number of days within which they count.',
  soft_bounce_pause_days: 'For how many days the address is then suppressed.',
  pause_streams_at_complaint_rate:
    'The share of complaints in the email of a day from which a stream is paused, such as 0.003. Null: never.',
  stream_names:
    'The names of streams for recipients, by stream and language, such as `{"news": {"en": "Newsletter"}}`. The pages of ' +
    'unsubscribe links show them.',
  outcome_events:
    'The outcomes of deliveries that operational channels get, such as `run.succeeded`, besides the events about the service. ' +
    'Each delivery then writes a row for each of them.',
  portal:
    'The portal of consumers: how it looks, its language, and the origins of the pages that may frame it. A session can choose ' +
    'another look.',
  https_only: 'Whether channels may only have https URLs. Cannot be set while one has another.',
} as const;

const SOFT_BOUNCE_LIMITS = {
  soft_bounce_limit: { minimum: 0, maximum: 100 },
  soft_bounce_days: { minimum: 1, maximum: 90 },
  soft_bounce_pause_days: { minimum: 1, maximum: 365 },
} as const;
type SoftBounceSetting = keyof typeof SOFT_BOUNCE_LIMITS;

const setting = (
  name: 'unmatched_events' | 'missing_email_template' | 'idempotency_keys' | 'unknown_consumers',
  values: readonly string[],
) => ({ type: 'string', enum: [...values], default: values[0], description: ABOUT_SETTINGS[name] }) as const;

const wholeSetting = (name: SoftBounceSetting) =>
  ({
    ...SOFT_BOUNCE_LIMITS[name],
    type: 'integer',
    default: presentEnvironmentSettings(DEFAULT_ENVIRONMENT_SETTINGS)[name] as number,
    description: ABOUT_SETTINGS[name],
  }) as const;

const COMPLAINT_RATES = {
  minimum: 0.0001,
  maximum: 1,
  description: ABOUT_SETTINGS.pause_streams_at_complaint_rate,
} as const;

const MAX_NAMED_STREAMS = 100;
const MAX_LANGUAGES = 50;
const MAX_STREAM_NAME = 100;

function streamNameIssues({ stream_names: names = {} }: SettingsBody): Detail[] {
  const issue = (path: string, message: string): Detail => ({ path, code: 'invalid_value', message });
  return Object.entries(names).flatMap(([stream, texts]) => {
    const path = `/stream_names/${escapePointerSegment(stream)}`;
    if (!isStreamName(stream)) return [issue(path, 'is not the name of a stream')];
    return Object.keys(texts)
      .filter((locale) => !LOCALE.test(locale))
      .map((locale) =>
        issue(`${path}/${escapePointerSegment(locale)}`, 'is not a language, such as fr or fr-CA'),
      );
  });
}

const LOCALE = new RegExp(LOCALE_PATTERN);
export const SETTINGS_RULES: readonly Rule<SettingsBody>[] = [
  { reads: ['/stream_names'], issuesOf: streamNameIssues },
  { reads: ['/portal'], issuesOf: ({ portal }) => portalIssues(portal) },
];

const STREAM_NAMES_SCHEMA = {
  type: 'object',
  maxProperties: MAX_NAMED_STREAMS,
  description: ABOUT_SETTINGS.stream_names,
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
  description: ABOUT_SETTINGS.outcome_events,
} as const satisfies SchemaObject;

export const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    unmatched_events: setting('unmatched_events', UNMATCHED_EVENTS),
    missing_email_template: setting('missing_email_template', MISSING_EMAIL_TEMPLATE),
    idempotency_keys: setting('idempotency_keys', IDEMPOTENCY_KEYS),
    unknown_consumers: setting('unknown_consumers', UNKNOWN_CONSUMERS),
    https_only: { type: 'boolean', default: false, description: ABOUT_SETTINGS.https_only },
    default_locale: { ...LOCALE_SCHEMA, default: DEFAULT_LOCALE, description: ABOUT_SETTINGS.default_locale },
    soft_bounce_limit: wholeSetting('soft_bounce_limit'),
    soft_bounce_days: wholeSetting('soft_bounce_days'),
    soft_bounce_pause_days: wholeSetting('soft_bounce_pause_days'),
    pause_streams_at_complaint_rate: { ...COMPLAINT_RATES, type: ['number', 'null'], default: null },
    stream_names: { ...STREAM_NAMES_SCHEMA, default: {} },
    outcome_events: { ...OUTCOME_EVENTS_SCHEMA, default: [] },
    portal: { ...PORTAL_SCHEMA, description: ABOUT_SETTINGS.portal },
  },
} as const satisfies SchemaObject;

/** The settings of a valid body, with defaults. */
export function toSettings(body: SettingsBody): EnvironmentSettings {
  const defaults = DEFAULT_ENVIRONMENT_SETTINGS;
  return {
    unmatchedEvents: body.unmatched_events ?? defaults.unmatchedEvents,
    missingEmailTemplate: body.missing_email_template ?? defaults.missingEmailTemplate,
    idempotencyKeys: body.idempotency_keys ?? defaults.idempotencyKeys,
    unknownConsumers: body.unknown_consumers ?? defaults.unknownConsumers,
    httpsOnly: body.https_only ?? defaults.httpsOnly,
    defaultLocale: canonicalLocale(body.default_locale) ?? defaults.defaultLocale,
    softBounceLimit: body.soft_bounce_limit ?? defaults.softBounceLimit,
    softBounceDays: body.soft_bounce_days ?? defaults.softBounceDays,
    softBouncePauseDays: body.soft_bounce_pause_days ?? defaults.softBouncePauseDays,
    pauseStreamsAtComplaintRate: body.pause_streams_at_complaint_rate ?? null,
    streamNames: body.stream_names ?? defaults.streamNames,
    outcomeEvents: body.outcome_events ?? defaults.outcomeEvents,
    portal: toPortalSettings(body.portal),
  };
}

export const validateSettings = withRules(compileBody<SettingsBody>(SETTINGS_SCHEMA), SETTINGS_RULES);

/** Schemas of the settings in a response. */
export const PRESENTED_SETTINGS = {
  unmatched_events: oneOf(UNMATCHED_EVENTS, ABOUT_SETTINGS.unmatched_events),
  missing_email_template: oneOf(MISSING_EMAIL_TEMPLATE, ABOUT_SETTINGS.missing_email_template),
  idempotency_keys: oneOf(IDEMPOTENCY_KEYS, ABOUT_SETTINGS.idempotency_keys),
  unknown_consumers: oneOf(UNKNOWN_CONSUMERS, ABOUT_SETTINGS.unknown_consumers),
  https_only: { type: 'boolean', description: ABOUT_SETTINGS.https_only },
  default_locale: text(ABOUT_SETTINGS.default_locale),
  soft_bounce_limit: count(ABOUT_SETTINGS.soft_bounce_limit),
  soft_bounce_days: count(ABOUT_SETTINGS.soft_bounce_days),
  soft_bounce_pause_days: count(ABOUT_SETTINGS.soft_bounce_pause_days),
  pause_streams_at_complaint_rate: { anyOf: [{ ...COMPLAINT_RATES, type: 'number' }, { type: 'null' }] },
  stream_names: STREAM_NAMES_SCHEMA,
  outcome_events: OUTCOME_EVENTS_SCHEMA,
  portal: { ...PRESENTED_PORTAL, description: ABOUT_SETTINGS.portal },
};
