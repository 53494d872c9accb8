import type { JsonObject } from '@postrider/domain';
import { type ChannelKindDefinition, defineChannelKind } from '../channel.ts';
import { orNull, parseWholeNumber, part } from '../command.ts';
import { unalignedDomains } from './alignment.ts';
import {
  EMAIL_TIMEOUT_MS,
  type EmailConfig,
  emailConfigRules,
  emailConfigSchema,
  presentConfig,
  presentedEmailConfigSchema,
  toStoredConfig,
} from './config.ts';
import { emailCredentials } from './credentials.ts';
import { emailFeedback } from './feedback-sources.ts';
import type { EmailAttachment, EmailProvider } from './provider.ts';
import { EMAIL_PROVIDERS } from './providers/index.ts';
import { sendersOf } from './senders.ts';
import { EMAIL_TEMPLATE } from './template.ts';

/**
 * The content of an email. One of the two parts may be null. Fields that a template does not have are left out, so
 * that the digest of older contents stays the same.
 */
export interface EmailContent {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  /** Bare addresses. */
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  /** Replaces the channel's address. */
  readonly reply_to?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly EmailAttachment[];
}

/**
 * Connections per channel and process, and so the most deliveries of a channel at once. Servers allow a client some
 * tens of connections, which several processes share.
 */
const CONNECTIONS_PER_CHANNEL = 10;

/** Creates the email kind with these providers. The config of a channel selects one or several of them. */
export function createEmailKind(providers: readonly EmailProvider[]): ChannelKindDefinition {
  return defineChannelKind<EmailConfig, EmailContent>({
    kind: 'email',
    label: 'an email channel',
    description: 'A channel that sends mail.',
    defaultTimeoutMs: EMAIL_TIMEOUT_MS,
    maxConcurrentPerChannel: CONNECTIONS_PER_CHANNEL,
    config: {
      schema: emailConfigSchema(providers),
      rules: emailConfigRules(providers),
      toStored: (config) => toStoredConfig(providers, config),
      presentedSchema: presentedEmailConfigSchema(providers),
      present: (config) => presentConfig(providers, config),
      presentForAudit: (config) => presentConfig(providers, config),
    },
    secret: null,
    credentials: emailCredentials(providers),
    warningsOf: (config) =>
      unalignedDomains(config as JsonObject).map((domain) => ({
        code: 'from_not_aligned',
        message: `signs for ${domain}, which is not the domain of its sender: DMARC does not pass by that signature`,
      })),
    sendersOf: (config) =>
      sendersOf(providers, config).map(({ name, provider }) => ({ name, provider: provider.name })),
    recipientFields: ['email'],
    suppressibleField: 'email',
    senderName: ({ from }) => from.name ?? from.email,
    template: EMAIL_TEMPLATE,
    errorCodes: [
      'smtp_connection_failed',
      'smtp_auth_failed',
      'smtp_temporary_rejection',
      'smtp_permanent_rejection',
      'smtp_outcome_unknown',
      'email_connection_failed',
      'email_auth_failed',
      'email_temporary_rejection',
      'email_permanent_rejection',
      'email_outcome_unknown',
      ...providers.flatMap(({ errorCodes }) => errorCodes),
    ],
    secretErrorCode: 'smtp_auth_failed',
    feedback: emailFeedback(providers),
    example: {
      summary: 'An SMTP server',
      value: {
        name: 'customer mail',
        config: {
          smtp: {
            host: 'smtp.example.com',
            port: 587,
            secure: false,
            username: 'shop',
            password: 'correct horse',
          },
          from: { email: 'shop@example.com', name: 'Shop' },
          reply_to: 'help@example.com',
        },
        retry: { max_attempts: 5, base_seconds: 10, factor: 3, max_seconds: 3_600 },
      },
    },
    command: {
      description: 'create an email channel',
      options: [
        ...providers.flatMap(({ options }) => options),
        { flags: '--from-email <address>', description: 'the sender' },
        { flags: '--from-name <name>', description: 'the sender’s name; none: the address alone' },
        { flags: '--reply-to <address>', description: 'where answers go; none: to the sender' },
        { flags: '--timeout-ms <n>', description: 'time limit of one attempt', parse: parseWholeNumber },
      ],
      examples: [
        [
          'pass show smtp | postrider channels create-email --environment env_01… --name Mail ' +
            '--smtp-host smtp.example.com --smtp-port 465 --smtp-secure --smtp-username shop ' +
            '--smtp-password-from stdin --from-email shop@example.com',
          'With a password from a password manager.',
        ],
      ],
      async fieldsOf(options, io) {
        const { fromEmail, fromName, replyTo, timeoutMs } = options;
        const settings: [string, unknown][] = [];
        for (const { name, settingsOf } of providers) settings.push([name, await settingsOf(options, io)]);
        const fields = {
          ...Object.fromEntries(settings),
          from: part({ email: fromEmail, name: orNull(fromName) }),
          reply_to: orNull(replyTo),
          timeout_ms: timeoutMs,
        };
        return part(fields) ?? {};
      },
    },
    async loadSender() {
      const { createEmailSender } = await import('./sender.ts');
      const loaded: [EmailProvider, Awaited<ReturnType<EmailProvider['loadSender']>>][] = [];
      for (const provider of providers) loaded.push([provider, await provider.loadSender()]);
      return {
        createSender: (options) =>
          createEmailSender(
            loaded.map(([provider, { createSender }]) => ({ provider, sender: createSender(options) })),
            options,
          ),
      };
    },
  });
}

export const emailKind = createEmailKind(EMAIL_PROVIDERS);
