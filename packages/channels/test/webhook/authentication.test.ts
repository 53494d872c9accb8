import { createHash, createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createWebhookSecret } from '@postrider/domain';
import { type Receiver, startReceiver, status } from '@postrider/rig';
import { type Authority, createAuthority } from '@postrider/rig/certificates';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@postrider/testing';
import { Webhook } from 'standardwebhooks';
import type { ExchangeFacts } from '../../src/sender.ts';
import { createWebhookSender } from '../../src/webhook/sender.ts';
import { createSigningKey, publicJwk } from '../../src/webhook/signing-keys.ts';
import { loopbackAllowed, RUN_ID, webhookDelivery } from '../support/delivery.ts';

let receiver: Receiver;
const sender = createWebhookSender({ isAddressAllowed: loopbackAllowed });
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  sender.close();
  await receiver.close();
});

function watched() {
  const facts: ExchangeFacts[] = [];
  return { reportExchange: (fact: ExchangeFacts) => facts.push(fact), text: () => JSON.stringify(facts) };
}

describe('the credentials of a webhook', () => {
  it('are sent in their headers, and shown nowhere, whatever the endpoint repeats', async () => {
    const url = receiver.endpoint('/echo', (response, _nth, request) => {
      const said = JSON.stringify(request.headers);
      response.setHeader('x-you-said', String(request.headers['x-shop-pass'])).writeHead(403).end(said);
    });
    const credentials = { 'headers/x-shop-pass': 'tr0ub4dor&3', 'auth/password': 'correct horse' };
    const { reportExchange, text } = watched();
    const config = {
      url,
      secret_headers: { 'X-Shop-Pass': true },
      auth: { type: 'basic', username: 'ada' },
    } as const;
    const result = await sender.send(webhookDelivery(config, { credentials, reportExchange }));
    const [got] = receiver.received('/echo');
    const basic = Buffer.from('ada:correct horse').toString('base64');
    expect(got?.headers).toMatchObject({ 'x-shop-pass': 'tr0ub4dor&3', authorization: `Basic ${basic}` });
    const shown = `${text()}${JSON.stringify(result)}`;
    expect(shown).toContain('x-you-said');
    for (const secret of ['tr0ub4dor', 'correct horse', basic]) expect(shown).not.toContain(secret);
  });

  it('of a bearer token are sent as such', async () => {
    const url = receiver.endpoint('/bearer', status(200));
    const result = await sender.send(
      webhookDelivery({ url, auth: { type: 'bearer' } }, { credentials: { 'auth/token': 'abc.DEF-1' } }),
    );
    expect(result.status).toBe('succeeded');
    expect(receiver.received('/bearer')[0]?.headers.authorization).toBe('Bearer abc.DEF-1');
  });

  it('that are missing are an error, and nothing is sent', async () => {
    const url = receiver.endpoint('/missing', status(200));
    const result = await sender.send(webhookDelivery({ url, auth: { type: 'bearer' } }));
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'webhook_auth_failed', retryable: true },
    });
    expect(receiver.received('/missing')).toEqual([]);
  });
});

describe('an asymmetric signature', () => {
  it('is beside the symmetric one and valid for the public key, also of the previous key during its overlap', async () => {
    const url = receiver.endpoint('/signed', status(200));
    const [key, previous] = [createSigningKey(), createSigningKey()];
    const secrets = [createWebhookSecret(), createWebhookSecret()];
    const credentials = { signing_key: key, previous_signing_key: previous };
    await sender.send(webhookDelivery({ url }, { secrets, credentials }));
    await sender.send(webhookDelivery({ url }, { secrets: secrets.slice(0, 1), credentials }));
    const [during, after] = receiver.received('/signed');
    const signaturesOf = (request: typeof during) => String(request?.headers['webhook-signature']).split(' ');
    expect(signaturesOf(during).map((one) => one.split(',')[0])).toEqual(['v1', 'v1', 'v1a', 'v1a']);
    expect(signaturesOf(after).map((one) => one.split(',')[0])).toEqual(['v1', 'v1a']);
    const headers = during?.headers as Record<string, string>;
    for (const secret of secrets)
      expect(new Webhook(secret).verify(String(during?.body), headers)).toBeTruthy();
    const signed = Buffer.from(`${RUN_ID}.${headers['webhook-timestamp']}.${during?.body}`);
    const asymmetric = signaturesOf(during).slice(2);
    for (const [index, own] of [key, previous].entries()) {
      const publicKey = createPublicKey({ key: publicJwk(own), format: 'jwk' });
      const signature = Buffer.from(String(asymmetric[index]).slice('v1a,'.length), 'base64');
      expect(verify(null, signed, publicKey, signature)).toBe(true);
    }
  });
});

