import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { dropAll, heldOpen, openSocket, openSockets } from '../target/sockets.ts';

const ASSET = '/docs/assets/swagger-ui-bundle.js';
/** The time between two bytes of a slow request, in milliseconds. */
const DRIP_MS = 200;

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

function postHead({ target }: AttackContext, headers: readonly string[]): string {
  const { token } = target.attacker;
  return [
    'POST /api/v1/events HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${randomUUID()}`,
    'Content-Type: application/json',
    ...headers,
    '\r\n',
  ].join('\r\n');
}

interface Flood {
  readonly url: string;
  readonly path: string;
  readonly connections: number;
  readonly requests: number;
  readonly reads: boolean;
}

/** Sends all requests at once on each connection, with or without reading the answers, and then closes it. */
async function flood({ url, path, connections, requests, reads }: Flood, holdMs: number): Promise<Outcome> {
  const sockets = await openSockets(url, connections);
  const bytes = Buffer.from(get(path).repeat(requests));
  let received = 0;
  for (const socket of sockets) {
    if (reads) {
      socket.on('data', (chunk) => {
        received += chunk.length;
      });
      // The peer answers a flood by closing the connection.
      socket.once('end', () => socket.destroy());
    } else socket.pause();
    socket.write(bytes);
  }
  const open = await heldOpen(sockets, holdMs);
  dropAll(sockets);
  return { figures: { connections, requests: connections * requests, received_bytes: received, open } };
}

/** Writes to every socket repeatedly until the peer has closed all, or the time is up. */
export async function drip(
  sockets: readonly Socket[],
  holdMs: number,
  write: (socket: Socket) => void,
): Promise<Outcome> {
  const end = performance.now() + holdMs;
  const left = () => sockets.filter((socket) => !socket.destroyed);
  for (const socket of sockets) socket.resume().once('end', () => socket.destroy());
  while (left().length > 0 && performance.now() < end) {
    for (const socket of left()) write(socket);
    await wait(DRIP_MS);
  }
  const open = left().length;
  dropAll(sockets);
  return { figures: { connections: sockets.length, open } };
}

/** Opens connections, sends the same on each, and waits without reading until they are closed or time is up. */
async function hold(
  { target, holdMs }: AttackContext,
  count: number,
  bytes: (index: number) => string | Buffer,
): Promise<Outcome> {
  const sockets = await openSockets(target.api.url, count);
  sockets.forEach((socket, index) => {
    socket.pause();
    socket.write(bytes(index));
  });
  const open = await heldOpen(sockets, holdMs);
  dropAll(sockets);
  return { figures: { connections: count, open } };
}

async function abortBodies(context: AttackContext): Promise<Outcome> {
  const count = context.amount(300, 3_000);
  for (let sent = 0; sent < count; sent += 1) {
    const socket = await openSocket(context.target.api.url);
    socket.write(postHead(context, ['Content-Length: 200000']));
    socket.write('x'.repeat(1_000), () => socket.resetAndDestroy());
  }
  return { figures: { aborted: count } };
}

/** A body of `count` chunks of one byte. */
const oneByteChunks = (count: number) => Buffer.from('1\r\nx\r\n'.repeat(count));

export const CONNECTION_ATTACKS: readonly Attack[] = [
  {
    name: 'pipelined GET /openapi.json, answers never read',
    run: ({ target, holdMs }) =>
      flood(
        { url: target.api.url, path: '/openapi.json', connections: 1, requests: 1_710, reads: false },
        holdMs,
      ),
  },
  {
    name: 'pipelined GET /openapi.json, answers read',
    run: ({ target, holdMs, amount }) =>
      flood(
        {
          url: target.api.url,
          path: '/openapi.json',
          connections: amount(2, 5),
          requests: 1_710,
          reads: true,
        },
        holdMs,
      ),
  },
  {
    name: 'pipelined GET of a static file, answers never read',
    run: ({ target, holdMs }) =>
      flood({ url: target.api.url, path: ASSET, connections: 5, requests: 1_100, reads: false }, holdMs),
  },
  {
    name: 'pipelined GET of a static file, answers read',
    run: ({ target, holdMs }) =>
      flood({ url: target.api.url, path: ASSET, connections: 2, requests: 200, reads: true }, holdMs),
  },
  {
    name: 'pipelined GET /metrics',
    run: ({ target, holdMs, amount }) =>
      flood(
        {
          url: target.api.metricsUrl,
          path: '/metrics',
          connections: 1,
          requests: amount(2_000, 7_876),
          reads: true,
        },
        holdMs,
      ),
  },
  {
    name: 'pipelined GET /metrics of the worker',
    run: ({ target, holdMs, amount }) =>
      flood(
        {
          url: target.worker.metricsUrl,
          path: '/metrics',
          connections: 1,
          requests: amount(2_000, 7_876),
          reads: false,
        },
        holdMs,
      ),
  },
  {
    name: 'headers byte by byte',
    run: async ({ target, holdMs, amount }) =>
      drip(await openSockets(target.api.url, amount(50, 500)), holdMs, (socket) => socket.write('G')),
  },
  {
    name: 'bodies byte by byte',
    run: async (context) => {
      const sockets = await openSockets(context.target.api.url, context.amount(50, 500));
      for (const socket of sockets) socket.write(postHead(context, ['Content-Length: 100000']));
      return drip(sockets, context.holdMs, (socket) => socket.write(' '));
    },
  },
  {
    name: 'ten bodies of 262,000 chunks of one byte',
    run: (context) => {
      const body = oneByteChunks(262_000);
      const head = () => Buffer.from(postHead(context, ['Transfer-Encoding: chunked']));
      return hold(context, 10, () => Buffer.concat([head(), body]));
    },
  },
  { name: 'bodies broken off', run: abortBodies },
  {
    name: 'half-open connections',
    run: async (context) => {
      const sockets = await openSockets(context.target.api.url, context.amount(100, 1_000));
      for (const socket of sockets) socket.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
      const open = await heldOpen(sockets, context.holdMs);
      dropAll(sockets);
      return { figures: { connections: sockets.length, open } };
    },
  },
  {
    name: 'one header of 1 MB',
    run: (context) =>
      hold(
        context,
        context.amount(10, 100),
        () => `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(1_000_000)}`,
      ),
  },
  {
    name: '5,000 headers',
    run: (context) =>
      hold(
        context,
        context.amount(10, 100),
        () => `GET /healthz HTTP/1.1\r\nHost: a\r\n${'a:b\r\n'.repeat(5_000)}\r\n`,
      ),
  },
  {
    name: 'many connections that say nothing',
    run: (context) => hold(context, context.amount(300, 3_000), () => ''),
  },
  {
    name: 'unknown tokens',
    run: ({ target, holdMs, amount }) => {
      const request = () =>
        get('/api/v1/limits').replace('Host', `Authorization: Bearer pr_x_${randomUUID()}\r\nHost`);
      return hold({ target, holdMs, amount }, amount(5, 20), () =>
        Array.from({ length: amount(200, 2_000) }, request).join(''),
      );
    },
  },
];
