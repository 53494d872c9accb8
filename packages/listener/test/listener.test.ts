import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type ConnectionLimits, listen, type Refused } from '@postrider/listener';
import { afterEach, describe, expect, it } from '@postrider/testing';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const GET = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

async function start(app: RequestListener, limits: Partial<ConnectionLimits> = {}, exchangeMs = 60_000) {
  const refused: Refused[] = [];
  const { port, stop } = await listen(app, {
    port: 0,
    host: '127.0.0.1',
    limits: { connections: 100, connectionsPerAddress: 100, ...limits },
    exchangeMs,
    onRefused: (reason) => refused.push(reason),
  });
  stops.push(() => stop());

  async function open(text = ''): Promise<{ socket: Socket; text: () => string; closed: Promise<string> }> {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
    await once(socket, 'connect');
    socket.write(text);
    return { socket, text: () => received, closed };
  }

  /** Whether a new connection is served. */
  async function isServed(): Promise<boolean> {
    const { closed } = await open(GET('/', 'Connection: close\r\n'));
    return (await closed).startsWith('HTTP/1.1 200 ');
  }
  return { refused, open, isServed, stop };
}

const ok: RequestListener = (_request, response) => {
  response.end('ok');
};

describe('a connection', () => {
  it('serves a request after the previous response was read, and drops waiting ones when it closes', async () => {
    const responses: ServerResponse[] = [];
    const seen: string[] = [];
    let arrived = () => {};
    const { open } = await start((request, response) => {
      seen.push(request.url ?? '');
      responses.push(response);
      arrived();
    });
    const second = new Promise<void>((resolve) => {
      arrived = () => seen.length === 2 && resolve();
    });
    const { socket, closed } = await open(GET('/a') + GET('/b') + GET('/c'));
    while (seen.length === 0) await new Promise(setImmediate);
    expect(seen).toEqual(['/a']);

    responses[0]?.end('a');
    await second;
    expect(seen).toEqual(['/a', '/b']);
    const gone = once(responses[1] as ServerResponse, 'close');
    socket.destroy();
    await Promise.all([closed, gone]);
    expect(seen).toEqual(['/a', '/b']);
  });

  it('is closed if too many requests wait', async () => {
    let served = 0;
    const { open, refused, isServed } = await start((request, response) => {
      served += 1;
      if (request.url === '/') response.end('ok');
    });
    const { closed } = await open(GET('/hold').repeat(10));
    await closed;
    expect([served, refused]).toEqual([1, ['too_many_pipelined']]);
    expect(await isServed()).toBe(true);
  });

  it('keeps requests that one read brings while a large response is not read', async () => {
    const large = 'x'.repeat(200_000);
    const { open } = await start((_request, response) => response.end(large));
    const request = GET('/', `X: ${'x'.repeat(2_000)}\r\n`);
    const { closed } = await open(request.repeat(8) + GET('/', 'Connection: close\r\n'));
    expect((await closed).match(/x{200000}/g)).toHaveLength(9);
  });

  it('is closed if its client does not read the response in time', async () => {
    const large = Buffer.alloc(64 * 1024 * 1024);
    const { open, refused } = await start((_request, response) => response.end(large), {}, 100);
    const { socket } = await open();
    socket.pause();
    socket.write(GET('/'));
    while (refused.length === 0) await new Promise(setImmediate);
    expect(refused).toEqual(['exchange_too_slow']);
    socket.destroy();
  });

  it('serves nothing that follows a refusal', async () => {
    const seen: string[] = [];
    const { open, refused } = await start((request, response) => {
      seen.push(request.url ?? '');
      response.end('ok');
    });
    const body = 'x'.repeat(70_000);
    const { closed } = await open(
      `POST /a HTTP/1.1\r\nHost: x\r\nHost: y\r\nContent-Length: 70000\r\n\r\n${body}${GET('/b')}`,
    );
    expect(await closed).toMatch(/^HTTP\/1.1 400 /);
    expect([seen, refused]).toEqual([[], ['malformed_request']]);
  });

  it('is closed by the responses of waiting requests when the server stops', async () => {
    const responses: ServerResponse[] = [];
    const server = await start((_request, response) => responses.push(response));
    const { closed } = await server.open(GET('/a'));
    while (responses.length === 0) await new Promise(setImmediate);
    const stopped = server.stop({ graceMs: 1, deadlineMs: 60_000 });
    responses[0]?.end('a');
    expect(await closed).toMatch(/^connection: close\r$/im);
    await stopped;
  });
});

