import {
  type ChannelRule,
  isBareEmailAddress,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  KIND_FACTS,
  lineIssues,
  timeoutSchema,
} from '@postrider/domain';
import { type JsonSchema, nullable, record, text, wholeNumber } from '../schema.ts';
import type { EmailProvider } from './provider.ts';
import {
  presentedSenderFields,
  presentSenders,
  senderFields,
  senderRules,
  sendersOf,
  storedSenders,
} from './senders.ts';

const { defaultTimeoutMs: EMAIL_TIMEOUT_MS } = KIND_FACTS.email;
const MAX_NAME_LENGTH = 255;

/**
 * The stored config of an email channel. It also has either the settings of one provider in a field with the
 * provider's name, such as `smtp`, or the list `senders`.
 */
export type EmailConfig = {
  from: { email: string; name?: string };
  reply_to?: string;
  timeout_ms?: number;
  /** When the first client certificate of a sender expires, so that a query can find it. ISO 8601. */
  certificate_expires_at?: string;
  [providerOrSenders: string]: unknown;
};

const FIELDS = {
  from: {
    type: 'object',
    required: ['email'],
    additionalProperties: false,
    properties: {
      email: {
        type: 'string',
        format: 'email',
        description:
          'One bare address; also the envelope’s sender, unless SMTP settings have `return_path`. An internationalised domain is stored in its `xn--` form.',
      },
      name: { type: ['string', 'null'], maxLength: MAX_NAME_LENGTH, default: null },
    },
  },
  reply_to: { type: ['string', 'null'], format: 'email', default: null, description: 'One bare address.' },
  timeout_ms: timeoutSchema(EMAIL_TIMEOUT_MS),
  certificate_expires_at: { type: ['string', 'null'], description: 'Ignored.' },
} as const;

const DESCRIPTION = 'The sender address and how mail is sent.';

export function emailConfigSchema(providers: readonly EmailProvider[]): JsonSchema {
  return {
    type: 'object',
    required: ['from'],
    additionalProperties: false,
    description: `${DESCRIPTION} Either the settings of one provider, such as \`smtp\`, or the list \`senders\`.`,
    properties: { ...senderFields(providers), ...FIELDS },
  };
}

export function presentedEmailConfigSchema(providers: readonly EmailProvider[]): JsonSchema {
  const presented = record(DESCRIPTION, {
    from: record('The sender.', {
      email: text('One bare address.'),
      name: nullable(text('Shown to people.')),
    }),
    reply_to: nullable(text('One bare address.')),
    timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
    certificate_expires_at: nullable(text('When the first client certificate of its senders expires.')),
  });
  return { ...presented, properties: { ...presentedSenderFields(providers), ...presented.properties } };
}

/** Rules on a config that fulfils the schema. Paths start at the config. */
export function emailConfigRules(providers: readonly EmailProvider[]): readonly ChannelRule<EmailConfig>[] {
  return [
    ...senderRules<EmailConfig>(providers),
    { reads: ['/from/name'], issuesOf: ({ from }) => lineIssues('/from/name', from.name) },
  ];
}

/** When the first of the senders' client certificates expires; undefined if none has one. */
function certificateEnd(providers: readonly EmailProvider[], config: JsonObject): string | undefined {
  const ends = sendersOf(providers, config).flatMap(({ provider, settings }) => {
    const { certificate_expires_at: end } = provider.toStored(settings);
    return typeof end === 'string' ? [end] : [];
  });
  return ends.sort()[0];
}

/** The stored form of a valid config: without credentials and without null fields. */
export function toStoredConfig(providers: readonly EmailProvider[], config: JsonObject): EmailConfig {
  const { from, reply_to, timeout_ms } = config as EmailConfig & { reply_to?: string | null };
  const end = certificateEnd(providers, config);
  return {
    ...storedSenders(providers, config),
    from: { email: from.email, ...(from.name ? { name: from.name } : {}) },
    ...(reply_to ? { reply_to } : {}),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(end === undefined ? {} : { certificate_expires_at: end }),
  };
}

export function presentConfig(providers: readonly EmailProvider[], config: EmailConfig): JsonObject {
  const { from, reply_to = null, timeout_ms = EMAIL_TIMEOUT_MS, certificate_expires_at = null } = config;
  return {
    ...presentSenders(providers, config),
    from: { email: from.email, name: from.name ?? null },
    reply_to,
    timeout_ms,
    certificate_expires_at,
  };
}

const addressOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && isBareEmailAddress(value) ? value : null;

/** The `From` of a stored config. Returns null if it is not the config of an email channel. */
export function readFrom(
  config: JsonObject,
): { email: string; name: string | null; replyTo: string | null } | null {
  const { from, reply_to: replyTo } = config;
  const email = isJsonObject(from) ? addressOrNull(from.email) : null;
  if (!isJsonObject(from) || email === null) return null;
  const name = typeof from.name === 'string' ? from.name : null;
  return { email, name, replyTo: addressOrNull(replyTo) };
}
