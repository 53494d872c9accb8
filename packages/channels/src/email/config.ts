import {
  type ChannelIssue,
  type ChannelRule,
  isBareEmailAddress,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  lineIssues,
  timeoutSchema,
} from '@postrider/domain';
import type { GivenSecret } from '../channel.ts';
import { type JsonSchema, nullable, record, text, wholeNumber } from '../schema.ts';
import type { EmailProvider } from './provider.ts';

/** Time limit of an attempt whose config names none, in milliseconds. */
export const EMAIL_TIMEOUT_MS = 60_000;
const MAX_NAME_LENGTH = 255;

/**
 * The stored config of an email channel. Besides these fields it has one that is named as the channel's provider and
 * holds its settings: `smtp`.
 */
export type EmailConfig = {
  from: { email: string; name?: string };
  reply_to?: string;
  timeout_ms?: number;
  [provider: string]: unknown;
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
        description: 'One bare address; also the envelope’s sender.',
      },
      name: { type: ['string', 'null'], maxLength: MAX_NAME_LENGTH, default: null },
    },
  },
  reply_to: { type: ['string', 'null'], format: 'email', default: null, description: 'One bare address.' },
  timeout_ms: timeoutSchema(EMAIL_TIMEOUT_MS),
} as const;

/** The provider of a channel and its settings; null when the config names none of these providers. */
export function providerOf(
  providers: readonly EmailProvider[],
  config: Readonly<Record<string, unknown>>,
): { provider: EmailProvider; settings: JsonObject } | null {
  for (const provider of providers) {
    const settings = config[provider.name];
    if (isJsonObject(settings as JsonValue)) return { provider, settings: settings as JsonObject };
  }
  return null;
}

/** The settings of the only provider are required by the schema; that there is one of several is a rule. */
const requiredFields = (providers: readonly EmailProvider[]) =>
  providers.length === 1 ? [...providers.map(({ name }) => name), 'from'] : ['from'];

/** Of the config in a request. */
export function emailConfigSchema(providers: readonly EmailProvider[]): JsonSchema {
  return {
    type: 'object',
    required: requiredFields(providers),
    additionalProperties: false,
    description: 'The SMTP server that mail is handed to, and who it comes from.',
    properties: { ...Object.fromEntries(providers.map(({ name, schema }) => [name, schema])), ...FIELDS },
  };
}

/** Of the config as it is shown. */
export function presentedEmailConfigSchema(providers: readonly EmailProvider[]): JsonSchema {
  const presented = record('The SMTP server that mail is handed to, and who it comes from.', {
    ...Object.fromEntries(providers.map(({ name, presentedSchema }) => [name, presentedSchema])),
    from: record('The sender.', {
      email: text('One bare address.'),
      name: nullable(text('Shown to people.')),
    }),
    reply_to: nullable(text('One bare address.')),
    timeout_ms: wholeNumber('Time limit of one attempt as a whole, in milliseconds.'),
  });
  if (providers.length === 1) return presented;
  return { ...presented, required: ['from', 'reply_to', 'timeout_ms'] };
}

const under = (name: string, issues: readonly ChannelIssue[]): ChannelIssue[] =>
  issues.map(({ path, ...issue }) => ({ path: `/${name}${path}`, ...issue }));

function countIssues(providers: readonly EmailProvider[], config: EmailConfig): ChannelIssue[] {
  const names = providers.map(({ name }) => name);
  const given = names.filter((name) => isJsonObject(config[name] as JsonValue));
  if (given.length === 1) return [];
  const message = `must have one of ${names.join(', ')}`;
  return [{ path: '', code: given.length === 0 ? 'required' : 'invalid_value', message }];
}

/** Rules on a config that fulfils the schema; paths begin at the config. */
export function emailConfigRules(providers: readonly EmailProvider[]): readonly ChannelRule<EmailConfig>[] {
  const ofProviders = providers.flatMap(({ name, rules }) =>
    rules.map(({ reads, issuesOf }) => ({
      reads: reads.map((path) => `/${name}${path}`),
      issuesOf: (config: EmailConfig) => {
        const settings = config[name];
        return isJsonObject(settings as JsonValue) ? under(name, issuesOf(settings as JsonObject)) : [];
      },
    })),
  );
  return [
    ...ofProviders,
    { reads: ['/from/name'], issuesOf: ({ from }) => lineIssues('/from/name', from.name) },
    ...(providers.length === 1
      ? []
      : [{ reads: [''], issuesOf: (config: EmailConfig) => countIssues(providers, config) }]),
  ];
}

/** A valid config as it is stored: without the secret, and without what was left out. */
export function toStoredConfig(providers: readonly EmailProvider[], config: JsonObject): EmailConfig {
  const { from, reply_to, timeout_ms } = config as EmailConfig & { reply_to?: string | null };
  const chosen = providerOf(providers, config);
  return {
    ...(chosen ? { [chosen.provider.name]: chosen.provider.toStored(chosen.settings) } : {}),
    from: { email: from.email, ...(from.name ? { name: from.name } : {}) },
    ...(reply_to ? { reply_to } : {}),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
  };
}

export function presentConfig(providers: readonly EmailProvider[], config: EmailConfig): JsonObject {
  const { from, reply_to = null, timeout_ms = EMAIL_TIMEOUT_MS } = config;
  const chosen = providerOf(providers, config);
  return {
    ...(chosen ? { [chosen.provider.name]: chosen.provider.present(chosen.settings) } : {}),
    from: { email: from.email, name: from.name ?? null },
    reply_to,
    timeout_ms,
  };
}

/** The secret that a provider's settings give. One that was stored is never used with another provider. */
export function emailSecret(providers: readonly EmailProvider[]): GivenSecret<EmailConfig> {
  return {
    type: 'given',
    changeIn(config) {
      const chosen = providerOf(providers, config);
      const secret = chosen?.settings[chosen.provider.secretField];
      if (typeof secret === 'string') return { kind: 'replace', secret };
      return { kind: secret === null ? 'remove' : 'keep' };
    },
    issuesOf(before, { config, secret }) {
      const chosen = providerOf(providers, config);
      if (!chosen) return [];
      const { provider, settings } = chosen;
      const earlier = before && providerOf(providers, before.config);
      const isSame = earlier?.provider === provider;
      if (before?.hasSecret && !isSame && secret.kind === 'keep') {
        const message =
          'is required because the provider changes: a stored secret is not sent to another one';
        return [{ path: `/${provider.name}/${provider.secretField}`, code: 'required', message }];
      }
      const same = before && isSame ? { settings: earlier.settings, hasSecret: before.hasSecret } : null;
      return under(provider.name, provider.secretIssues(same, { settings, secret }));
    },
  };
}

const addressOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && isBareEmailAddress(value) ? value : null;

/** Who a mail comes from; null when what the database holds is not the config of an email channel. */
export function readSender(
  config: JsonObject,
): { email: string; name: string | null; replyTo: string | null } | null {
  const { from, reply_to: replyTo } = config;
  const email = isJsonObject(from) ? addressOrNull(from.email) : null;
  if (!isJsonObject(from) || email === null) return null;
  const name = typeof from.name === 'string' ? from.name : null;
  return { email, name, replyTo: addressOrNull(replyTo) };
}
