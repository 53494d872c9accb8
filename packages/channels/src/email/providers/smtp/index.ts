import { lineIssues } from '@postrider/domain';
import {
  CERTIFICATE_FIELDS,
  CERTIFICATES_RULE,
  type Certificates,
  PRESENTED_CERTIFICATES,
  PRIVATE_KEY,
  presentCertificates,
  storedCertificates,
} from '../../../broker/tls.ts';
import { NONE, orNull, parseWholeNumber, part, readGivenSecret } from '../../../command.ts';
import { hostIssues, hostText, MAX_HOST_LENGTH } from '../../../host.ts';
import {
  flag,
  type JsonSchema,
  nullable,
  PATTERNS,
  record,
  secretText,
  text,
  wholeNumber,
} from '../../../schema.ts';
import { privateKeyIssues } from '../../../webhook/tls.ts';
import { defineEmailProvider } from '../../provider.ts';
import {
  DKIM_CREDENTIALS,
  DKIM_OPTIONS,
  DKIM_SCHEMA,
  type DkimSettings,
  dkimIssues,
  dkimOf,
  PRESENTED_DKIM,
  presentDkim,
  storedDkim,
} from './dkim-settings.ts';
import {
  OAUTH2_CREDENTIALS,
  OAUTH2_OPTIONS,
  OAUTH2_SCHEMA,
  type OAuth2Settings,
  oauth2Issues,
  oauth2Of,
  PRESENTED_OAUTH2,
  presentOAuth2,
  storedOAuth2,
} from './oauth2-settings.ts';
import { returnPathIssues } from './return-path.ts';

/** The settings of an SMTP server. Passwords, secrets and keys are stored separately, encrypted, and never shown. */
export type SmtpSettings = Certificates & {
  host: string;
  port: number;
  secure?: boolean;
  username?: string;
  oauth2?: OAuth2Settings;
  ehlo_name?: string;
  return_path?: string;
  dkim?: DkimSettings;
};

const MAX_NAME_LENGTH = 255;
const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['host', 'port'],
  additionalProperties: false,
  properties: {
    host: hostText(
      'A host name or address. Private ones are refused; those of names at the attempt, with `smtp_connection_failed`.',
    ),
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    secure: {
      type: 'boolean',
      default: false,
      description:
        'TLS from the first byte, as on port 465. Otherwise STARTTLS if the server offers it; with ' +
        'a user name it is required, unless the server is on this machine, and with `ca` or `certificate`.',
    },
    username: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      default: null,
      description: 'Together with `password` or `oauth2`; null without a login.',
    },
    password: secretText(
      'Stored encrypted and never shown. In a PATCH: if left out, it stays; null removes it. It must be ' +
        'given again when `host` or `ca` changes, so that a stored password is never sent to another server.',
    ),
    oauth2: OAUTH2_SCHEMA,
    ...CERTIFICATE_FIELDS,
    ehlo_name: {
      type: ['string', 'null'],
      pattern: PATTERNS.ehloName.pattern,
      maxLength: MAX_HOST_LENGTH,
      default: null,
      description:
        'How the client introduces itself (`EHLO`): a name that resolves to its address, for servers that check it. By default the ' +
        'host name of the worker.',
    },
    return_path: {
      type: ['string', 'null'],
      minLength: 3,
      maxLength: 254,
      default: null,
      description:
        'The address that bounces go to (the sender of the envelope), by default `from`. In `bounces+{run}@example.com` `{run}` becomes ' +
        '42 letters and digits by which a bounce finds its run.',
    },
    dkim: DKIM_SCHEMA,
  },
};