describe('a request with a body', () => {
  /** The lengths of the pieces in which a body of 60,000 bytes arrives; each is read before the next is sent. */
  async function piecesOf(head: string, body: string): Promise<number[]> {
    const pieces: number[] = [];
    const { open } = await start((request, response) => {
      request.on('data', (piece: Buffer) => pieces.push(piece.length));
      request.on('end', () => response.end());
    });
    const { closed } = await open(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n\r\n${body}`,
    );
    await closed;
    return pieces;
  }

  it('gets a body of known length in the pieces in which it is read', async () => {
    const pieces = await piecesOf('Content-Length: 60000', 'x'.repeat(60_000));
    expect(pieces.reduce((sum, length) => sum + length)).toBe(60_000);
    expect(Math.max(...pieces)).toBeGreaterThan(4 * 1024);
  });

  it('gets a body of unknown length in small pieces', async () => {
    const pieces = await piecesOf('Transfer-Encoding: chunked', `ea60\r\n${'x'.repeat(60_000)}\r\n0\r\n\r\n`);
    expect(pieces.reduce((sum, length) => sum + length)).toBe(60_000);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(4 * 1024);
  });
});

describe('a request after an unread body', () => {
  it('is parsed in small pieces', async () => {
    const pieces: number[] = [];
    const { open } = await start((request, response) => {
      if (request.method === 'OPTIONS') {
        response.end('unread');
        return;
      }
      request.on('data', (piece: Buffer) => pieces.push(piece.length));
      request.on('end', () => response.end());
    });
    const { socket, text, closed } = await open(
      'OPTIONS / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n',
    );
    while (!text().includes('unread')) await new Promise(setImmediate);
    socket.write('x'.repeat(60_000));
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    socket.write(`${head}ea60\r\n${'x'.repeat(60_000)}\r\n0\r\n\r\n`);
    await closed;
    expect(pieces.reduce((sum, length) => sum + length)).toBe(60_000);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(4 * 1024);
  });
});

describe('a listener', () => {
  it('refuses connections of an address above its limit, and accepts new ones when one has ended', async () => {
    const { open, isServed, refused } = await start(ok, { connectionsPerAddress: 2 });
    const [first] = await Promise.all([open(), open()]);
    expect(await isServed()).toBe(false);
    expect(refused).toEqual(['too_many_connections_of_address']);
    first?.socket.destroy();
    await first?.closed;
    while (!(await isServed())) await new Promise(setImmediate);
  });

  it('does not limit connections of a trusted proxy', async () => {
    const { open, isServed } = await start(ok, { connectionsPerAddress: 2, trustedProxies: ['127.0.0.0/8'] });
    await Promise.all([open(), open(), open()]);
    expect(await isServed()).toBe(true);
  });

  it('refuses connections above its total limit, and closes idle ones to make room', async () => {
    const { open, isServed, refused } = await start(ok, { connections: 2 });
    const idle = await Promise.all([open(GET('/')), open(GET('/'))]);
    while (idle.some(({ text }) => text() === '')) await new Promise(setImmediate);
    expect(await isServed()).toBe(false);
    expect(refused).toContain('too_many_connections');
    await Promise.all(idle.map(({ closed }) => closed));
    while (!(await isServed())) await new Promise(setImmediate);
  });
});

describe('the refusal of a body', () => {
  it('has the headers that the application has set, and its own once', async () => {
    const { open } = await start((_request, response) => {
      response.setHeader('X-Set', 'a');
      response.setHeader('cache-control', 'max-age=9');
    });
    const { closed } = await open('GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    const lines = (await closed).split('\r\n');
    expect(lines).toEqual(expect.arrayContaining(['HTTP/1.1 400 Bad Request', 'X-Set: a']));
    expect(lines.filter((line) => /^cache-control/i.test(line))).toEqual(['Cache-Control: no-store']);
  });
});

describe('an application that fails', () => {
  const failures: readonly [string, RequestListener][] = [
    [
      'throws',
      () => {
        throw new Error('a bug');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('a bug'))],
  ];

  it.each(failures)('%s: the connection is closed, and the process continues', async (_name, app) => {
    const { open, refused } = await start(app);
    const { closed } = await open(GET('/'));
    expect(await closed).toBe('');
    expect(refused).toEqual(['request_failed']);
  });

  it('answers after the listener has refused the body, without an unhandled error', async () => {
    let answered: (() => void) | undefined;
    const { open, refused } = await start(async (_request, response) => {
      await new Promise<void>((resolve) => {
        answered = resolve;
      });
      response.writeHead(200).end();
    });
    const { closed } = await open('GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    expect(await closed).toContain('400 Bad Request');
    answered?.();
    await new Promise(setImmediate);
    expect(refused).toContain('malformed_request');
  });
});
