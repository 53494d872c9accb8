import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, type Receiver, startReceiver, status } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import Provider from 'oidc-provider';
import { createAccessTokens } from '../../src/http/oauth2.ts';
import type { ExchangeFacts } from '../../src/sender.ts';
import { createWebhookSender } from '../../src/webhook/sender.ts';
import { loopbackAllowed, webhookDelivery } from '../support/delivery.ts';

const CLIENT_SECRET = randomBytes(24).toString('base64url');

/** An OpenID provider on loopback with the client credentials grant. */
async function startProvider() {
  const provider = new Provider('http://127.0.0.1', {
    clients: [
      {
        client_id: 'postrider',
        client_secret: CLIENT_SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: 'by-form',
        client_secret: CLIENT_SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    ttl: { ClientCredentials: 600 },
    scopes: ['hooks'],
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = provider.listen(0, '127.0.0.1', () => resolve(listening));
  });
  return {
    tokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    isValid: async (token: string) => Boolean(await provider.ClientCredentials.find(token)),
    revoke: async (token: string) => (await provider.ClientCredentials.find(token))?.destroy(),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

let provider: Awaited<ReturnType<typeof startProvider>>;
let receiver: Receiver;
beforeAll(async () => {
  [provider, receiver] = await Promise.all([startProvider(), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([provider.close(), receiver.close()]);
});

const tokenIn = (authorization: string | undefined) => String(authorization).replace(/^Bearer /, '');

/** An endpoint that takes the tokens of the provider that are valid now. */
const guarded: Answer = async (response, _nth, request) => {
  response.writeHead((await provider.isValid(tokenIn(request.headers.authorization))) ? 200 : 401).end();
};

interface Settings {
  readonly tokenUrl?: string;
  readonly clientId?: string;
  readonly inBody?: boolean;
  readonly secret?: string;
  readonly channelId?: string;
  readonly reportExchange?: (facts: ExchangeFacts) => void;
}

function delivery(path: string, settings: Settings = {}) {
  const { tokenUrl = provider.tokenUrl, clientId = 'postrider', inBody, secret = CLIENT_SECRET } = settings;
  const { channelId = path, reportExchange } = settings;
  const auth = {
    type: 'oauth2',
    token_url: tokenUrl,
    client_id: clientId,
    scope: 'hooks',
    ...(inBody ? { client_authentication: 'body' } : {}),
  };
  const url = receiver.endpoint(path, guarded);
  const credentials = { 'auth/client_secret': secret };
  return webhookDelivery(
    { url, auth },
    { credentials, channelId, ...(reportExchange ? { reportExchange } : {}) },
  );
}

/** JSON that String() or Number() cannot convert: they throw. */
const ODD = {
  'an object that hides its methods': '{"toString":0,"valueOf":0}',
  'a deep list': `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
};

const createSender = () => createWebhookSender({ isAddressAllowed: loopbackAllowed });

describe('a webhook with tokens of an OpenID provider', () => {
  it('fetches one token for concurrent deliveries, and reuses it', async () => {
    const sender = createSender();
    const results = await Promise.all(Array.from({ length: 8 }, () => sender.send(delivery('/shared'))));
    results.push(await sender.send(delivery('/shared')));
    sender.close();
    expect(results.map(({ status }) => status)).toEqual(Array(9).fill('succeeded'));
    const tokens = receiver.received('/shared').map(({ headers }) => headers.authorization);
    expect(new Set(tokens).size).toBe(1);
  });

  it('can authenticate with form fields', async () => {
    const sender = createSender();
    expect(await sender.send(delivery('/form', { clientId: 'by-form', inBody: true }))).toMatchObject({
      status: 'succeeded',
    });
    sender.close();
  });

  it('fetches a new token once when the endpoint refuses a revoked one', async () => {
    const sender = createSender();
    await sender.send(delivery('/revoked'));
    const [first] = receiver.received('/revoked');
    await provider.revoke(tokenIn(first?.headers.authorization));
    expect(await sender.send(delivery('/revoked'))).toMatchObject({ status: 'succeeded' });
    expect(receiver.received('/revoked')).toHaveLength(3);
    sender.close();
  });

  it('fetches only one new token when the endpoint refuses every token', async () => {
    const sender = createSender();
    const sent = delivery('/never');
    receiver.endpoint('/never', status(401));
    expect(await sender.send(sent)).toMatchObject({
      response: { statusCode: 401 },
      error: { code: 'webhook_http_error' },
    });
    expect(receiver.received('/never')).toHaveLength(2);
    sender.close();
  });

  it('sends nothing when the provider refuses the secret, asks once for many deliveries, and shows no secret', async () => {
    const sender = createSender();
    const facts: ExchangeFacts[] = [];
    const secret = 'a-wrong-secret-of-the-client';
    const send = () =>
      sender.send(delivery('/refused', { secret, reportExchange: (fact) => facts.push(fact) }));
    const [result] = [await send(), await send()];
    sender.close();
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'webhook_auth_failed', retryable: true },
    });
    expect(JSON.stringify(result)).toContain('HTTP 401, invalid_client');
    expect(`${JSON.stringify(result)}${JSON.stringify(facts)}`).not.toContain(secret);
    expect(receiver.received('/refused')).toEqual([]);
  });

  it('is not fetched from a refused address', async () => {
    const sender = createSender();
    for (const host of ['10.0.0.1', '[::1]', '169.254.169.254', '0x0a000001']) {
      const result = await sender.send(delivery(`/blocked-${host}`, { tokenUrl: `http://${host}/token` }));
      expect(result).toMatchObject({ error: { code: 'webhook_auth_failed', retryable: false } });
    }
    sender.close();
  });

  it('is only fetched over https if the installation only sends over https', async () => {
    const sender = createWebhookSender({ isAddressAllowed: loopbackAllowed, httpsOnly: true });
    const tokenUrl = receiver.endpoint('/plain-token', status(200));
    const { channel, ...sent } = delivery('/plain-hook', { tokenUrl });
    const config = { ...channel.config, url: 'https://127.0.0.1:1/hook' };
    expect(await sender.send({ ...sent, channel: { ...channel, config } })).toMatchObject({
      error: { code: 'webhook_auth_failed', retryable: false },
    });
    expect(receiver.received('/plain-token')).toEqual([]);
    sender.close();
  });

  it.each(Object.entries(ODD))('is fetched though its lifetime is %s', async (name, expires) => {
    const sender = createSender();
    const path = `/lifetime-${name.replaceAll(' ', '-')}`;
    const body = `{"access_token":"a","token_type":"Bearer","expires_in":${expires}}`;
    const sent = delivery(`${path}-hook`, { tokenUrl: receiver.endpoint(path, status(200, {}, body)) });
    receiver.endpoint(`${path}-hook`, status(200));
    expect(await sender.send(sent)).toMatchObject({ status: 'succeeded' });
    sender.close();
  });

  it('leaves no rejection without a handler if the attempt was ended before', async () => {
    const rejections: unknown[] = [];
    const note = (error: unknown) => rejections.push(error);
    process.on('unhandledRejection', note);
    const send = () => Promise.reject(new Error('a bug'));
    const tokens = createAccessTokens({ send, close: () => undefined }, { code: 'webhook_auth_failed' });
    const { channel } = delivery('/ended');
    const client = { token_url: provider.tokenUrl, client_id: 'postrider' };
    const owner = { channel, client, clientSecret: CLIENT_SECRET };
    const limit = { leftMs: () => 1_000, signal: AbortSignal.abort() };
    expect(await tokens.sendWithToken(owner, limit, send)).toMatchObject({
      error: { code: 'webhook_auth_failed' },
    });
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });

  it.each<[string, Answer]>([
    ...Object.entries(ODD).map(([name, type]): [string, Answer] => [
      `has as its type ${name}`,
      status(200, {}, `{"access_token":"a","token_type":${type}}`),
    ]),
    ['is no JSON', status(200, {}, 'token')],
    ['has no token', status(200, {}, '{"token_type":"Bearer"}')],
    [
      'has a token that would break the header',
      status(200, {}, '{"token_type":"Bearer","access_token":"a\\r\\nx: y"}'),
    ],
    ['is a redirect', status(302, { location: 'http://10.0.0.1/token' })],
    ['breaks off', (response) => response.socket?.destroy()],
  ])('sends nothing if the response of the token endpoint %s', async (name, answer) => {
    const sender = createSender();
    const path = `/token-${name.replaceAll(' ', '-')}`;
    const tokenUrl = receiver.endpoint(path, answer);
    const result = await sender.send(delivery(`${path}-hook`, { tokenUrl }));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'webhook_auth_failed' } });
    expect(receiver.received(`${path}-hook`)).toEqual([]);
    sender.close();
  });
});
