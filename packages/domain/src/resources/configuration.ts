import type { ChannelHealth } from '../channels/channel-health.ts';
import { type ChannelKind, credentialsSet, type SecretsOfKind } from '../channels/channel-kinds.ts';
import type { ChannelOptions } from '../channels/channel-settings.ts';
import {
  type ChannelActivity,
  NO_ACTIVITY,
  NO_FACTS,
  presentState,
  type StateFacts,
} from '../channels/channel-state.ts';
import type { KindFacts } from '../channels/kind-facts.ts';
import * as json from '../fields.ts';
import { presentFields } from '../present.ts';
import type { JsonObject } from '../storable-json.ts';
import type { EmailEnvelope } from '../templates/email-envelope.ts';
import type { PinnedPart, Use } from '../templates/parts.ts';
import { formatOptionalTime } from '../timestamp.ts';
import { presentPinnedPart } from './parts.ts';

/** The kind of a channel and its stored config, without secrets. */
export interface ChannelTarget {
  readonly kind: ChannelKind;
  readonly config: JsonObject;
}

/** State of a mail account's breaker. `open`: tried only after all others. `half_open`: the next mail is the probe. */
export const SENDER_STATES = ['closed', 'open', 'half_open'] as const;
export type SenderState = (typeof SENDER_STATES)[number];

/** The last stored state of a channel's mail account, a row of `sender_states`. */
export interface SenderStateRecord {
  readonly sender: string;
  readonly state: SenderState;
  readonly since: Date;
  /** Why the breaker is open. */
  readonly reason: string | null;
}

/** A channel that is not deleted. Ids are UUIDs. */
export type ChannelRecord = ChannelOptions &
  ChannelTarget & {
    readonly id: string;
    readonly environmentId: string;
    /** The consumer that it belongs to; null for a channel of the environment itself. */
    readonly consumerId: string | null;
    /** Why the service disabled the channel. */
    readonly disabledReason: string | null;
    /** Whether the `secret` column is set, such as with the password of the only SMTP server. */
    readonly hasSecret: boolean;
    /** The names of the other stored credentials; `credentialsSet` returns all. */
    readonly credentials: readonly string[];
    /** End of the overlap of the previous secret. It stays set until a sweep erases the secret. */
    readonly previousSecretExpiresAt: Date | null;
    readonly health: ChannelHealth;
    /** Whether providers have an address for feedback (docs/specification.md, "Feedback"). */
    readonly hasFeedbackToken: boolean;
    /** Mail accounts that have failed; left out if not read. */
    readonly senderStates?: readonly SenderStateRecord[];
    /** What decides about its state, and what it has done lately; left out if not read. */
    readonly facts?: StateFacts;
    readonly activity?: ChannelActivity;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };

/** What storing, changing and presenting channels needs of the config of a kind. */
export interface ConfigRules<Config = JsonObject> {
  /** The config as the API shows it, with every default. */
  present(config: Config): JsonObject;
  /** The config as the audit log stores it. */
  presentForAudit(config: Config): JsonObject;
  /** JSON Pointers to the URLs of a config that are not https. Left out by a kind without URLs. */
  plaintextUrls?(config: Config): readonly string[];
}

/** What storing, changing and presenting channels needs of the definition of a kind. */
export interface ConfiguredKind<Config = JsonObject>
  extends SecretsOfKind,
    Pick<KindFacts, 'rotatedCredentials'> {
  /** Name in messages, with its article: `an email channel`. */
  readonly label: string;
  readonly config: ConfigRules<Config>;
  /** Whether a command line takes the deliveries (`postrider listen`). Left out by a kind without such channels. */
  isListener?(config: Config): boolean;
  /** The mail accounts that a config lists as `senders`, in order. Left out by a kind without any. */
  accountsOf?(config: Config): readonly { readonly name: string; readonly provider: string }[];
  /** Set if the kind accepts feedback. */
  readonly feedback?: object;
}

/** The part of the channel registry that storing, changing and presenting channels needs. */
export interface ConfiguredKinds {
  /** @throws RefusedError for an unknown kind */
  get(kind: ChannelKind): ConfiguredKind;
  /** Null for an unknown kind. */
  find(kind: ChannelKind): ConfiguredKind | null;
}

/** The kind of a channel that a later release created. Nothing is known of its config, so none is shown. */
const UNKNOWN_KIND: ConfiguredKind = {
  label: 'a channel of an unknown kind',
  secret: null,
  credentials: null,
  config: { present: () => ({}), presentForAudit: () => ({}) },
};

const HEALTH = ['state', 'reason', 'failingSince', 'lastSuccessAt', 'nextProbeAt', 'waiting'] as const;

const kindOf = ({ kind }: ChannelRecord, kinds: ConfiguredKinds): ConfiguredKind =>
  kinds.find(kind) ?? UNKNOWN_KIND;

/** The mail accounts of a channel with their states; empty if its kind has none. */
function presentSenders(
  { config, senderStates = [] }: ChannelRecord,
  kind: ConfiguredKind,
): { senders?: JsonObject[] } {
  if (!kind.accountsOf) return {};
  const states = new Map(senderStates.map((state) => [state.sender, state]));
  const senders = kind.accountsOf(config).map(({ name, provider }) => {
    const { state = 'closed', since = null, reason = null } = states.get(name) ?? {};
    return { name, provider, state, since: formatOptionalTime(since), reason };
  });
  return { senders };
}

