import type { SchemaObject } from 'ajv';
import { type ChannelFault, type ChannelRule, lineFaults } from './fault.ts';
import { DEFAULT_ATTEMPT_TIMEOUT_MS, timeoutSchema } from './timeout.ts';

/**
 * The config of an email channel: docs/specification.md, "Channels". The password is kept apart, encrypted,
 * and never shown.
 */
export type EmailConfig = {
  smtp: { host: string; port: number; secure?: boolean; username?: string };
  from: { email: string; name?: string };
  reply_to?: string;
  timeout_ms?: number;
};

/** RFC 1035 section 2.3.4, without the dot of the root. */
const MAX_HOST_LENGTH = 253;
const MAX_NAME_LENGTH = 255;
const MAX_PASSWORD_LENGTH = 1_024;

export const EMAIL_CONFIG_SCHEMA = {
  type: 'object',
  required: ['smtp', 'from'],
  additionalProperties: false,
  description: 'The SMTP server that mail is handed to, and who it comes from.',
  properties: {
    smtp: {
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
            'given anew when `host` changes, so that a stored password is never sent to another server.',
        },
      },
    },
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
    timeout_ms: timeoutSchema(DEFAULT_ATTEMPT_TIMEOUT_MS.email),
  },
} as const satisfies SchemaObject;

/** Letters, digits, inner hyphens and underscores (which names inside of container networks have). */
const HOST_LABEL = /^[0-9A-Za-z_](?:[0-9A-Za-z_-]{0,61}[0-9A-Za-z_])?$/;
/**
 * What the characters of IPv6 can be; whether it is an address is the attempt's business, as for every
 * address.
 */
const IPV6_CHARACTERS = /^[0-9a-f:.]+$/i;

function isHost(text: string): boolean {
  if (text.includes(':')) return IPV6_CHARACTERS.test(text);
  return text.split('.').every((label) => HOST_LABEL.test(label));
}

function hostFaults(host: string): ChannelFault[] {
  if (isHost(host)) return [];
  return [{ path: '/smtp/host', code: 'invalid_format', message: 'must be a host name or an IP address' }];
}

/** What a config that fulfils {@link EMAIL_CONFIG_SCHEMA} must fulfil, too. Paths begin at the config. */
export const EMAIL_CONFIG_RULES: readonly ChannelRule<EmailConfig>[] = [
  { reads: ['/smtp/username'], faultsOf: ({ smtp }) => lineFaults('/smtp/username', smtp.username) },
  { reads: ['/from/name'], faultsOf: ({ from }) => lineFaults('/from/name', from.name) },
  { reads: ['/smtp/host'], faultsOf: ({ smtp }) => hostFaults(smtp.host) },
];

/** What a change asks of the stored password: `keep` it, `remove` it, or replace it by this one. */
export type PasswordChange = { kind: 'keep' } | { kind: 'remove' } | { kind: 'replace'; password: string };

/**
 * What is wrong with the credentials that a change leaves behind. A user name without a password would send
 * without logging in; a stored password goes to no server that it was not given for.
 * @param before the config until now and whether a password is stored; null when the channel is new
 */
export function credentialFaults(
  before: { config: EmailConfig; hasPassword: boolean } | null,
  { config, password }: { config: EmailConfig; password: PasswordChange },
): ChannelFault[] {
  const isKept = password.kind === 'keep' && before?.hasPassword === true;
  const hasPassword = isKept || password.kind === 'replace';
  const hasUsername = typeof config.smtp.username === 'string';
  if (hasUsername !== hasPassword) {
    const [missing, given] = hasUsername ? ['password', 'username'] : ['username', 'password'];
    return [{ path: `/smtp/${missing}`, code: 'required', message: `is required together with ${given}` }];
  }
  if (isKept && before.config.smtp.host.toLowerCase() !== config.smtp.host.toLowerCase()) {
    return [
      {
        path: '/smtp/password',
        code: 'required',
        message: 'is required anew because the host changes: a stored password is not sent to another server',
      },
    ];
  }
  return [];
}
