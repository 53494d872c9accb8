import { type ChannelIssue, lineIssues } from '@postrider/domain';
import { NONE, orNull, parseWholeNumber, part } from '../../command.ts';
import { flag, type JsonSchema, nullable, record, text, wholeNumber } from '../../schema.ts';
import { defineEmailProvider } from '../provider.ts';

/** The settings of an SMTP server. The password is stored apart, encrypted, and never shown. */
export type SmtpSettings = { host: string; port: number; secure?: boolean; username?: string };

/** RFC 1035 section 2.3.4, without the dot of the root. */
const MAX_HOST_LENGTH = 253;
const MAX_NAME_LENGTH = 255;
const MAX_PASSWORD_LENGTH = 1_024;

const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['host', 'port'],
  additionalProperties: false,
  properties: {
    host: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_HOST_LENGTH,
      description:
        'A host name or address. Private ones are refused at the attempt with `smtp_connection_failed`.',
    },
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    secure: {
      type: 'boolean',
      default: false,
      description:
        'TLS from the first byte, as on port 465. Otherwise STARTTLS where the server offers it; with ' +
        'a user name it must, unless the server is this machine.',
    },
    username: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      default: null,
      description: 'Together with `password`, or neither.',
    },
    password: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_PASSWORD_LENGTH,
      writeOnly: true,
      description:
        'Stored encrypted and never shown. In a PATCH: left out it stays, null removes it; it must be ' +
        'given again when `host` changes, so that a stored password is never sent to another server.',
    },
  },
};

/** Letters, digits, inner hyphens and underscores (which names inside of container networks have). */
const HOST_LABEL = /^[0-9A-Za-z_](?:[0-9A-Za-z_-]{0,61}[0-9A-Za-z_])?$/;
/**
 * What the characters of IPv6 can be; whether it is an address is checked at the attempt, as for every
 * address.
 */
const IPV6_CHARACTERS = /^[0-9a-f:.]+$/i;

function isHost(text: string): boolean {
  if (text.includes(':')) return IPV6_CHARACTERS.test(text);
  return text.split('.').every((label) => HOST_LABEL.test(label));
}

function hostIssues(host: string): ChannelIssue[] {
  if (isHost(host)) return [];
  return [{ path: '/host', code: 'invalid_format', message: 'must be a host name or an IP address' }];
}

/** Hands mail to an SMTP server. */
export const smtpProvider = defineEmailProvider<SmtpSettings>({
  name: 'smtp',
  schema: SCHEMA,
  rules: [
    { reads: ['/username'], issuesOf: ({ username }) => lineIssues('/username', username) },
    { reads: ['/host'], issuesOf: ({ host }) => hostIssues(host) },
  ],
  toStored(settings) {
    const { host, port, secure = false, username } = settings as SmtpSettings;
    return { host, port, secure, ...(username ? { username } : {}) };
  },
  presentedSchema: record('The password is never shown: see `credentials_set`.', {
    host: text('Host name or address.'),
    port: wholeNumber('TCP port.'),
    secure: flag('TLS from the first byte; otherwise STARTTLS.'),
    username: nullable(text('Null when the server wants none.')),
  }),
  present: ({ host, port, secure = false, username = null as string | null }) => ({
    host,
    port,
    secure,
    username,
  }),
  // A user name without a password would send without logging in.
  credentials: [{ field: 'password', label: 'password', required: 'username', sentBy: ['host'] }],
  errorCodes: [],
  options: [
    { flags: '--smtp-host <host>', description: 'the SMTP server' },
    { flags: '--smtp-port <port>', description: 'its port', parse: parseWholeNumber },
    {
      flags: '--smtp-secure',
      description: 'TLS from the start (port 465); without it STARTTLS is used where offered',
    },
    { flags: '--no-smtp-secure', description: 'STARTTLS where offered' },
    { flags: '--smtp-username <name>', description: 'the user to log in as; none: no login' },
    {
      flags: '--smtp-password-from <source>',
      description: 'where the password is read: env is the variable SMTP_PASSWORD; none takes it away',
      choices: ['env', 'stdin', NONE],
    },
  ],
  async settingsOf({ smtpHost, smtpPort, smtpSecure, smtpUsername, smtpPasswordFrom: source }, io) {
    const isRead = source === 'env' || source === 'stdin';
    return part({
      host: smtpHost,
      port: smtpPort,
      secure: smtpSecure,
      username: orNull(smtpUsername),
      password: isRead ? await io.readSecret(source, 'SMTP_PASSWORD') : orNull(source),
    });
  },
  async loadSender() {
    const { createSmtpSender } = await import('./smtp/sender.ts');
    return { createSender: createSmtpSender };
  },
});
