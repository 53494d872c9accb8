import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { listen } from '@postrider/listener';
import { createRandom, type Random } from '@postrider/rig';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';

/** The bytes of some requests, of which most are valid, and how many of them arrive first. */
interface Input {
  readonly bytes: Buffer;
  readonly cut: number;
}

/** What an application saw of each connection's requests, by the port of its client. */
type Seen = Map<number | undefined, { head: string; body: string; isWhole: boolean }[]>;

const RUNS = 400;
const HOSTS = ['host:a', 'Host: a\r\nHost: b', 'X: y'];
const FRAMES = [
  ...['Content-Length: 5\r\nContent-Length: 5', 'Content-Length: +5', 'Transfer-Encoding: chunked, x'],
  ...[
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding: x',
  ],
];
const OTHERS = [
  'A: b',
  'Connection: close',
  'Connection: keep-alive',
  'Expect: 100-continue',
  'Upgrade: h2c',
];
const VERSIONS = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2'];
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

function request({ pick, next, between }: Random, index: number): string {
  const lines = [next() < 0.9 ? 'Host: a' : pick(HOSTS)];
  let body = '';
  const framing = next();
  if (framing < 0.3) {
    body = pick(['', 'xxxxx', SMUGGLED, 'x'.repeat(5_000), 'x'.repeat(70_000)]);
    lines.push(`Content-Length: ${body.length}`);
  } else if (framing < 0.6) {
    const piece = pick(['x', SMUGGLED, 'x'.repeat(5_000)]);
    const size = pick([
      piece.length.toString(16),
      `000${piece.length.toString(16)}`,
      `${piece.length.toString(16)};a=b`,
    ]);
    body = `${next() < 0.9 ? size : `0x${size}`}\r\n${piece}\r\n0\r\n${pick(['', '', 'T: u\r\n'])}\r\n`;
    lines.push('Transfer-Encoding: chunked');
  } else if (framing < 0.63) {
    body = pick(['xxxxx', '5\r\nxxxxx\r\n0\r\n\r\n']);
    lines.push(pick(FRAMES));
  }
  if (next() < 0.3) lines.push(pick(OTHERS));
  if (next() < 0.3) lines.push(`Pad: ${'p'.repeat(between(1, 4_000))}`);
  const method = pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', next() < 0.1 ? 'get' : 'POST']);
  return `${method} /${index} ${next() < 0.9 ? 'HTTP/1.1' : pick(VERSIONS)}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

function inputOf(random: Random): Input {
  const count = random.between(1, 5);
  const text = Array.from({ length: count }, (_, index) => request(random, index)).join('');
  const bytes = Buffer.from(text);
  if (random.next() < 0.1) bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
  return { bytes, cut: random.between(0, bytes.length) };
}

/** Answers each request with 100 KB: at once if it has no body, otherwise when that is complete. */
const recordTo =
  (seen: Seen): RequestListener =>
  (request: IncomingMessage, response) => {
    const { method, url, httpVersion, rawHeaders, headers, socket } = request;
    const recorded = {
      head: JSON.stringify([method, url, httpVersion, rawHeaders]),
      body: '',
      isWhole: false,
    };
    seen.set(socket.remotePort, [...(seen.get(socket.remotePort) ?? []), recorded]);
    request.on('data', (piece: Buffer) => {
      recorded.body += piece.toString('latin1');
    });
    const answer = () => response.end('x'.repeat(100_000));
    const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
    if (!hasBody) answer();
    request.on('end', () => {
      recorded.isWhole = true;
      if (hasBody) answer();
    });
  };

/** Sends both parts, and reads until the server has closed the connection. */
async function send(port: number, seen: Seen, { bytes, cut }: Input) {
  const socket = connect(port, '127.0.0.1')
    .resume()
    .on('error', () => undefined);
  await once(socket, 'connect');
  const { localPort } = socket;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes.subarray(0, cut), () => socket.end(bytes.subarray(cut)));
  await closed;
  const requests = seen.get(localPort) ?? [];
  seen.delete(localPort);
  return requests;
}

const listenerSaw: Seen = new Map();
const nodeSaw: Seen = new Map();
let node: Server;
let listener: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  node = createServer(recordTo(nodeSaw)).listen(0, '127.0.0.1');
  const limits = { connections: 100, connectionsPerAddress: 100 };
  listener = await listen(recordTo(listenerSaw), { port: 0, host: '127.0.0.1', limits });
});
afterAll(async () => {
  node.close();
  await listener.stop();
});

it('sees the requests that Node.js alone sees, in their order, up to one that it refuses', async () => {
  const random = createRandom(20_261_130);
  let served = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const input = inputOf(random);
    const port = (node.address() as AddressInfo).port;
    const expected = await send(port, nodeSaw, input);
    const seen = await send(listener.port, listenerSaw, input);
    const last = seen.at(-1);
    const whole = seen.filter(({ isWhole }) => isWhole);
    const bytes = input.bytes.toString('latin1');
    expect({ bytes, whole }).toEqual({ bytes, whole: expected.slice(0, whole.length) });
    if (last && !last.isWhole) expect(expected[seen.length - 1]?.head).toBe(last.head);
    served += whole.length;
  }
  expect(served).toBeGreaterThan(RUNS);
});