/** A channel as the API shows it (docs/specification.md, "Channels"). */
export function presentChannel(channel: ChannelRecord, kinds: ConfiguredKinds): JsonObject {
  const kind = kindOf(channel, kinds);
  const identity = [
    ...(['id', 'environmentId', 'kind', 'name', 'enabled', 'disabledReason'] as const),
    ...(['eventKeys', 'consumerId'] as const),
  ];
  return {
    ...presentFields(channel, identity, 'chn'),
    config: kind.config.present(channel.config),
    ...presentFields(channel, [
      ...(['retry', 'filter', 'failurePolicy', 'operational', 'operationalEmail', 'publicOnly'] as const),
      ...(['ordering', 'onExhausted', 'maxPerSecond', 'maxInFlight'] as const),
    ]),
    state: presentState(channel, channel.facts ?? NO_FACTS, channel.activity ?? NO_ACTIVITY),
    health: presentFields(channel.health, HEALTH),
    password_set: channel.hasSecret && kind.secret === null,
    credentials_set: credentialsSet(channel, kind),
    ...presentSenders(channel, kind),
    ...presentFields(channel, ['previousSecretExpiresAt']),
    feedback_token_set: channel.hasFeedbackToken,
    ...presentFields(channel, ['createdAt', 'updatedAt']),
  };
}

/**
 * A channel as the audit log stores it: like {@link presentChannel}, with the kind's config for audits and without
 * its health, which is not configuration.
 */
export function channelForAudit(channel: ChannelRecord, kinds: ConfiguredKinds): JsonObject {
  const config = kindOf(channel, kinds).config.presentForAudit(channel.config);
  // States of the channel and its senders are not part of what an operator changes.
  const { state: _state, health: _health, senders: _senders, ...presented } = presentChannel(channel, kinds);
  return { ...presented, config };
}

/** A template version without its content. Ids are UUIDs. */
export interface TemplateSummary {
  readonly id: string;
  readonly environmentId: string;
  readonly eventKey: string;
  readonly channelKind: ChannelKind;
  readonly version: number;
  readonly active: boolean;
  readonly createdAt: Date;
}

/** A template version with its content. Fields of other template formats are null. */
export interface TemplateRecord extends TemplateSummary {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /** The MJML source of `html`, if there is one. */
  readonly mjml: string | null;
  readonly body: JsonObject | null;
  readonly envelope: EmailEnvelope | null;
  /** Layouts, partials and message keys that the content uses. */
  readonly uses: readonly Use[];
  /** The versions of layouts, partials and translations that it is rendered with; null for none. */
  readonly parts: readonly PinnedPart[] | null;
  /** The language of recipients without a locale; null in versions older than this feature. */
  readonly defaultLocale: string | null;
}

/** A version as lists and the audit log show it, without the content: that never changes and can be read by id. */
export function presentTemplateSummary(template: TemplateSummary): JsonObject {
  const shown = ['id', 'environmentId', 'eventKey', 'channelKind', 'version', 'active', 'createdAt'] as const;
  return presentFields(template, shown, 'tpl');
}

/** A version as the API shows it. */
export function presentTemplate(template: TemplateRecord): JsonObject {
  const {
    cc = null,
    bcc = null,
    reply_to = null,
    headers = null,
    attachments = null,
  } = template.envelope ?? {};
  return {
    ...presentTemplateSummary(template),
    ...presentFields(template, ['subject', 'html', 'text', 'mjml', 'body']),
    cc,
    bcc,
    reply_to,
    headers,
    attachments,
    ...presentFields(template, ['defaultLocale']),
    parts: (template.parts ?? []).map(presentPinnedPart),
  };
}

export const ABOUT_SEARCH_KEYS =
  'JSON Pointers to business ids in the payload, such as `/order_id`. Messages are found by their values: strings ' +
  'and numbers of up to 128 characters. The values are stored with the message, and removed with it or by an ' +
  'erasure.';

/** The fields that all presentations of an event type have. */
const COMMON_EVENT_TYPE_FIELDS = {
  environment_id: json.id('env', 'Its environment.'),
  event_key: json.text('The event.'),
  description: json.nullable(json.text('Its description.')),
  stream: json.nullable(
    json.text('The stream from which recipients can unsubscribe; null: its email is transactional.'),
  ),
  search_keys: json.list(json.text('A JSON Pointer.'), ABOUT_SEARCH_KEYS),
  created_at: json.time('When it was first described.'),
  updated_at: json.time('When its description or schema was last changed.'),
};
export const EVENT_TYPE_FIELDS = {
  ...COMMON_EVENT_TYPE_FIELDS,
  payload_schema: json.nullable(json.openObject('JSON Schema 2020-12 that every payload must match.')),
};
/** An event type as lists show it, without its schema of up to 64 KiB. */
export const EVENT_TYPE_SUMMARY_FIELDS = {
  ...COMMON_EVENT_TYPE_FIELDS,
  has_payload_schema: json.flag('Whether payloads are validated.'),
};

export type EventTypeRecord = json.RecordOf<typeof EVENT_TYPE_FIELDS>;
export type EventType = Omit<EventTypeRecord, 'createdAt' | 'updatedAt'>;
export type EventTypeSummary = json.RecordOf<typeof EVENT_TYPE_SUMMARY_FIELDS>;

const {
  environment_id: _environment,
  created_at: _created,
  updated_at: _updated,
  ...EVENT_TYPE_SETTINGS
} = EVENT_TYPE_FIELDS;
/** The fields of an event type that a client sets, with its key. */
export const presentEventTypeFields = json.presenterOf(EVENT_TYPE_SETTINGS);
/** An event type as the API and the audit log show it. */
export const presentEventType = json.presenterOf(EVENT_TYPE_FIELDS);
/** An event type as lists show it. */
export const presentEventTypeSummary = json.presenterOf(EVENT_TYPE_SUMMARY_FIELDS);