/** Sends through an SMTP server. */
export const smtpProvider = defineEmailProvider<SmtpSettings>({
  name: 'smtp',
  schema: SCHEMA,
  rules: [
    { reads: ['/username'], issuesOf: ({ username }) => lineIssues('/username', username) },
    { reads: ['/host'], issuesOf: ({ host }) => hostIssues(host) },
    { reads: ['/oauth2', '/username'], issuesOf: oauth2Issues },
    CERTIFICATES_RULE,
    { reads: ['/return_path'], issuesOf: ({ return_path }) => returnPathIssues(return_path) },
    { reads: ['/dkim'], issuesOf: ({ dkim }) => dkimIssues(dkim) },
  ],
  toStored(settings) {
    const { host, port, secure = false, username, oauth2 } = settings as SmtpSettings;
    const { ehlo_name, return_path, dkim } = settings as SmtpSettings;
    return {
      ...{ host, port, secure },
      ...(username ? { username } : {}),
      ...(oauth2 ? { oauth2: storedOAuth2(oauth2) } : {}),
      ...storedCertificates(settings),
      ...(ehlo_name ? { ehlo_name } : {}),
      ...(return_path ? { return_path } : {}),
      ...(dkim ? { dkim: storedDkim(dkim) } : {}),
    };
  },
  presentedSchema: record('Passwords and secrets are never shown: see `credentials_set`.', {
    host: text('Host name or address.'),
    port: wholeNumber('TCP port.'),
    secure: flag('TLS from the first byte; otherwise STARTTLS.'),
    username: nullable(text('Null if the server requires none.')),
    oauth2: PRESENTED_OAUTH2,
    ...PRESENTED_CERTIFICATES,
    ehlo_name: nullable(text('The name in `EHLO`; null for the host name of the worker.')),
    return_path: nullable(text('The address that bounces go to; null for that of `from`.')),
    dkim: PRESENTED_DKIM,
  }),
  present: ({ host, port, secure = false, username = null as string | null, oauth2, dkim, ...rest }) => ({
    ...{ host, port, secure, username },
    oauth2: oauth2 ? presentOAuth2(oauth2) : null,
    ...presentCertificates(rest),
    ehlo_name: rest.ehlo_name ?? null,
    return_path: rest.return_path ?? null,
    dkim: dkim ? presentDkim(dkim) : null,
  }),
  // With a user name but no password, nodemailer would send without logging in.
  credentials: [
    {
      ...{ field: 'password', label: 'password', required: 'username', replacedBy: 'oauth2' },
      sentBy: ['host', 'ca'],
    },
    ...OAUTH2_CREDENTIALS,
    {
      field: PRIVATE_KEY,
      label: 'private key',
      required: 'certificate',
      sentBy: ['certificate'],
      issuesOf: (key, { certificate }) => privateKeyIssues(key, String(certificate)),
    },
    ...DKIM_CREDENTIALS,
  ],
  errorCodes: [],
  options: [
    { flags: '--smtp-host <host>', description: 'the SMTP server' },
    { flags: '--smtp-port <port>', description: 'its port', parse: parseWholeNumber },
    {
      flags: '--smtp-secure',
      description: 'TLS from the start (port 465); otherwise STARTTLS if offered',
    },
    { flags: '--no-smtp-secure', description: 'STARTTLS if offered' },
    { flags: '--smtp-username <name>', description: 'the user to log in as; none: no login' },
    {
      flags: '--smtp-password-from <source>',
      description: 'where to read the password: env is the variable SMTP_PASSWORD; none removes it',
      choices: ['env', 'stdin', NONE],
    },
    ...OAUTH2_OPTIONS,
    {
      flags: '--smtp-ca-file <path>',
      description: 'certificates of a private authority in PEM; none: the public ones',
    },
    {
      flags: '--smtp-certificate-file <path>',
      description: 'a client certificate in PEM; none: no certificate',
    },
    { flags: '--smtp-key-file <path>', description: 'the private key of the certificate in PEM' },
    { flags: '--smtp-ehlo-name <name>', description: 'the name in EHLO; none: the host name' },
    {
      flags: '--smtp-return-path <address>',
      description: 'where bounces go, such as bounces+{run}@example.com; none: the sender',
    },
    ...DKIM_OPTIONS,
  ],
  async settingsOf(options, io) {
    const { smtpHost, smtpPort, smtpSecure, smtpUsername, smtpPasswordFrom: source } = options;
    const { smtpCaFile, smtpCertificateFile, smtpKeyFile, smtpEhloName, smtpReturnPath } = options;
    const read = async (path: unknown) =>
      path === undefined || path === NONE ? orNull(path) : io.readText(String(path));
    return part({
      host: smtpHost,
      port: smtpPort,
      secure: smtpSecure,
      username: orNull(smtpUsername),
      password: (await readGivenSecret(io, source, 'SMTP_PASSWORD')) ?? orNull(source),
      oauth2: await oauth2Of(options, io),
      ca: await read(smtpCaFile),
      certificate: await read(smtpCertificateFile),
      private_key: await read(smtpKeyFile),
      ehlo_name: orNull(smtpEhloName),
      return_path: orNull(smtpReturnPath),
      dkim: await dkimOf(options, io),
    });
  },
  async loadSender() {
    const { createSmtpSender } = await import('./sender.ts');
    return { createSender: createSmtpSender };
  },
});
