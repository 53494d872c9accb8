import type { AttemptOutcome } from '@postrider/domain';
import type { SMTPPoolOptions } from 'nodemailer';
import type { AccessTokens, TokenOwner } from '../../../http/oauth2.ts';

/** The access tokens that a transport logs in with. */
export interface TokenLogin {
  /** The token of the next connections. */
  current: string;
  /** The token that the server refused last; null if it refused none. */
  refused: string | null;
}

/**
 * Logs in with the current token, once for each connection. The library's own login repeats a refused token if the server
 * answers with a challenge.
 */
export const xoauth2Handler = (login: TokenLogin): NonNullable<SMTPPoolOptions['customAuth']> => ({
  async XOAUTH2({ auth, sendCommand }) {
    const token = login.current;
    const credentials = `user=${auth.credentials.user}\x01auth=Bearer ${token}\x01\x01`;
    const first = await sendCommand(`AUTH XOAUTH2 ${Buffer.from(credentials).toString('base64')}`);
    // The challenge has the reason in base64. The server refuses the login after an empty response.
    const { response } = first.response.startsWith('334') ? await sendCommand('') : first;
    if (response.startsWith('235')) return;
    if (response.startsWith('535')) login.refused = token;
    throw new Error('the server refused the access token');
  },
});

/** What fetches the tokens of a delivery, and its time limit in milliseconds. */
interface TokenRequest {
  readonly tokens: AccessTokens;
  readonly owner: TokenOwner;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The outcome of a send, and the token that the server refused last. */
interface Sent {
  readonly outcome: AttemptOutcome;
  readonly refusedToken: string | null;
}

/**
 * Sends with an access token, and once more with a new one if the server refuses it: it may have been revoked early. Fails
 * without sending if there is no token.
 */
export async function sendWithToken(
  { tokens, owner, timeoutMs, signal }: TokenRequest,
  send: (token: string) => Promise<Sent>,
): Promise<AttemptOutcome> {
  const first = await tokens.tokenFor(owner, timeoutMs, signal);
  if (!first.ok) return first.failure;
  const { outcome, refusedToken } = await send(first.token);
  const isLoginFailed = outcome.status === 'failed' && outcome.error.code === 'smtp_auth_failed';
  if (!isLoginFailed || refusedToken !== first.token) return outcome;
  tokens.forget(owner, first.token);
  const second = await tokens.tokenFor(owner, timeoutMs, signal);
  return second.ok ? (await send(second.token)).outcome : second.failure;
}
