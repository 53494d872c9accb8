import { lineIssues } from '@postrider/domain';
import {
  CERTIFICATE_SETTINGS,
  type Certificates,
  certificateIssues,
  privateKeyIssues,
} from '../../../certificates.ts';
import { parseWholeNumber } from '../../../command.ts';
import { hostSetting, MAX_HOST_LENGTH } from '../../../host.ts';
import { optionalText, PATTERNS, secretText } from '../../../schema.ts';
import { checked, defineSettings, removableOption } from '../../../settings.ts';
import { DKIM_SETTING, type DkimSettings, dkimIssues } from './dkim-settings.ts';
import { OAUTH2_SETTING, type OAuth2Settings, smtpSecret } from './oauth2-settings.ts';
import { returnPathProblem } from './return-path.ts';

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
export const SMTP_SETTINGS = defineSettings<SmtpSettings>(
  {
    host: hostSetting(
      'A host name or address. Private addresses are refused; if a name resolves to one, the attempt fails with ' +
        '`smtp_connection_failed`.',
      'Host name or address.',
      { flags: '--smtp-host <host>', description: 'the SMTP server' },
    ),
    port: {
      isRequired: true,
      schema: { type: 'integer', minimum: 1, maximum: 65_535 },
      shown: 'TCP port.',
      option: { flags: '--smtp-port <port>', description: 'its port', parse: parseWholeNumber },
    },
    secure: {
      schema: {
        type: 'boolean',
        default: false,
        description:
          'TLS from the first byte, as on port 465. Otherwise STARTTLS if the server offers it; with ' +
          'a user name it is required, unless the server is on this machine, and with `ca` or `certificate`.',
      },
      shown: 'TLS from the first byte; otherwise STARTTLS.',
      storesDefault: true,
      option: {
        flags: '--smtp-secure',
        description: 'TLS from the start (port 465); otherwise STARTTLS if offered',
      },
      negation: { flags: '--no-smtp-secure', description: 'STARTTLS if offered' },
    },
    username: {
      schema: optionalText(MAX_NAME_LENGTH, 'Together with `password` or `oauth2`; null without a login.'),
      shown: 'Null if the server requires none.',
      issuesOf: lineIssues,
      option: removableOption('--smtp-username <name>', 'the user to log in as', 'no login'),
    },
    password: {
      schema: secretText(
        'Stored encrypted and never shown. In a PATCH: if left out, it stays; null removes it. It must be ' +
          'given again when `host` or `ca` changes, so that a stored password is never sent to another server.',
      ),
      // With a user name but no password, nodemailer would send without logging in.
      credential: {
        label: 'password',
        required: 'username',
        replacedBy: 'oauth2',
        sentBy: ['host', 'ca'],
      },
      option: smtpSecret('password', 'the password', 'SMTP_PASSWORD'),
    },
    oauth2: OAUTH2_SETTING,
    ca: {
      ...CERTIFICATE_SETTINGS.ca,
      option: {
        ...removableOption(
          '--smtp-ca-file <path>',
          'certificates of a private authority in PEM',
          'the public ones',
        ),
        isFile: true,
      },
    },
    certificate: {
      ...CERTIFICATE_SETTINGS.certificate,
      option: {
        ...removableOption('--smtp-certificate-file <path>', 'a client certificate in PEM', 'no certificate'),
        isFile: true,
      },
    },
    private_key: {
      ...CERTIFICATE_SETTINGS.private_key,
      credential: {
        label: 'private key',
        required: 'certificate',
        sentBy: ['certificate'],
        issuesOf: (key, { certificate }) => privateKeyIssues(key, String(certificate)),
      },
      option: {
        flags: '--smtp-key-file <path>',
        description: 'the private key of the certificate in PEM',
        isFile: true,
        canBeNone: true,
      },
    },
    certificate_expires_at: CERTIFICATE_SETTINGS.certificate_expires_at,
    ehlo_name: {
      schema: {
        type: ['string', 'null'],
        pattern: PATTERNS.ehloName.pattern,
        maxLength: MAX_HOST_LENGTH,
        default: null,
        description:
          'How the client introduces itself (`EHLO`): a name that resolves to its address, for servers that check it. By default the ' +
          'host name of the worker.',
      },
      shown: 'The name in `EHLO`; null for the host name of the worker.',
      option: removableOption('--smtp-ehlo-name <name>', 'the name in EHLO', 'the host name'),
    },
    return_path: {
      schema: {
        type: ['string', 'null'],
        minLength: 3,
        maxLength: 254,
        default: null,
        description:
          'The address that bounces go to (the sender of the envelope), by default `from`. In `bounces+{run}@example.com` `{run}` becomes ' +
          '42 letters and digits by which a bounce finds its run.',
      },
      shown: 'The address that bounces go to; null for that of `from`.',
      issuesOf: checked(returnPathProblem),
      option: removableOption(
        '--smtp-return-path <address>',
        'where bounces go, such as bounces+{run}@example.com',
        'the sender',
      ),
    },
    dkim: DKIM_SETTING,
  },
  {
    shownDescription: 'Passwords and secrets are never shown: see `credentials_set`.',
    rules: [
      {
        reads: ['/oauth2', '/username'],
        issuesOf: ({ oauth2, username }) =>
          oauth2 && !username
            ? [{ path: '/username', code: 'required', message: 'is required together with oauth2' }]
            : [],
      },
      { reads: ['/ca', '/certificate'], issuesOf: (settings) => certificateIssues(settings) },
      { reads: ['/dkim'], issuesOf: ({ dkim }) => dkimIssues(dkim) },
    ],
  },
);
