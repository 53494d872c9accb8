import { type Receiver, startReceiver } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createHttpSender } from '../../src/http/create-sender.ts';
import { createAccessTokens } from '../../src/http/oauth2.ts';
import { loopbackAllowed } from '../support/delivery.ts';

let receiver: Receiver;
const http = createHttpSender({ isAddressAllowed: loopbackAllowed });
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  http.close();
  await receiver.close();
});

/** A clock, and a source of the tokens `token-1`, `token-2` and so on, which last an hour. */
function openTokens(path: string) {
  const clock = { ms: 0 };
  const options = { code: 'smtp_auth_failed', isAddressAllowed: loopbackAllowed } as const;
  const tokens = createAccessTokens(http, options, () => clock.ms);
  const token_url = receiver.endpoint(path, (response, nth) => {
    response.end(JSON.stringify({ access_token: `token-${nth}`, token_type: 'Bearer', expires_in: 3_600 }));
  });
  const tokenOf = async ({ sender = '', revision = 1 } = {}) => {
    const owner = {
      channel: { id: 'channel', revision },
      ...(sender === '' ? {} : { sender }),
      client: { token_url, client_id: 'shop' },
      clientSecret: 's',
    };
    const result = await tokens.tokenFor(owner, 5_000, new AbortController().signal);
    return result.ok ? result.token : result.failure.message;
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

  it('belong to one revision of a channel, or to one of its senders', async () => {
    const { tokenOf } = openTokens('/owners');
    const owners = [{}, { revision: 2 }, { sender: 'one' }, { sender: 'other' }];
    const first: string[] = [];
    for (const owner of owners) first.push(await tokenOf(owner));
    expect(first).toEqual(['token-1', 'token-2', 'token-3', 'token-4']);
    const again: string[] = [];
    for (const owner of owners) again.push(await tokenOf(owner));
    expect(again).toEqual(first);
  });
});
