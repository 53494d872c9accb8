import { type Answer, type Receiver, startReceiver, status } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createHttpClient } from '../../src/http/create-client.ts';
import { createAccessTokens } from '../../src/http/oauth2.ts';
import { delivered } from '../../src/sender.ts';
import { loopbackAllowed } from '../support/delivery.ts';

let receiver: Receiver;
const http = createHttpClient({ isAddressAllowed: loopbackAllowed });
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  http.close();
  await receiver.close();
});

const LIMIT = { leftMs: () => 5_000, signal: new AbortController().signal };

/** A clock, and a source of the tokens `token-1`, `token-2` and so on, which last an hour. */
function openTokens(path: string) {
  const clock = { ms: 0 };
  const options = { code: 'smtp_auth_failed' } as const;
  const tokens = createAccessTokens(http, options, () => clock.ms);
  const token_url = receiver.endpoint(path, (response, nth) => {
    response.end(JSON.stringify({ access_token: `token-${nth}`, token_type: 'Bearer', expires_in: 3_600 }));
  });
  const tokenOf = async ({ account = '', revision = 1 } = {}) => {
    const owner = {
      channel: { id: 'channel', revision },
      ...(account === '' ? {} : { account }),
      client: { token_url, client_id: 'shop' },
      clientSecret: 's',
    };
    let used = '';
    await tokens.sendWithToken(owner, LIMIT, async (token) => {
      used = token;
      return { outcome: delivered(null), isTokenRefused: false };
    });
    return used;
  };
  return { clock, tokenOf };
}

describe('access tokens', () => {
  it('are used until 60 s before they expire', async () => {
    const { clock, tokenOf } = openTokens('/hour');
    expect(await tokenOf()).toBe('token-1');
    clock.ms = 3_539_999;
    expect(await tokenOf()).toBe('token-1');
    clock.ms = 3_540_000;
    expect(await tokenOf()).toBe('token-2');
  });

  it('belong to one revision of a channel, or to one of its accounts', async () => {
    const { tokenOf } = openTokens('/owners');
    const owners = [{}, { revision: 2 }, { account: 'one' }, { account: 'other' }];
    const first: string[] = [];
    for (const owner of owners) first.push(await tokenOf(owner));
    expect(first).toEqual(['token-1', 'token-2', 'token-3', 'token-4']);
    const again: string[] = [];
    for (const owner of owners) again.push(await tokenOf(owner));
    expect(again).toEqual(first);
  });

  // The first one has the form of an error code (RFC 6749 section 5.2), which messages repeat.
  const SECRET = 'only_known_to_the_client';
  const REFRESH_TOKEN = '1//09-refresh-token';
  const both = `${SECRET} ${REFRESH_TOKEN}`;
  const token = (access_token: unknown) => JSON.stringify({ access_token, token_type: 'Bearer' });
  it.each<[string, Answer]>([
    ['the secret as error code', status(400, {}, JSON.stringify({ error: SECRET }))],
    ['a part of the secret as error code', status(400, {}, JSON.stringify({ error: SECRET.slice(0, -4) }))],
    ['the secrets as description', status(401, {}, JSON.stringify({ error: 'x', error_description: both }))],
    ['the secrets in a page', status(500, { 'content-type': 'text/html' }, `<p>${both}</p>`)],
    ['the secrets without a token', status(200, {}, JSON.stringify({ token_type: both, scope: both }))],
    ['the secrets in a token with line ends', status(200, {}, token(`${both}\r\nQUIT`))],
    ['the secrets in a list', status(200, {}, JSON.stringify([both]))],
    ['a list as token', status(200, {}, token([both]))],
    ['text that is not JSON', status(200, {}, `access_token=${both}`)],
    ['a body that is cut', status(200, {}, token(both).slice(0, -2))],
    ['octets that are not UTF-8', (response) => void response.end(Buffer.from([0xff, 0xfe, 0, 0x7b]))],
    ['a redirect to an address with the secrets', status(302, { location: `/?s=${SECRET}` }, both)],
    ['nothing', status(204, {}, '')],
    ['a token of a megabyte', status(200, {}, token('x'.repeat(1_048_576)))],
  ])('do not come from a response with %s, and no secret is shown', async (what, answer) => {
    const options = { code: 'smtp_auth_failed' } as const;
    const tokens = createAccessTokens(http, options);
    const owner = {
      channel: { id: 'channel', revision: 1 },
      client: { token_url: receiver.endpoint(`/${encodeURIComponent(what)}`, answer), client_id: 'shop' },
      ...{ clientSecret: SECRET, refreshToken: REFRESH_TOKEN },
    };
    const send = () => Promise.reject(new Error('there is a token'));
    const result = await tokens.sendWithToken(owner, LIMIT, send);
    expect(result).toMatchObject({ error: { code: 'smtp_auth_failed', retryable: true } });
    const shown = JSON.stringify(result);
    expect([SECRET.slice(0, -4), REFRESH_TOKEN].filter((secret) => shown.includes(secret))).toEqual([]);
  });
});