describe('mutual TLS', () => {
  let authority: Authority;
  const servers: ReturnType<typeof createServer>[] = [];
  beforeAll(async () => {
    authority = await createAuthority('Private CA');
  });
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A server that wants a certificate of the authority, and remembers whose it was shown. */
  async function openServer() {
    const { certificate, privateKey } = await authority.issue('endpoint');
    const shown: string[] = [];
    const server = createServer(
      {
        cert: certificate,
        key: privateKey,
        ca: authority.certificate,
        requestCert: true,
        rejectUnauthorized: true,
      },
      (request, response) => {
        shown.push(String((request.socket as TLSSocket).getPeerCertificate().subject?.CN));
        request.resume().once('end', () => response.end());
      },
    );
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, shown };
  }

  it.each(['node', 'got'] as const)('shows the certificate of the channel (%s)', async (httpClient) => {
    const { url, shown } = await openServer();
    const client = await authority.issue('postrider');
    const own = createWebhookSender({ isAddressAllowed: loopbackAllowed, httpClient });
    const result = await own.send(
      webhookDelivery(
        { url, tls: { ca: authority.certificate, certificate: client.certificate } },
        { credentials: { 'tls/private_key': client.privateKey } },
      ),
    );
    own.close();
    expect(result.status).toBe('succeeded');
    expect(shown).toEqual(['postrider']);
  });

  it('sends nothing to an endpoint with an untrusted certificate', async () => {
    const { url, shown } = await openServer();
    const other = await createAuthority('Another CA');
    const client = await authority.issue('postrider');
    const result = await sender.send(
      webhookDelivery(
        { url, tls: { ca: other.certificate, certificate: client.certificate } },
        { credentials: { 'tls/private_key': client.privateKey } },
      ),
    );
    expect(result).toMatchObject({ status: 'failed', error: { code: 'webhook_tls_failed' } });
    expect(shown).toEqual([]);
  });

  it.each([
    ['expired', async () => authority.issue('postrider', -1)],
    ['of another authority', async () => (await createAuthority('Another CA')).issue('postrider')],
    ['missing', async () => null],
  ])('is refused by the endpoint if the certificate is %s, and reveals no key', async (_name, make) => {
    const { url, shown } = await openServer();
    const client = await make();
    const tls = { ca: authority.certificate, ...(client ? { certificate: client.certificate } : {}) };
    const credentials: Record<string, string> = client ? { 'tls/private_key': client.privateKey } : {};
    const result = await sender.send(webhookDelivery({ url, tls }, { credentials }));
    expect(result.status).not.toBe('succeeded');
    expect(shown).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('PRIVATE KEY');
  });

  it.each(['node', 'got'] as const)(
    'has failed if the endpoint requires one and there is none (%s)',
    async (httpClient) => {
      const { url } = await openServer();
      const own = createWebhookSender({ isAddressAllowed: loopbackAllowed, httpClient });
      const result = await own.send(webhookDelivery({ url, tls: { ca: authority.certificate } }));
      own.close();
      expect(result).toMatchObject({
        status: 'failed',
        error: {
          code: 'webhook_tls_failed',
          message: expect.stringMatching(/ALERT_CERTIFICATE_REQUIRED.* requires a client certificate\.$/),
        },
      });
    },
  );

  it('is required, with its key: without the key nothing is sent', async () => {
    const { url, shown } = await openServer();
    const { certificate } = await authority.issue('postrider');
    const result = await sender.send(
      webhookDelivery({ url, tls: { ca: authority.certificate, certificate } }),
    );
    expect(result).toMatchObject({ status: 'failed', error: { code: 'webhook_auth_failed' } });
    expect(shown).toEqual([]);
  });

  it('uses separate connections for two identities', async () => {
    const { url, shown } = await openServer();
    for (const name of ['one', 'two', 'one']) {
      const client = await authority.issue(name);
      const tls = { ca: authority.certificate, certificate: client.certificate };
      await sender.send(
        webhookDelivery({ url, tls }, { credentials: { 'tls/private_key': client.privateKey } }),
      );
    }
    expect(shown).toEqual(['one', 'two', 'one']);
  });
});

it('an installation with https only sends nothing over http', async () => {
  const url = receiver.endpoint('/plain', status(200));
  const strict = createWebhookSender({ isAddressAllowed: loopbackAllowed, httpsOnly: true });
  expect(await strict.send(webhookDelivery({ url }))).toMatchObject({
    error: { code: 'webhook_address_blocked', retryable: false },
  });
  expect(receiver.received('/plain')).toEqual([]);
  strict.close();
});

it('a public key has the form of RFC 8037', () => {
  const { x, ...rest } = publicJwk(createSigningKey());
  expect(rest).toEqual({ kty: 'OKP', crv: 'Ed25519' });
  expect(createHash('sha256').update(Buffer.from(x, 'base64url')).digest().length).toBe(32);
  expect(Buffer.from(x, 'base64url')).toHaveLength(32);
});
