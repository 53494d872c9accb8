import { createPrivateKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { AttemptOutcome } from '@postrider/domain';
import { listenOnLoopback } from '@postrider/rig';
import { createAuthority } from '@postrider/rig/certificates';
import { describe, expect, it } from '@postrider/testing';
import { createAmqpSender } from '../src/amqp/sender.ts';
import { privateKeyIssues } from '../src/certificates.ts';
import { createKafkaSender } from '../src/kafka/sender.ts';
import type { Sender } from '../src/sender.ts';
import { createWebhookSender } from '../src/webhook/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed, webhookDelivery } from './support/delivery.ts';
import { startHelloServer } from './support/hello-server.ts';
import { startTicketServer } from './support/ticket-server.ts';

/** TLS_DHE_… and TLS_DH_anon_… that OpenSSL has: IANA TLS cipher suites. */
const FINITE_FIELD = [
  ...[0x0033, 0x0039, 0x0067, 0x006b, 0x009e, 0x009f, 0x00a6, 0x00a7, 0x0045, 0x0088, 0xccaa],
  ...[0xc052, 0xc053, 0xc09e, 0xc09f, 0xc0a2, 0xc0a3],
];
const ECDHE_RSA_AES128_GCM = 0xc02f;

/** The cipher suites of a ClientHello (RFC 5246 section 7.4.1.2). */
function suitesIn(record: Buffer): number[] {
  const afterRandom = 5 + 4 + 2 + 32;
  const at = afterRandom + 1 + record.readUInt8(afterRandom);
  const count = record.readUInt16BE(at) / 2;
  return Array.from({ length: count }, (_, index) => record.readUInt16BE(at + 2 + 2 * index));
}

const options = { isAddressAllowed: loopbackAllowed };

function publishing(sender: Sender<{ readonly body: string }>, config: (port: number) => object) {
  return (port: number) => {
    const delivery = webhookDelivery({ url: '' }, { credentials: { password: 'secret' } });
    return sender.send({ ...delivery, channel: { ...delivery.channel, config: { ...config(port) } } });
  };
}

const amqpConfig = (port: number) => ({
  host: '127.0.0.1',
  port,
  tls: true,
  username: 'ada',
  vhost: '/',
  exchange: 'events',
  routing_key: 'all',
  persistent: true,
});
const kafkaConfig = (port: number) => ({
  brokers: [`127.0.0.1:${port}`],
  topic: 'events',
  tls: true,
  idempotent: false,
});

describe('a TLS connection of', () => {
  it.each<[string, (port: number) => Promise<unknown>]>([
    [
      'a webhook',
      (port) => createWebhookSender(options).send(webhookDelivery({ url: `https://127.0.0.1:${port}/` })),
    ],
    ['an email', (port) => createEmailChannel(options).send(emailDelivery({ port, secure: true }))],
    ['AMQP', publishing(createAmqpSender(options), amqpConfig)],
    ['Kafka', publishing(createKafkaSender(options), kafkaConfig)],
  ])('%s offers no key exchange whose numbers the server chooses', async (_kind, send) => {
    const offered: number[] = [];
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (hello) => {
          offered.push(...suitesIn(hello));
          socket.destroy();
        });
    });
    const { port, close } = await listenOnLoopback(server);
    await send(port);
    await close();
    expect(offered).toContain(ECDHE_RSA_AES128_GCM);
    expect(offered.filter((suite) => FINITE_FIELD.includes(suite))).toEqual([]);
  });

  it('a webhook makes no second handshake when the server asks for one', async () => {
    const authority = await createAuthority('Servers');
    const { certificate: cert, privateKey: key } = await authority.issue('server');
    const renegotiated: (string | null)[] = [];
    const server = createTlsServer({ cert, key, maxVersion: 'TLSv1.2' }, (socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.renegotiate({}, (error) => {
            renegotiated.push(error && 'refused');
            socket.end('HTTP/1.1 204 No Content\r\n\r\n');
          });
        });
    });
    const { port, close } = await listenOnLoopback(server);
    const sender = createWebhookSender(options);
    const result = await sender.send(
      webhookDelivery({ url: `https://127.0.0.1:${port}/`, tls: { ca: authority.certificate } }),
    );
    sender.close();
    await close();
    expect({ renegotiated, status: result.status }).toEqual({ renegotiated: [], status: 'unknown' });
  });
});

describe('a server that sends session tickets without end', () => {
  it.each<[string, (port: number, ca: string) => Promise<AttemptOutcome>]>([
    [
      'a webhook',
      (port, ca) =>
        createWebhookSender(options).send(
          webhookDelivery({ url: `https://127.0.0.1:${port}/`, tls: { ca } }),
        ),
    ],
    ['an email', (port, ca) => createEmailChannel(options).send(emailDelivery({ port, secure: true, ca }))],
    ['AMQP', (port, ca) => publishing(createAmqpSender(options), (at) => ({ ...amqpConfig(at), ca }))(port)],
    [
      'Kafka',
      (port, ca) => publishing(createKafkaSender(options), (at) => ({ ...kafkaConfig(at), ca }))(port),
    ],
  ])('loses the connection of %s after some of them', async (_kind, send) => {
    const authority = await createAuthority('Servers');
    const server = await startTicketServer(authority, 33);
    const { status, error } = await send(server.port, authority.certificate);
    await server.close();
    expect({ status, message: error?.message }).toEqual({
      status: expect.stringMatching(/failed|unknown/),
      message: expect.stringMatching(/too[ _]many[ _]handshake/i),
    });
  });

  it('keeps its connection if they are few', async () => {
    const authority = await createAuthority('Servers');
    const server = await startTicketServer(authority, 20);
    const url = `https://127.0.0.1:${server.port}/`;
    const delivery = webhookDelivery({ url, tls: { ca: authority.certificate } }, { timeoutMs: 300 });
    const { error } = await createWebhookSender(options).send(delivery);
    await server.close();
    expect(error?.code).toBe('webhook_timeout');
  });
});

it('a webhook ends a connection of TLS 1.2 whose server asks for handshakes without end', async () => {
  const authority = await createAuthority('Servers');
  const server = await startHelloServer(authority, 64);
  const sender = createWebhookSender(options);
  const url = `https://127.0.0.1:${server.port}/`;
  const { error } = await sender.send(
    webhookDelivery({ url, tls: { ca: authority.certificate } }, { timeoutMs: 5_000 }),
  );
  sender.close();
  await server.close();
  expect(error?.message).toMatch(/too[ _]many[ _]handshake/i);
});

it('a private key that takes long to sign is refused', async () => {
  const { certificate } = await (await createAuthority('Clients')).issue('postrider');
  const number = (bits: number) =>
    randomBytes(bits / 8)
      .fill(0xff, 0, 1)
      .toString('base64url');
  const [whole, half] = [number(8_192), number(4_096)];
  const jwk = { kty: 'RSA', n: whole, e: 'AQAB', d: whole, p: half, q: half, dp: half, dq: half, qi: half };
  const pem = createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs1', format: 'pem' });
  expect(privateKeyIssues(String(pem), certificate)).toEqual([
    { path: '/private_key', code: 'invalid_value', message: 'must have at most 4096 bits' },
  ]);
});
