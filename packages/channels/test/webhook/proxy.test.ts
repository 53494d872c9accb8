import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { listenOnLoopback, type Receiver, startReceiver, status } from '@postrider/rig';
import { createAuthority } from '@postrider/rig/certificates';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@postrider/testing';
import type { ExchangeFacts, SenderOptions } from '../../src/sender.ts';
import { createWebhookSender } from '../../src/webhook/sender.ts';
import { loopbackAllowed, webhookDelivery } from '../support/delivery.ts';

const CREDENTIALS = { username: 'egress', password: 'p@ss:word' };
const EXPECTED = `Basic ${Buffer.from('egress:p@ss:word').toString('base64')}`;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A proxy that opens tunnels, and remembers what it was asked for. */
async function startProxy(isOpen = true) {
  const asked: string[] = [];
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '', headers }, client) => {
    asked.push(url);
    if (headers['proxy-authorization'] !== EXPECTED)
      return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (!isOpen) return client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.destroy());
    client.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: new URL(`http://127.0.0.1:${portOf(server)}`), asked, server };
}

let receiver: Receiver;
const servers: Server[] = [];
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function openProxy(isOpen = true) {
  const proxy = await startProxy(isOpen);
  servers.push(proxy.server);
  return proxy;
}

const through = (url: URL, options: Partial<SenderOptions> = {}) =>
  createWebhookSender({
    isAddressAllowed: loopbackAllowed,
    egressProxy: { url, credentials: CREDENTIALS },
    ...options,
  });

describe('webhooks through an egress proxy', () => {
  it.each(['node', 'got'] as const)(
    'go to the address that the name was resolved to here, on kept connections (%s)',
    async (httpClient) => {
      const { url: proxyUrl, asked } = await openProxy();
      const port = new URL(receiver.url).port;
      receiver.endpoint('/tunnel', status(200));
      const sender = through(proxyUrl, {
        httpClient,
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      });
      const facts: ExchangeFacts[] = [];
      const url = `http://hooks.example.com:${port}/tunnel`;
      const deliver = () =>
        sender.send(webhookDelivery({ url }, { reportExchange: (fact) => facts.push(fact) }));
      expect([await deliver(), await deliver()]).toMatchObject([
        { status: 'succeeded' },
        { status: 'succeeded' },
      ]);
      sender.close();
      expect(asked).toEqual([`127.0.0.1:${port}`]);
      expect(receiver.received('/tunnel').at(-1)?.headers.host).toBe(`hooks.example.com:${port}`);
      expect(facts).toContainEqual({ connectedAddress: `127.0.0.1:${port}` });
    },
  );

  it('never request a refused address from it, by name or number', async () => {
    const { url: proxyUrl, asked } = await openProxy();
    const sender = through(proxyUrl, { resolve: async () => [{ address: '10.0.0.7', family: 4 }] });
    for (const host of ['rebound.example.com', '10.0.0.7', '[::ffff:10.0.0.7]', '0x0a000007']) {
      expect(await sender.send(webhookDelivery({ url: `http://${host}/` }))).toMatchObject({
        status: 'failed',
        error: { code: 'webhook_address_blocked' },
      });
    }
    sender.close();
    expect(asked).toEqual([]);
  });

  it('keep TLS between the service and the endpoint', async () => {
    const authority = await createAuthority('Private CA');
    const { certificate, privateKey } = await authority.issue('endpoint');
    const endpoint = createTlsServer({ cert: certificate, key: privateKey }, (request, response) => {
      request.resume().once('end', () => response.end());
    });
    servers.push(endpoint as unknown as Server);
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    const { url: proxyUrl } = await openProxy();
    const sender = through(proxyUrl);
    const url = `https://127.0.0.1:${portOf(endpoint as unknown as Server)}/`;
    const trusted = await sender.send(webhookDelivery({ url, tls: { ca: authority.certificate } }));
    const untrusted = await sender.send(webhookDelivery({ url }));
    sender.close();
    expect(trusted.status).toBe('succeeded');
    expect(untrusted).toMatchObject({ status: 'failed', error: { code: 'webhook_tls_failed' } });
  });

  it.each([
    ['refuses', false, CREDENTIALS],
    ['wants other credentials', true, { username: 'egress', password: 'wrong' }],
  ])(
    'fail with certainty if the proxy %s, without credentials in the error',
    async (_name, isOpen, credentials) => {
      const { url: proxyUrl } = await openProxy(isOpen);
      const url = receiver.endpoint('/refused', status(200));
      const sender = through(proxyUrl, { egressProxy: { url: proxyUrl, credentials } });
      const result = await sender.send(webhookDelivery({ url }));
      sender.close();
      expect(result).toMatchObject({
        status: 'failed',
        error: { code: 'webhook_connection_failed', retryable: true },
      });
      expect(JSON.stringify(result)).not.toContain(credentials.password);
      expect(receiver.received('/refused')).toEqual([]);
    },
  );

  it('fail with certainty if nothing listens at the proxy', async () => {
    const { url: proxyUrl, server } = await openProxy();
    await new Promise((resolve) => server.close(resolve));
    const sender = through(proxyUrl);
    const result = await sender.send(webhookDelivery({ url: receiver.endpoint('/none', status(200)) }));
    sender.close();
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'webhook_connection_failed', message: expect.stringContaining('ECONNREFUSED') },
    });
  });

  it('say that the proxy speaks no TLS if its address should begin with http', async () => {
    const { url: proxyUrl } = await openProxy();
    const sender = through(new URL(proxyUrl.href.replace('http:', 'https:')));
    const result = await sender.send(webhookDelivery({ url: receiver.endpoint('/plain', status(200)) }));
    sender.close();
    expect(result).toMatchObject({
      status: 'failed',
      error: {
        code: 'webhook_connection_failed',
        message: expect.stringContaining('does not speak TLS on this port'),
      },
    });
  });

  const TUNNEL = 'HTTP/1.1 200 OK\r\n\r\n';
  const behaviours: Record<string, (socket: Socket) => unknown> = {
    'resets it at once': (socket) => socket.write(TUNNEL, () => socket.resetAndDestroy()),
    'resets it when bytes arrive': (socket) => {
      socket.write(TUNNEL);
      socket.once('data', () => socket.resetAndDestroy());
    },
    'sends bytes together with the answer': (socket) => socket.write(`${TUNNEL}\x16\x03\x03\x00\x02zz`),
    'sends a response together with the answer, and resets it': (socket) =>
      socket.write(`${TUNNEL}HTTP/1.1 500 No\r\n\r\n`, () => socket.resetAndDestroy()),
    'answers twice': (socket) => socket.write(TUNNEL + TUNNEL),
    'sends interim responses': (socket) => socket.write('HTTP/1.1 103 Wait\r\n\r\n'.repeat(1_000)),
    'sends a header without end': (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}`),
    'refuses and resets': (socket) => socket.write('HTTP/1.1 403 No\r\n\r\n', () => socket.resetAndDestroy()),
  };
  it.each(Object.keys(behaviours))('end the attempt, and nothing else, if the tunnel %s', async (name) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => behaviours[name]?.(socket));
    });
    const { port, close } = await listenOnLoopback(server);
    const sender = through(new URL(`http://127.0.0.1:${port}`));
    for (const scheme of ['http', 'https']) {
      const send = () =>
        sender.send(webhookDelivery({ url: `${scheme}://127.0.0.1:9/` }, { timeoutMs: 500 }));
      for (const result of await Promise.all([send(), send()])) expect(result.status).not.toBe('succeeded');
    }
    sender.close();
    await close();
  });
});
