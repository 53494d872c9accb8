import { createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { status, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { createWebhookSender } from '../../src/webhook/sender.ts';
import { loopbackAllowed, webhookDelivery } from '../support/delivery.ts';
import { describeWithEachClient } from '../support/webhook-clients.ts';

const MEGABYTE = 1_048_576;

describeWithEachClient(({ httpClient, receiver, channel }) => {
  describe('the response to a webhook', () => {
    it.each([
      [200, 'succeeded', undefined, undefined],
      [204, 'succeeded', undefined, undefined],
      [301, 'failed', 'webhook_redirect_refused', true],
      [304, 'failed', 'webhook_redirect_refused', true],
      [400, 'failed', 'webhook_http_error', true],
      [404, 'failed', 'webhook_http_error', true],
      [410, 'failed', 'webhook_endpoint_gone', false],
      [500, 'failed', 'webhook_http_error', true],
      [503, 'failed', 'webhook_http_error', true],
    ])('%i is %s %s', async (code, outcome, errorCode, retryable) => {
      const url = receiver().endpoint(`/${code}`, status(code));
      const result = await channel().send(webhookDelivery({ url }));
      expect(result).toMatchObject({ status: outcome, response: { statusCode: code } });
      if (result.error) expect(result).toMatchObject({ error: { code: errorCode, retryable } });
    });

    it('with two delays is retried after the first', async () => {
      const url = receiver().endpoint('/twice', (response) => {
        response.setHeader('retry-after', ['7', '9']).writeHead(503).end();
      });
      expect(await channel().send(webhookDelivery({ url }))).toMatchObject({
        error: { retryAfterMs: 7_000 },
      });
    });

    it('a redirect to this machine is not followed', async () => {
      const inside = receiver().endpoint('/inside', status(200));
      const url = receiver().endpoint('/redirect', status(302, { location: inside }));
      const result = await channel().send(webhookDelivery({ url }));
      expect(result).toMatchObject({ status: 'failed', error: { code: 'webhook_redirect_refused' } });
      expect(receiver().received('/inside')).toEqual([]);
    });

    it.each([
      [429, '7', 7_000, ', with Retry-After of 7 s'],
      [503, '7', 7_000, ', with Retry-After of 7 s'],
      [503, '99999999999999', Number.MAX_SAFE_INTEGER, ', with Retry-After of more than a week'],
      [500, '7', null, ''],
      [429, 'soon', null, ''],
    ])('%i with Retry-After %s asks for %s ms, and says so', async (code, retryAfter, expected, said) => {
      const url = receiver().endpoint(
        `/retry-${code}-${retryAfter}`,
        status(code, { 'retry-after': retryAfter }),
      );
      expect(await channel().send(webhookDelivery({ url }))).toMatchObject({
        error: {
          retryAfterMs: expected,
          message: `The endpoint responded with HTTP ${code}${said}.`,
        },
      });
    });

    it('is stored as text that Postgres accepts', async () => {
      const url = receiver().endpoint('/bytes', (response) => {
        response.writeHead(500).end(Buffer.from([0x61, 0x00, 0xff, 0xe2, 0x82]));
      });
      const { response } = await channel().send(webhookDelivery({ url }));
      expect(response?.bodyExcerpt).toBe('a\uFFFD\uFFFD');
    });
  });

  describe('a response without end', () => {
    it('with a byte at a time is cut off at the time limit, with an unknown outcome', async () => {
      const url = receiver().endpoint('/drip', (response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 50);
        response.on('close', () => clearInterval(drip));
      });
      const result = await channel().send(webhookDelivery({ url }, { timeoutMs: 2_000 }));
      expect(result).toMatchObject({
        status: 'unknown',
        response: { statusCode: 200, bodyExcerpt: expect.stringMatching(/^\.+$/) },
        error: { code: 'webhook_timeout' },
      });
    });

    it('of a gigabyte is read up to 16 KiB and classified by its status', async () => {
      let sent = 0;
      const chunk = Buffer.alloc(65_536, 'x');
      const url = receiver().endpoint('/gigabyte', (response) => {
        response.writeHead(200);
        const pump = () => {
          while (sent < 1_024 * MEGABYTE && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) return void response.once('drain', pump);
          }
        };
        pump();
      });
      const before = process.memoryUsage().rss;
      const result = await channel().send(webhookDelivery({ url }));
      expect(result).toMatchObject({ status: 'succeeded', response: { statusCode: 200 } });
      expect(result.response?.bodyExcerpt).toHaveLength(16_384);
      expect(sent).toBeLessThan(64 * MEGABYTE);
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEGABYTE);
    });

    it('that is a compressed bomb is not decompressed', async () => {
      const bomb = gzipSync(Buffer.alloc(300 * MEGABYTE));
      const url = receiver().endpoint('/bomb', (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
      });
      const before = process.memoryUsage().rss;
      const result = await channel().send(webhookDelivery({ url }));
      expect(result).toMatchObject({ status: 'succeeded', response: { statusCode: 200, bodyExcerpt: null } });
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEGABYTE);
    });
  });

  describe('a webhook whose connection breaks', () => {
    it.each([
      ['is reset', 'destroy', { 'content-length': '100' }],
      ['ends', 'end', { 'content-length': '100' }],
      ['ends in a chunk', 'end', { 'transfer-encoding': 'chunked' }],
    ] as const)(
      'that %s while the body of a 2xx comes has an unknown outcome',
      async (_how, how, headers) => {
        const url = receiver().endpoint('/cut', (response) => {
          response.writeHead(200, headers).write('half', () => response.socket?.[how]());
        });
        expect(await channel().send(webhookDelivery({ url }))).toMatchObject({
          status: 'unknown',
          response: { statusCode: 200, bodyExcerpt: 'half' },
          error: { code: 'webhook_connection_failed' },
        });
      },
    );

    it('that ends before the body of an error still has its status', async () => {
      const url = receiver().endpoint('/cut-error', (response) => {
        response.writeHead(500, { 'content-length': '100' }).write('half', () => response.socket?.end());
      });
      expect(await channel().send(webhookDelivery({ url }))).toMatchObject({
        status: 'failed',
        response: { statusCode: 500 },
        error: { code: 'webhook_http_error' },
      });
    });

    it('in the TLS handshake has certainly failed', async () => {
      const url = `https://127.0.0.1:${receiver().port}/`;
      expect(await channel().send(webhookDelivery({ url }))).toMatchObject({
        status: 'failed',
        error: { code: 'webhook_tls_failed', retryable: true },
      });
    });

    it('by a name that does not exist has certainly failed', async () => {
      const nameless = createWebhookSender({
        httpClient,
        isAddressAllowed: loopbackAllowed,
        async resolve(hostname) {
          throw Object.assign(new Error(`queryA ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
        },
      });
      expect(await nameless.send(webhookDelivery({ url: 'http://nowhere.invalid/' }))).toMatchObject({
        status: 'failed',
        error: { code: 'webhook_dns_failed', retryable: true },
      });
      nameless.close();
    });

    it('because the other end speaks no HTTP is unknown', async () => {
      const server = createTcpServer((socket) => socket.end('what?\r\n\r\n'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      expect(await channel().send(webhookDelivery({ url: `http://127.0.0.1:${port}/` }))).toMatchObject({
        status: 'unknown',
        error: {
          code: 'webhook_connection_failed',
          message: expect.stringMatching(/^The response cannot be read \(HPE_\w+\)\. .* not valid HTTP\.$/),
        },
      });
      server.close();
    });
  });

  it('leaves no half-open connection after closing', async () => {
    const open = new Set<Socket>();
    const server = createTcpServer((socket) => {
      open.add(socket.resume());
      socket.on('error', () => undefined).once('close', () => open.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const closing = createWebhookSender({ isAddressAllowed: loopbackAllowed, httpClient });
    const posts = Array.from({ length: 20 }, () =>
      closing.send(webhookDelivery({ url }, { timeoutMs: 500 })),
    );
    for (const result of await Promise.all(posts)) {
      expect(result).toMatchObject({
        status: 'failed',
        error: {
          code: 'webhook_timeout',
          message: expect.stringMatching(/^There was no (?:connection|completed TLS handshake) within/),
        },
      });
    }
    closing.close();
    server.close();
    await waitFor('the connections to end', () => open.size === 0, { timeoutMs: 5_000 });
  });

  describe('an endpoint that leaves the protocol', () => {
    /** Answers every connection with the bytes, and more of them as long as the other end listens. */
    async function withRawServer(
      answer: (write: (text: string) => boolean) => void,
      use: (url: string) => Promise<void>,
    ): Promise<void> {
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => answer((text) => socket.writable && socket.write(text)));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        await use(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
      } finally {
        server.close();
      }
    }

    it('by switching protocols has failed', async () => {
      const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
      await withRawServer(
        (write) => write(upgrade),
        async (url) => {
          expect(await channel().send(webhookDelivery({ url }))).toMatchObject({
            status: 'failed',
            response: { statusCode: 101 },
            error: { code: 'webhook_http_error' },
          });
        },
      );
    });

    it('with an unexpected 100 is the one that follows it', async () => {
      await withRawServer(
        (write) => write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
        async (url) => {
          expect(await channel().send(webhookDelivery({ url }))).toMatchObject({ status: 'succeeded' });
        },
      );
    });

    it.each([
      ['204 No Content\r\nContent-Length: 5\r\n\r\nhello', ''],
      ['204 No Content\r\n\r\nhello', ''],
      ['200 OK\r\nContent-Length: 2\r\n\r\nok and more', 'ok'],
    ])('after its complete response %j has succeeded', async (response, body) => {
      await withRawServer(
        (write) => write(`HTTP/1.1 ${response}`),
        async (url) => {
          const result = await channel().send(webhookDelivery({ url }));
          expect(result).toMatchObject({ status: 'succeeded' });
          if (httpClient === 'node') expect(result).toMatchObject({ response: { bodyExcerpt: body } });
        },
      );
    });

    it('with endless interim responses is cut off', async () => {
      const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
      await withRawServer(
        (write) => write(interim),
        async (url) => {
          expect(await channel().send(webhookDelivery({ url }))).toMatchObject({
            status: 'unknown',
            error: { code: 'webhook_connection_failed' },
          });
        },
      );
    });
  });
});
