import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { drip, type Peer, startPeer, writeForever } from '../target/peer.ts';
import { deliver, eventOf } from './deliveries.ts';

type Behaviour = (socket: Socket) => void;

/** Answers the first bytes of a request with these lines, and keeps the connection open. */
const answering =
  (...lines: readonly string[]): Behaviour =>
  (socket) => {
    socket.once('data', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
  };

/** Responds with `beginning`, and then with `rest` without end. */
const sendingForever =
  (beginning: string, rest: string): Behaviour =>
  (socket) => {
    socket.once('data', () => {
      socket.write(beginning);
      writeForever(socket, Buffer.from(rest.repeat(1_000)));
    });
  };

let madeBomb: Promise<Buffer> | undefined;

/** 300 MB of zeros in 300 KB. Created once, in the background, because this event loop serves the second tenant's receiver. */
function bomb(): Promise<Buffer> {
  madeBomb ??= promisify(gzip)(Buffer.alloc(300_000_000));
  return madeBomb;
}

const OK = 'HTTP/1.1 200 OK\r\n';

/** The behaviour of a webhook's receiver, and whether it is reached over TLS. */
const RECEIVERS: Readonly<Record<string, { behave: Behaviour; tls?: true }>> = {
  'never reply': { behave: (socket) => socket.resume() },
  'drip the answer': {
    behave: (socket) => drip(socket.resume(), Buffer.from(`${OK}X: ${'x'.repeat(10_000)}`)),
  },
  'send headers without end': { behave: sendingForever(OK, 'X-Header: xxxxxxxxxxxxxxxx\r\n') },
  'send one header without end': { behave: sendingForever(`${OK}X: `, 'xxxxxxxxxxxxxxxx') },
  'send a body without end': {
    behave: sendingForever(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `400\r\n${'x'.repeat(1_024)}\r\n`),
  },
  'send chunk extensions without end': {
    behave: sendingForever(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`, 'a=xxxxxxxxxxxx;'),
  },
  'send 1xx without end': { behave: sendingForever('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n') },
  'send a gzip bomb': {
    behave: (socket) =>
      socket.once('data', async () => {
        const body = await bomb();
        socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
        socket.end(body);
      }),
  },
  'reset the connection': { behave: (socket) => socket.once('data', () => socket.resetAndDestroy()) },
  'redirect to themselves': { behave: answering('HTTP/1.1 307 Again', 'Location: /', 'Content-Length: 0') },
  'ask for a retry in an age': {
    behave: answering('HTTP/1.1 503 Later', `Retry-After: ${'9'.repeat(300)}`, 'Content-Length: 0'),
  },
  'promise more than they send': { behave: answering('HTTP/1.1 200 OK', 'Content-Length: 999999999999999') },
  'answer in another protocol': { behave: answering('SSH-2.0-OpenSSH_9.9', '\u0000\u0001\u0002') },
  'answer more than once': {
    behave: answering(...Array.from({ length: 50 }, () => `${OK}Content-Length: 0\r\n`)),
  },
  'say nothing in a TLS handshake': { behave: (socket) => socket.resume(), tls: true },
  'answer a TLS handshake in plain text': { behave: answering('HTTP/1.1 400 Bad Request'), tls: true },
  'send TLS records without end': {
    // Alert records of level warning, which the protocol lets a peer ignore.
    behave: (socket) => writeForever(socket.resume(), Buffer.from('1503030002010a'.repeat(500), 'hex')),
    tls: true,
  },
};

const TIMEOUT_MS = 1_000;

function webhook(name: string, peer: Peer, tls: true | undefined) {
  return {
    kind: 'webhook' as const,
    name,
    config: { url: `${tls ? 'https' : 'http'}://127.0.0.1:${peer.port}/`, timeout_ms: TIMEOUT_MS },
    retry: { max_attempts: 1, delays_seconds: [1] },
  };
}

/** Sends events to the receivers of these names, all at once. */
async function callReceivers(context: AttackContext, names: readonly string[]): Promise<Outcome> {
  const peers: Peer[] = [];
  try {
    const channels = [];
    for (const name of names) {
      const { behave, tls } = RECEIVERS[name] ?? { behave: () => undefined };
      const peer = await startPeer(behave);
      peers.push(peer);
      channels.push(webhook(name, peer, tls));
    }
    const events = Array.from({ length: context.amount(2, 10) }, () => eventOf('order.shipped'));
    const { figures, violations = [] } = await deliver(context, { channels, events });
    const uncalled = names.filter((_, index) => peers[index]?.connections() === 0);
    return {
      figures: figures ?? {},
      violations: [...violations, ...uncalled.map((name) => `never called: ${name}`)],
    };
  } finally {
    await Promise.all(peers.map((peer) => peer.close()));
  }
}

/** All at once in the short form; in the long form also each alone, many times. */
export const RECEIVER_ATTACKS: readonly Attack[] = [
  { name: 'receivers of every kind', run: (context) => callReceivers(context, Object.keys(RECEIVERS)) },
  ...Object.keys(RECEIVERS).map((name) => ({
    name: `receivers that ${name}`,
    isLong: true as const,
    run: (context: AttackContext) =>
      callReceivers(
        context,
        Array.from({ length: 5 }, () => name),
      ),
  })),
];
