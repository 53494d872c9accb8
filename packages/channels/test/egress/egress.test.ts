import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type AttemptOutcome, createAddressPolicy, type JsonObject } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createTransport } from 'nodemailer';
import { createAmqpSender } from '../../src/amqp/sender.ts';
import { explainConnection } from '../../src/connection-errors.ts';
import { createHttpClient } from '../../src/http/create-client.ts';
import { createKafkaSender } from '../../src/kafka/sender.ts';
import type { SenderOptions } from '../../src/sender.ts';
import { createSqsSender } from '../../src/sqs/sender.ts';
import { createWebhookSender } from '../../src/webhook/sender.ts';
import { createEmailChannel, emailDelivery, webhookDelivery } from '../support/delivery.ts';
import { HOSTS, urlForms } from './corpus.ts';

/** No private address is allowed, as in an installation without EGRESS_ALLOW_CIDRS. */
const isAddressAllowed = createAddressPolicy([]);
/** Every name leads to loopback, in both families. */
const resolve = async () => [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Listens on every address of the machine, and counts who connects. */
async function openCanary() {
  const server = createServer((socket) => {
    canary.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '::', done));
  const canary = { server, port: (server.address() as AddressInfo).port, connections: 0 };
  return canary;
}

let canary: Awaited<ReturnType<typeof openCanary>>;
beforeAll(async () => {
  canary = await openCanary();
});
afterAll(() => new Promise((done) => canary.server.close(done)));

/** The forms that were delivered, or failed otherwise than for certain. */
async function tryAll(
  forms: readonly string[],
  send: (form: string) => Promise<AttemptOutcome>,
  codes: RegExp = /./,
): Promise<readonly string[]> {
  const odd: string[] = [];
  for (const form of forms) {
    const result = await send(form);
    const isExpected = result.status === 'failed' && codes.test(result.error.code);
    if (!isExpected) odd.push(`${form}: ${JSON.stringify(result)}`);
  }
  return odd;
}

/** Hosts as settings have them, with and without the brackets of a URL. */
const BARE_HOSTS = [...new Set([...HOSTS, ...HOSTS.map((host) => host.replace(/^\[|\]$/g, ''))])];

/** A delivery to a channel of its own for each config. */
function brokerDelivery(config: JsonObject, credentials: Record<string, string>) {
  const channelId = JSON.stringify(config);
  const delivery = webhookDelivery({ url: '' }, { credentials, channelId, timeoutMs: 2_000 });
  return { ...delivery, channel: { ...delivery.channel, config } };
}

function deliveryTo(url: string) {
  return webhookDelivery({ url }, { timeoutMs: 2_000 });
}

/** A mail whose server wants an access token of this endpoint. */
function mailWithTokensOf(token_url: string) {
  const credentials = { 'senders/smtp/oauth2/client_secret': 's' };
  return emailDelivery(
    { port: 1, username: 'u', oauth2: { token_url, client_id: 'a' } },
    { credentials, channelId: token_url, timeoutMs: 2_000 },
  );
}

interface Case {
  readonly host: string;
  readonly port: number;
}

/** A delivery by each client that connects to a host that a tenant chooses, with TLS. */
const CLIENTS: Record<string, (options: SenderOptions, to: Case) => Promise<AttemptOutcome>> = {
  ...Object.fromEntries(
    (['node', 'got'] as const).map((httpClient) => [
      `webhooks with ${httpClient}`,
      (options: SenderOptions, { host, port }: Case) =>
        createWebhookSender({ ...options, httpClient }).send(deliveryTo(`https://${host}:${port}/`)),
    ]),
  ),
  'the token endpoint of OAuth 2.0': (options, { host, port }) =>
    createWebhookSender(options).send(
      webhookDelivery(
        {
          url: 'http://hooks.example.com/',
          auth: { type: 'oauth2', token_url: `https://${host}:${port}/`, client_id: 'a' },
        },
        { credentials: { 'auth/client_secret': 's' } },
      ),
    ),
  'the token endpoint of SMTP': (options, { host, port }) =>
    createEmailChannel(options).send(mailWithTokensOf(`https://${host}:${port}/`)),
  SMTP: (options, { host, port }) =>
    createEmailChannel(options).send(emailDelivery({ host, port, secure: true })),
  AMQP: (options, { host, port }) =>
    createAmqpSender(options).send(
      brokerDelivery({ host, port, tls: true, username: 'u', exchange: '' }, { password: 'p' }),
    ),
  Kafka: (options, { host, port }) =>
    createKafkaSender(options).send(
      brokerDelivery({ brokers: [`${host}:${port}`], tls: true, topic: 't' }, {}),
    ),
};

describe.each(Object.entries(CLIENTS))('the error of a connection by %s', (_name, send) => {
  it.each(['127.0.0.1', 'hooks.example.com'])(
    'names the private address of %s, and the setting that allows it',
    async (host) => {
      const result = await send({ isAddressAllowed, resolve }, { host, port: canary.port });
      expect(result).toMatchObject({
        status: 'failed',
        error: { message: expect.stringMatching(/127\.0\.0\.1 is not public.*EGRESS_ALLOW_CIDRS/) },
      });
    },
  );

  it.each(['greets', 'answers'])('says that a server that %s in plain text speaks no TLS', async (when) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      if (when === 'greets') socket.end('220 mail.example.com ESMTP\r\n');
      else socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const result = await send({ isAddressAllowed: () => true }, { host: '127.0.0.1', port });
    // Their clients are gone, but nobody reads to their end.
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
    expect(result).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('does not speak TLS on this port') },
    });
  });
});

