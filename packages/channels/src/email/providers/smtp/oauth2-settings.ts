import { type ChannelIssue, isJsonObject, type JsonObject, lineIssues } from '@postrider/domain';
import {
  type CommandIo,
  type CommandOption,
  NONE,
  type OptionValues,
  orNull,
  part,
  readGivenSecret,
} from '../../../command.ts';
import { serviceUrlProblem } from '../../../host.ts';
import type { OAuth2Client, TokenOwner } from '../../../http/oauth2.ts';
import { type JsonSchema, nullable, record, secretText, text } from '../../../schema.ts';
import type { EmailCredential } from '../../provider.ts';

/** Where access tokens for the login come from. The secrets are stored separately. */
export type OAuth2Settings = Pick<OAuth2Client, 'token_url' | 'client_id' | 'scope'>;

const CLIENT_SECRET_FIELD = 'oauth2/client_secret';
const REFRESH_TOKEN_FIELD = 'oauth2/refresh_token';
const MAX_URL_LENGTH = 2_048;
const MAX_CLIENT_ID_LENGTH = 255;
const MAX_SCOPE_LENGTH = 1_024;
/** Those of Microsoft have about 2,000 characters. */
const MAX_REFRESH_TOKEN_LENGTH = 4_096;

export const OAUTH2_SCHEMA: JsonSchema = {
  type: ['object', 'null'],
  required: ['token_url', 'client_id'],
  additionalProperties: false,
  default: null,
  description:
    'Logs in as `username` with access tokens (XOAUTH2) instead of a password, as Microsoft 365 and Google require.',
  properties: {
    token_url: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_URL_LENGTH,
      description: 'The token endpoint: an https URL, under the same address policy as the server.',
    },
    client_id: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_CLIENT_ID_LENGTH,
      description: 'The application that is registered at the token endpoint.',
    },
    client_secret: secretText(
      'Stored encrypted and never shown; kept if left out. It must be given again when `token_url`, `client_id`, ' +
        '`host` or `ca` changes.',
      { isNullable: false },
    ),
    refresh_token: secretText(
      'Gets tokens by the refresh token grant (RFC 6749 section 6), instead of the client credentials grant. Stored ' +
        'and given again as `client_secret`; null removes it.',
      { maxLength: MAX_REFRESH_TOKEN_LENGTH },
    ),
    scope: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_SCOPE_LENGTH,
      default: null,
      description: 'What the token is for, if the token endpoint asks for it.',
    },
  },
};

export const PRESENTED_OAUTH2 = nullable(
  record('How access tokens are fetched.', {
    token_url: text('The token endpoint.'),
    client_id: text('The application.'),
    scope: nullable(text('What the token is for.')),
  }),
);

/** The stored form of valid settings. */
export const storedOAuth2 = ({ token_url, client_id, scope }: OAuth2Settings): OAuth2Settings => ({
  ...{ token_url, client_id },
  ...(scope ? { scope } : {}),
});

export const presentOAuth2 = ({ token_url, client_id, scope }: OAuth2Settings): JsonObject => ({
  ...{ token_url, client_id },
  scope: scope ?? null,
});

/** Issues of settings that fulfil the schema. Paths start at the provider's settings. */
export function oauth2Issues({
  oauth2,
  username,
}: {
  readonly oauth2?: OAuth2Settings | null;
  readonly username?: string | null;
}): ChannelIssue[] {
  if (!oauth2) return [];
  const problem = serviceUrlProblem(oauth2.token_url);
  return [
    ...lineIssues('/oauth2/token_url', oauth2.token_url),
    ...(problem === null
      ? []
      : [{ path: '/oauth2/token_url', code: 'invalid_format' as const, message: problem }]),
    ...lineIssues('/oauth2/client_id', oauth2.client_id),
    ...lineIssues('/oauth2/scope', oauth2.scope),
    ...(username
      ? []
      : [{ path: '/username', code: 'required' as const, message: 'is required together with oauth2' }]),
  ];
}

/** The server gets the tokens that these secrets are exchanged for, so they are bound to it as a password is. */
const SENT_BY = ['oauth2/token_url', 'oauth2/client_id', 'host', 'ca'];

export const OAUTH2_CREDENTIALS: readonly EmailCredential[] = [
  { field: CLIENT_SECRET_FIELD, label: 'client secret', required: 'oauth2', sentBy: SENT_BY },
  { field: REFRESH_TOKEN_FIELD, label: 'refresh token', allowedWith: 'oauth2', sentBy: SENT_BY },
];

/**
 * The source of a sender's access tokens, undefined if it does not log in with them. Returns null if the client secret is
 * missing. Id and secret are sent in the form, as Microsoft and Google document it.
 * @param credentials the sender's, by field name
 */
export function tokenSourceOf(
  { oauth2 }: JsonObject,
  credentials: Readonly<Record<string, string>>,
): Pick<TokenOwner, 'client' | 'clientSecret' | 'refreshToken'> | null | undefined {
  if (oauth2 === undefined || !isJsonObject(oauth2)) return undefined;
  const { [CLIENT_SECRET_FIELD]: clientSecret, [REFRESH_TOKEN_FIELD]: refreshToken } = credentials;
  if (clientSecret === undefined) return null;
  const { token_url, client_id, scope } = oauth2;
  return {
    client: {
      ...{ token_url: String(token_url), client_id: String(client_id) },
      ...(typeof scope === 'string' ? { scope } : {}),
      client_authentication: 'body',
    },
    clientSecret,
    refreshToken,
  };
}

export const OAUTH2_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--smtp-oauth2-token-url <url>',
    description: 'the endpoint of access tokens, which replace the password; none: log in with the password',
  },
  { flags: '--smtp-oauth2-client-id <id>', description: 'the application at the token endpoint' },
  {
    flags: '--smtp-oauth2-client-secret-from <source>',
    description: 'where to read its secret: env is the variable SMTP_CLIENT_SECRET',
    choices: ['env', 'stdin'],
  },
  {
    flags: '--smtp-oauth2-refresh-token-from <source>',
    description: 'where to read a refresh token: env is the variable SMTP_REFRESH_TOKEN; none removes it',
    choices: ['env', 'stdin', NONE],
  },
  { flags: '--smtp-oauth2-scope <scope>', description: 'what the tokens are for; none: not sent' },
];

/** The settings that options make; undefined if none was given, null for a login with a password. */
export async function oauth2Of(options: OptionValues, io: CommandIo) {
  const { smtpOauth2TokenUrl, smtpOauth2ClientId, smtpOauth2Scope } = options;
  const { smtpOauth2ClientSecretFrom: secret, smtpOauth2RefreshTokenFrom: refresh } = options;
  if (smtpOauth2TokenUrl === NONE) return null;
  return part({
    token_url: smtpOauth2TokenUrl,
    client_id: smtpOauth2ClientId,
    client_secret: await readGivenSecret(io, secret, 'SMTP_CLIENT_SECRET'),
    refresh_token: (await readGivenSecret(io, refresh, 'SMTP_REFRESH_TOKEN')) ?? orNull(refresh),
    scope: orNull(smtpOauth2Scope),
  });
}
