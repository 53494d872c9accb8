import { type JsonObject, KIND_FACTS, valueAt } from '@postrider/domain';
import { type ChannelKindDefinition, defineChannelKind, type FeedbackSource } from '../channel.ts';
import { accountsOf, domainOf, type MailAccount } from './accounts.ts';
import { type EmailConfig, emailSettings, readFrom } from './config.ts';
import { credentialsOf, emailCredentials } from './credentials.ts';
import { emailMessage, shownMailHeaders } from './message.ts';
import type { EmailAttachment, EmailProvider } from './provider.ts';
import { EMAIL_PROVIDERS } from './providers/index.ts';
import { EMAIL_TEMPLATE } from './template.ts';

/** Name of the feedback source for mail servers that pipe reports. */
const DSN_SOURCE = 'dsn';

/** Larger than any report whose returned mail was truncated, as mail servers do. */
const MAX_DSN_BYTES = 256 * 1024;
/** Providers put up to a thousand events into one request. */
const MAX_PROVIDER_BYTES = 1024 * 1024;

/** The feedback sources of email: every provider with feedback, and mail servers. */
function emailFeedback(providers: readonly EmailProvider[]): readonly FeedbackSource[] {
  const ofProvider = (provider: EmailProvider): FeedbackSource[] => {
    const { name, feedback: read, maxFeedbackBytes: maxBytes = MAX_PROVIDER_BYTES } = provider;
    if (!read) return [];
    const verifiersOf: FeedbackSource['verifiersOf'] = (config, credentials) =>
      accountsOf(providers, config)
        .filter((account) => account.provider === provider)
        .map((account) => ({ settings: account.settings, credentials: credentialsOf(account, credentials) }));
    return [{ name, maxBytes, isSigned: true, read, verifiersOf }];
  };
  const dsn: FeedbackSource = {
    name: DSN_SOURCE,
    maxBytes: MAX_DSN_BYTES,
    isSigned: false,
    // Loaded with the first report, because it loads a parser of mail.
    read: async (request) => (await import('./dsn/reader.ts')).readDsn(request),
    verifiersOf: () => [{ settings: {}, credentials: {} }],
  };
  return [...providers.flatMap(ofProvider), dsn];
}

const isUnder = (domain: string, parent: string) => domain === parent || domain.endsWith(`.${parent}`);

/**
 * The DKIM domains that do not align with the domain of `From`, so that DMARC would not pass through them (RFC 7489
 * section 3.1.1, relaxed). A parent domain counts as the organizational domain.
 */
export function unalignedDomains(
  providers: readonly EmailProvider[],
  config: Pick<EmailConfig, 'from'>,
): string[] {
  const fromDomain = domainOf(config.from.email);
  const signed = accountsOf(providers, config).flatMap(({ settings }) => {
    const domain = valueAt(settings, ['dkim', 'domain']);
    return typeof domain === 'string' ? [domain.toLowerCase()] : [];
  });
  return [...new Set(signed)].filter(
    (domain) => !isUnder(fromDomain, domain) && !isUnder(domain, fromDomain),
  );
}

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

/** What an account connects to: a server or the base URL of a service, and where it gets tokens. */
function endpointsOf({ settings, path }: MailAccount): Record<string, string> {
  const fields = ['host', 'endpoint', 'oauth2/token_url'];
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = valueAt(settings, field.split('/'));
      return typeof text === 'string' ? [[`${path}/${field}`, text]] : [];
    }),
  );
}

/** Creates the email kind with these providers. The config of a channel selects one or several of them. */
export function createEmailKind(providers: readonly EmailProvider[]): ChannelKindDefinition {
  const settings = emailSettings(providers);
  return defineChannelKind<EmailConfig, EmailContent>({
    ...KIND_FACTS.email,
    label: 'an email channel',
    description: 'A channel that sends mail.',
    config: {
      ...settings.config,
      endpointsOf: (config) => Object.assign({}, ...accountsOf(providers, config).map(endpointsOf)),
      keylessOf: (config) =>
        accountsOf(providers, config).flatMap(({ provider: { keylessField: field }, settings, path }) =>
          field !== undefined && settings[field] !== undefined ? [`${path}/${field}`] : [],
        ),
    },
    secret: null,
    credentials: emailCredentials(providers),
    warningsOf: (config) =>
      unalignedDomains(providers, config).map((domain) => ({
        code: 'from_not_aligned',
        message: `signs for ${domain}, which is not the domain of its sender: that signature does not satisfy DMARC`,
      })),
    accountsOf: (config) =>
      accountsOf(providers, config).map(({ name, provider }) => ({ name, provider: provider.name })),
    headersOf(config, content, run) {
      const from = readFrom(config as JsonObject);
      const mail = from && emailMessage({ content, ...run }, from);
      return mail ? shownMailHeaders(mail) : [];
    },
    copiesOf: ({ cc = [], bcc = [] }) => [...cc, ...bcc],
    fromName: ({ from }) => from.name ?? from.email,
    template: EMAIL_TEMPLATE,
    errorCodes: [
      'smtp_connection_failed',
      'smtp_auth_failed',
      'smtp_sender_refused',
      'smtp_temporary_rejection',
      'smtp_permanent_rejection',
      'smtp_outcome_unknown',
      'email_connection_failed',
      'email_auth_failed',
      'email_temporary_rejection',
      'email_permanent_rejection',
      'email_outcome_unknown',
      'email_not_composed',
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
      ...settings.command,
      examples: [
        [
          'pass show smtp | postrider channels create-email --environment env_01… --name Mail ' +
            '--smtp-host smtp.example.com --smtp-port 465 --smtp-secure --smtp-username shop ' +
            '--smtp-password-from stdin --from-email shop@example.com',
          'With a password from a password manager.',
        ],
      ],
    },
    async loadSender() {
      const { createEmailSender } = await import('./sender.ts');
      const loaded = await Promise.all(
        providers.map(async (provider) => ({ provider, ...(await provider.loadClient()) })),
      );
      return {
        createSender: (options) =>
          createEmailSender(
            loaded.map(({ provider, createClient }) => ({ provider, client: createClient(options) })),
            options,
          ),
      };
    },
  });
}

export const emailKind = createEmailKind(EMAIL_PROVIDERS);
