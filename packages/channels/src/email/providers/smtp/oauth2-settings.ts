import { lineIssues } from '@postrider/domain';
import { NONE } from '../../../command.ts';
import { serviceUrlProblem } from '../../../host.ts';
import type { OAuth2Client, TokenOwner } from '../../../http/oauth2.ts';
import { optionalText, requiredText, secretText } from '../../../schema.ts';
import {
  checked,
  removableOption,
  type Setting,
  type SettingOption,
  settingGroup,
} from '../../../settings.ts';

/** Where access tokens for the login come from. The secrets are stored separately. */
export type OAuth2Settings = Pick<OAuth2Client, 'token_url' | 'client_id' | 'scope'>;

const CLIENT_SECRET_FIELD = 'oauth2/client_secret';
const REFRESH_TOKEN_FIELD = 'oauth2/refresh_token';
const MAX_URL_LENGTH = 2_048;
const MAX_CLIENT_ID_LENGTH = 255;
const MAX_SCOPE_LENGTH = 1_024;
/** Those of Microsoft have about 2,000 characters. */
const MAX_REFRESH_TOKEN_LENGTH = 4_096;

/** The option for a secret of an SMTP server. @param label such as `the password` */
export const smtpSecret = (
  name: string,
  label: string,
  variable: string,
  canBeNone = true,
): SettingOption => ({
  flags: `--smtp-${name}-from <source>`,
  description: `where to read ${label}: env is the variable ${variable}${canBeNone ? `; ${NONE} removes it` : ''}`,
  variable,
  canBeNone,
});

/** The server gets the tokens that these secrets are exchanged for, so they are bound to it as a password is. */
const SENT_BY = ['oauth2/token_url', 'oauth2/client_id', 'host', 'ca'];

export const OAUTH2_SETTING: Setting = settingGroup(
  'Logs in as `username` with access tokens (XOAUTH2) instead of a password, as Microsoft 365 and Google require.',
  'How access tokens are fetched.',
  {
    token_url: {
      isRequired: true,
      schema: requiredText(
        MAX_URL_LENGTH,
        'The token endpoint: an https URL, under the same address policy as the server.',
      ),
      shown: 'The token endpoint.',
      issuesOf: (path, url) => [...lineIssues(path, url), ...checked(serviceUrlProblem)(path, url)],
      option: removableOption(
        '--smtp-oauth2-token-url <url>',
        'the endpoint of access tokens, which replace the password',
        'log in with the password',
      ),
    },
    client_id: {
      isRequired: true,
      schema: requiredText(MAX_CLIENT_ID_LENGTH, 'The application that is registered at the token endpoint.'),
      shown: 'The application.',
      issuesOf: lineIssues,
      option: { flags: '--smtp-oauth2-client-id <id>', description: 'the application at the token endpoint' },
    },
    client_secret: {
      schema: secretText(
        'Stored encrypted and never shown; kept if left out. It must be given again when `token_url`, `client_id`, ' +
          '`host` or `ca` changes.',
        { isNullable: false },
      ),
      credential: { label: 'client secret', required: 'oauth2', sentBy: SENT_BY },
      option: smtpSecret('oauth2-client-secret', 'its secret', 'SMTP_CLIENT_SECRET', false),
    },
    refresh_token: {
      schema: secretText(
        'Gets tokens with the refresh token grant (RFC 6749 section 6), instead of the client credentials grant. ' +
          'Stored and given again as `client_secret`; null removes it.',
        { maxLength: MAX_REFRESH_TOKEN_LENGTH },
      ),
      credential: { label: 'refresh token', allowedWith: 'oauth2', sentBy: SENT_BY },
      option: smtpSecret('oauth2-refresh-token', 'a refresh token', 'SMTP_REFRESH_TOKEN'),
    },
    scope: {
      schema: optionalText(MAX_SCOPE_LENGTH, 'What the token is for, if the token endpoint asks for it.'),
      shown: 'What the token is for.',
      issuesOf: lineIssues,
      option: removableOption('--smtp-oauth2-scope <scope>', 'what the tokens are for', 'not sent'),
    },
  },
);

/**
 * The source of an account's access tokens, undefined if it does not log in with them. Returns null if the client secret is
 * missing. Id and secret are sent in the form, as Microsoft and Google document it.
 * @param credentials the account's, by field name
 */
export function tokenSourceOf(
  { oauth2 }: { readonly oauth2?: OAuth2Settings },
  credentials: Readonly<Record<string, string>>,
): Pick<TokenOwner, 'client' | 'clientSecret' | 'refreshToken'> | null | undefined {
  if (!oauth2) return undefined;
  const { [CLIENT_SECRET_FIELD]: clientSecret, [REFRESH_TOKEN_FIELD]: refreshToken } = credentials;
  if (clientSecret === undefined) return null;
  return { client: { ...oauth2, client_authentication: 'body' }, clientSecret, refreshToken };
}
