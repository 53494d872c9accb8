import type { ChannelKind } from '../channel-kinds.ts';
import type { ChannelHealth } from '../channels/channel-health.ts';
import type { OnExhausted, Ordering } from '../channels/channel-settings.ts';
import { credentialsSet, type SecretsOfKind } from '../channels/credentials.ts';
import type { FailurePolicy } from '../channels/failure-policy.ts';
import { formatId } from '../ids.ts';
import type { RetryPolicy } from '../retry-policy.ts';
import type { JsonObject } from '../storable-json.ts';
import type { EmailEnvelope } from '../templates/email-envelope.ts';
import type { PinnedPart, Use } from '../templates/parts.ts';
import { formatOptionalTime, formatTime } from '../timestamp.ts';
import { presentPinnedPart } from './parts.ts';

/** See {@link MANAGED_RESOURCES}. */
export const CONFIGURATION_RESOURCES = [
  { name: 'channel', idPrefix: 'chn', label: 'channel' },
  { name: 'template', idPrefix: 'tpl', label: 'template version' },
  { name: 'event_type', idPrefix: null, label: 'event type' },
] as const;

/** Where a channel leads: its kind and the stored config of that kind, without any secret. */
export interface ChannelTarget {
  readonly kind: ChannelKind;
  readonly config: JsonObject;
}

/** What of a channel can be changed besides where it leads. */
export interface ChannelOptions {
  readonly name: string;
  readonly enabled: boolean;
  /** Event keys or patterns. */
  readonly eventKeys: readonly string[];
  readonly retry: RetryPolicy;
  /** Which of those events, by what is in them: docs/specification.md, "Filters". Null takes all. */
  readonly filter: JsonObject | null;
  readonly failurePolicy: FailurePolicy;
  /** Whether it takes what the service reports of itself, and nothing else. */
  readonly operational: boolean;
  /** To whom it sends that, where it needs an address. */
  readonly operationalEmail: string | null;
  readonly ordering: Ordering;
  readonly onExhausted: OnExhausted;
}

/** `open`: it is out of its turn, and tried only after all others. `half_open`: the next mail tries it. */
export const SENDER_STATES = ['closed', 'open', 'half_open'] as const;
export type SenderState = (typeof SENDER_STATES)[number];

/** What was found out last of a sender of a channel. */
export interface SenderStateRecord {
  readonly sender: string;
  readonly state: SenderState;
  readonly since: Date;
  /** Why it is out. */
  readonly reason: string | null;
}

/** A channel that is not deleted. Ids are UUIDs. */
export type ChannelRecord = ChannelOptions &
  ChannelTarget & {
    readonly id: string;
    readonly environmentId: string;
    /** Why the service disabled it by itself. */
    readonly disabledReason: string | null;
    /** Whether a single secret is stored, such as the password of the only SMTP server. */
    readonly hasSecret: boolean;
    /** The names of the other credentials that are stored; see `credentialsSet` for all of them. */
    readonly credentials: readonly string[];
    /** Until when the secret before the last rotation signs too; past until the sweeper has erased it. */
    readonly previousSecretExpiresAt: Date | null;
    readonly health: ChannelHealth;
    /** Whether providers have an address to report to, docs/specification.md, "Feedback". */
    readonly hasFeedbackToken: boolean;
    /** Of senders that have failed; left out where it was not read. */
    readonly senderStates?: readonly SenderStateRecord[];
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };

/** What presenting a channel takes of the registry of kinds. */
export interface PresentedKinds {
  get(kind: ChannelKind): SecretsOfKind & {
    readonly config: {
      present(config: JsonObject): JsonObject;
      presentForAudit(config: JsonObject): JsonObject;
    };
    sendersOf?(config: JsonObject): readonly { readonly name: string; readonly provider: string }[];
  };
}

function presentHealth({ state, reason, waiting, ...times }: ChannelHealth): JsonObject {
  return {
    state,
    reason,
    failing_since: formatOptionalTime(times.failingSince),
    last_success_at: formatOptionalTime(times.lastSuccessAt),
    next_probe_at: formatOptionalTime(times.nextProbeAt),
    waiting,
  };
}

/** The senders of a channel with their states; empty where its kind has none. */
function presentSenders(
  { config, senderStates = [] }: ChannelRecord,
  kind: ReturnType<PresentedKinds['get']>,
): { senders?: JsonObject[] } {
  if (!kind.sendersOf) return {};
  const states = new Map(senderStates.map((state) => [state.sender, state]));
  const senders = kind.sendersOf(config).map(({ name, provider }) => {
    const { state = 'closed', since = null, reason = null } = states.get(name) ?? {};
    return { name, provider, state, since: formatOptionalTime(since), reason };
  });
  return { senders };
}