describe('the error of an SMTP connection without TLS', () => {
  it('says what a server needs that expects TLS from the start, and so sends no greeting', async () => {
    const server = createTlsServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const transport = createTransport({ host: '127.0.0.1', port, secure: false, greetingTimeout: 100 });
    const error: unknown = await transport.verify().catch((reason) => reason);
    transport.close();
    await new Promise((done) => server.close(done));
    expect(explainConnection(error)).toMatch(/no greeting.*port 465.*`secure: true`/);
  });
});

describe('the text of an SMTP server', () => {
  it('does not choose the explanation of an error', async () => {
    const server = createServer((socket) =>
      socket.on('error', () => undefined).end('99 SSL routines:x:alert unknown ca:wrong version number\r\n'),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const sender = createEmailChannel({ isAddressAllowed: () => true });
    const { error } = await sender.send(emailDelivery({ host: '127.0.0.1', port, secure: false }));
    sender.close();
    await new Promise((done) => server.close(done));
    expect(error?.message).toBe('The session with the server failed (EPROTOCOL).');
  });
});

describe('private addresses are never connected to, however they are written', () => {
  it('has a corpus of more than 400 forms', () => {
    expect(urlForms(80).length).toBeGreaterThan(400);
  });

  it('detects a connection if there is one', async () => {
    const allowed = createWebhookSender({ isAddressAllowed: () => true, resolve });
    await allowed.send(deliveryTo(`http://localhost:${canary.port}/`));
    allowed.close();
    const { connections } = canary;
    canary.connections = 0;
    // A slow machine also tries the second address of the name.
    expect(connections).toBeGreaterThan(0);
  });

  it.each(['node', 'got'] as const)(
    'by the HTTP client %s, which needs no check of its callers',
    async (httpClient) => {
      const http = createHttpClient({ isAddressAllowed, resolve, httpClient });
      const url = new URL(`http://127.0.0.1:${canary.port}/`);
      const { signal } = new AbortController();
      const { broken } = await http.send({ url, headers: {}, body: '', timeoutMs: 2_000, signal });
      http.close();
      expect(broken?.code).toBe('POSTRIDER_ADDRESS_BLOCKED');
      expect(canary.connections).toBe(0);
    },
  );

  it.each(['node', 'got'] as const)('by webhooks with %s', async (httpClient) => {
    const sender = createWebhookSender({ isAddressAllowed, resolve, httpClient });
    expect(
      await tryAll(
        urlForms(canary.port),
        (url) => sender.send(deliveryTo(url)),
        /^webhook_(address_blocked|dns_failed)$/,
      ),
    ).toEqual([]);
    sender.close();
    expect(canary.connections).toBe(0);
  });

  it('by the token endpoint of OAuth 2.0', async () => {
    const sender = createWebhookSender({ isAddressAllowed, resolve });
    const send = (token_url: string) =>
      sender.send(
        webhookDelivery(
          { url: 'http://hooks.example.com/', auth: { type: 'oauth2', token_url, client_id: 'a' } },
          { credentials: { 'auth/client_secret': 's' }, channelId: token_url, timeoutMs: 2_000 },
        ),
      );
    expect(await tryAll(urlForms(canary.port), send, /^webhook_auth_failed$/)).toEqual([]);
    sender.close();
    expect(canary.connections).toBe(0);
  });

  it('by the token endpoint of SMTP', async () => {
    const sender = createEmailChannel({ isAddressAllowed, resolve });
    const send = (token_url: string) => sender.send(mailWithTokensOf(token_url));
    expect(await tryAll(urlForms(canary.port), send, /^smtp_auth_failed$/)).toEqual([]);
    sender.close();
    expect(canary.connections).toBe(0);
  });

  it('by what an egress proxy is asked for', async () => {
    const asked: string[] = [];
    const proxy = createHttpServer();
    proxy.on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      socket.destroy();
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const url = new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const options: SenderOptions = { isAddressAllowed, resolve, egressProxy: { url, credentials: null } };
    const sender = createWebhookSender(options);
    expect(await tryAll(urlForms(canary.port), (form) => sender.send(deliveryTo(form)))).toEqual([]);
    sender.close();
    await new Promise((done) => (proxy as Server).close(done));
    expect([asked, canary.connections]).toEqual([[], 0]);
  });

  it('by SMTP', async () => {
    const sender = createEmailChannel({ isAddressAllowed, resolve });
    const send = (host: string) =>
      sender.send(emailDelivery({ host, port: canary.port }, { timeoutMs: 2_000 }));
    expect(await tryAll(BARE_HOSTS, send)).toEqual([]);
    sender.close();
    expect(canary.connections).toBe(0);
  });

  it('by AMQP, with and without TLS', async () => {
    const sender = createAmqpSender({ isAddressAllowed, resolve });
    for (const tls of [true, false]) {
      const config = { port: canary.port, tls, username: 'u', exchange: '' };
      const send = (host: string) => sender.send(brokerDelivery({ ...config, host }, { password: 'p' }));
      expect(await tryAll(BARE_HOSTS, send, /^amqp_connection_failed$/)).toEqual([]);
    }
    sender.close();
    expect(canary.connections).toBe(0);
  });

  it('by Kafka, with and without TLS', async () => {
    const sender = createKafkaSender({ isAddressAllowed, resolve });
    for (const tls of [true, false]) {
      const send = (host: string) =>
        sender.send(brokerDelivery({ brokers: [`${host}:${canary.port}`], tls, topic: 't' }, {}));
      expect(await tryAll(BARE_HOSTS, send, /^kafka_connection_failed$/)).toEqual([]);
    }
    sender.close();
    expect(canary.connections).toBe(0);
  });

  it('by SQS', async () => {
    const sender = createSqsSender({ isAddressAllowed, resolve });
    const config = { region: 'eu-central-1', access_key_id: 'AKIAIOSFODNN7EXAMPLE' };
    const send = (queue_url: string) =>
      sender.send(brokerDelivery({ ...config, queue_url }, { secret_access_key: 's' }));
    expect(await tryAll(urlForms(canary.port), send, /^sqs_(connection|auth)_failed$/)).toEqual([]);
    sender.close();
    expect(canary.connections).toBe(0);
  });
});
