import type { SMTPPoolOptions } from 'nodemailer';

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