/** A channel as the API presents it: docs/specification.md, "Channels". */
export function presentChannel(channel: ChannelRecord, kinds: PresentedKinds): JsonObject {
  const kind = kinds.get(channel.kind);
  return {
    id: formatId('chn', channel.id),
    environment_id: formatId('env', channel.environmentId),
    kind: channel.kind,
    name: channel.name,
    enabled: channel.enabled,
    disabled_reason: channel.disabledReason,
    event_keys: [...channel.eventKeys],
    config: kind.config.present(channel.config),
    retry: { ...channel.retry },
    filter: channel.filter,
    failure_policy: { ...channel.failurePolicy },
    operational: channel.operational,
    operational_email: channel.operationalEmail,
    ordering: channel.ordering,
    on_exhausted: channel.onExhausted,
    health: presentHealth(channel.health),
    password_set: channel.hasSecret && kind.secret === null,
    credentials_set: credentialsSet(channel, kind),
    ...presentSenders(channel, kind),
    previous_secret_expires_at: formatOptionalTime(channel.previousSecretExpiresAt),
    feedback_token_set: channel.hasFeedbackToken,
    created_at: formatTime(channel.createdAt),
    updated_at: formatTime(channel.updatedAt),
  };
}

/**
 * A channel as the audit log keeps it: as {@link presentChannel} shows it, with the config that its kind allows there and
 * without its health, which is no configuration.
 */
export function channelForAudit(channel: ChannelRecord, kinds: PresentedKinds): JsonObject {
  const config = kinds.get(channel.kind).config.presentForAudit(channel.config);
  // What was found out of the channel and its senders is no part of what an operator changes.
  const { health: _health, senders: _senders, ...presented } = presentChannel(channel, kinds);
  return { ...presented, config };
}

/** Which version it is, and of what. Ids are UUIDs. */
export interface TemplateSummary {
  readonly id: string;
  readonly environmentId: string;
  readonly eventKey: string;
  readonly channelKind: ChannelKind;
  readonly version: number;
  readonly active: boolean;
  readonly createdAt: Date;
}

/** A version with its content, which is that of its kind: the fields of the other are null. */
export interface TemplateRecord extends TemplateSummary {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /** What `html` was compiled from, where that was MJML. */
  readonly mjml: string | null;
  readonly body: JsonObject | null;
  readonly envelope: EmailEnvelope | null;
  /** Layouts, partials and messages that its content names. */
  readonly uses: readonly Use[];
  /** The layouts, partials and translations that it is rendered with; null for none. */
  readonly parts: readonly PinnedPart[] | null;
  /** The language of recipients that have none; null in versions that are older than languages. */
  readonly defaultLocale: string | null;
}

/**
 * A version in a list and in the audit log: its content is not repeated there, because it never changes and
 * can be read by its id.
 */
export function presentTemplateSummary(template: TemplateSummary): JsonObject {
  return {
    id: formatId('tpl', template.id),
    environment_id: formatId('env', template.environmentId),
    event_key: template.eventKey,
    channel_kind: template.channelKind,
    version: template.version,
    active: template.active,
    created_at: formatTime(template.createdAt),
  };
}

/** A version as the API presents it: docs/specification.md, "Template versions". */
export function presentTemplate(template: TemplateRecord): JsonObject {
  const { subject, html, text, mjml, body, envelope, parts, defaultLocale } = template;
  const { cc = null, bcc = null, reply_to = null, headers = null, attachments = null } = envelope ?? {};
  return {
    ...presentTemplateSummary(template),
    subject,
    html,
    text,
    mjml,
    body,
    cc,
    bcc,
    reply_to,
    headers,
    attachments,
    default_locale: defaultLocale,
    parts: (parts ?? []).map(presentPinnedPart),
  };
}

export interface EventType {
  /** UUID. */
  readonly environmentId: string;
  readonly eventKey: string;
  readonly description: string | null;
  /** JSON Schema 2020-12 that payloads must fulfil; null for none. */
  readonly payloadSchema: JsonObject | null;
  /** What its email can be unsubscribed from; null: transactional. */
  readonly stream: string | null;
}

export interface EventTypeRecord extends EventType {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An event type in a list, where schemas of 64 KiB each would be too much. */
export interface EventTypeSummary extends Omit<EventTypeRecord, 'payloadSchema'> {
  readonly hasPayloadSchema: boolean;
}

function presentCommon(eventType: Omit<EventTypeRecord, 'payloadSchema'>): JsonObject {
  return {
    environment_id: formatId('env', eventType.environmentId),
    event_key: eventType.eventKey,
    description: eventType.description,
    stream: eventType.stream,
    created_at: formatTime(eventType.createdAt),
    updated_at: formatTime(eventType.updatedAt),
  };
}

/** An event type as the API presents it: docs/specification.md, "Event types". */
export function presentEventType(eventType: EventTypeRecord): JsonObject {
  return { ...presentCommon(eventType), payload_schema: eventType.payloadSchema };
}

/** An event type as a list presents it. */
export function presentEventTypeSummary(eventType: EventTypeSummary): JsonObject {
  return { ...presentCommon(eventType), has_payload_schema: eventType.hasPayloadSchema };
}
