import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startHttpReceiver } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { postrider } from './support/command-line.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { useService } from './support/service.ts';

const service = useService();

let receiver: Receiver;
let directory: string;
beforeAll(async () => {
  receiver = await startReceiver();
  directory = await mkdtemp(join(tmpdir(), 'postrider-events-'));
});
afterAll(async () => {
  await receiver.close();
  await rm(directory, { recursive: true });
});

interface Summary {
  idempotency_key: string;
  accepted: number;
  replayed: number;
  failed: number;
  failures: { line: number; code: string; message: string }[];
}

async function environment() {
  const fixture = await service.fixture({
    channels: [{ kind: 'webhook', name: 'Shop', config: { url: receiver.url } }],
  });
  const run = (args: readonly string[], options = {}) =>
    service.postrider(['events', 'send', ...args], { env: { POSTRIDER_TOKEN: fixture.token }, ...options });
  return { run };
}

const event = (n: number) => ({ event_key: 'order.shipped', recipient: {}, payload: { n } });

async function fileOf(lines: readonly unknown[]): Promise<string> {
  const path = join(directory, `${randomUUID()}.ndjson`);
  await writeFile(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return path;
}

interface Sent {
  idempotency_key: string;
  event: { payload: { n: number } };
}

/** Sends a file to a stand-in for the service, which accepts the first `accepting` requests and then does as told. */
async function sendToStandIn(
  args: readonly string[],
  { accepting = Number.POSITIVE_INFINITY, then = () => 401, ...options }: StandInOptions = {},
) {
  const requests: Sent[][] = [];
  const standIn = await startHttpReceiver(({ body }, response) => {
    const { events } = JSON.parse(body) as { events: Sent[] };
    requests.push(events);
    const results = events.map(() => ({ status: 201, body: { message_id: 'msg_1' } }));
    response.setHeader('content-type', 'application/json');
    if (requests.length <= accepting) return response.end(JSON.stringify({ results }));
    response.statusCode = then();
    const error = { code: 'unauthorized', message: 'No.', request_id: 'r-1' };
    return response.end(JSON.stringify({ error }));
  });
  const env = { POSTRIDER_URL: standIn.url, POSTRIDER_TOKEN: 'pr_x' };
  const finished = await postrider(['events', 'send', '--from-file', ...args], { ...options, env });
  await standIn.close();
  return { ...finished, requests, sent: requests.flat() };
}

interface StandInOptions {
  readonly accepting?: number;
  /** Gives the status of every further answer. */
  readonly then?: () => number;
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  readonly onError?: (text: string) => void;
}

const KEY = 'b2f1c7de-6d0a-4f0c-9a53-6b1f0d9f8e11';

describe('a file of events', () => {
  it('is sent in batches, and a second run with the same key sends nothing twice', async () => {
    const { run } = await environment();
    const path = await fileOf(Array.from({ length: 1_203 }, (_, n) => event(n)));
    const first = await run(['--from-file', path, '--json']);
    expect(first.json<Summary>()).toMatchObject({ accepted: 1_203, replayed: 0, failed: 0 });

    const key = first.json<Summary>().idempotency_key;
    const again = await run(['--from-file', path, '--json', '--idempotency-key', key]);
    expect(again.json<Summary>()).toMatchObject({ idempotency_key: key, accepted: 1_203, replayed: 1_203 });
  });

  it('uses the idempotency keys in its lines', async () => {
    const { run } = await environment();
    const lines = [0, 1].map((n) => ({ idempotency_key: randomUUID(), event: event(n) }));
    const path = await fileOf(lines);
    await run(['--from-file', path]);

    expect((await run(['--from-file', path, '--json'])).json<Summary>()).toMatchObject({
      accepted: 2,
      replayed: 2,
    });
  });

  it('lists refused lines and exits with 1', async () => {
    const { run } = await environment();
    const stdin = [event(0), '', { ...event(1), event_key: 'no' }, event(2)]
      .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      .join('\r\n');
    const { code, stdout, stderr } = await run(['--from-file', '-'], { stdin });

    expect(code).toBe(1);
    expect(stdout).toContain('2 accepted, 1 refused');
    expect(stdout).toMatch(/^3 +validation_failed .*event_key/m);
    expect(stderr).toMatch(/run it again with --idempotency-key [0-9a-f-]{36}/);
  });

  it.each([
    ['a line that is not JSON', [event(0), '{'], 'Line 2 is not valid JSON'],
    ['nothing in it', [''], 'contains no events'],
  ])('is a usage error with %s', async (_what, lines, message) => {
    const { run } = await environment();
    const { code, stderr } = await run(['--from-file', await fileOf(lines)]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('is a usage error if it does not exist, with options of a single event, and without either', async () => {
    const { run } = await environment();
    const missing = await run(['--from-file', join(directory, 'none')]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('no such file')]);
    expect((await run(['--from-file', '-', '--to', 'ada@example.com'])).code).toBe(2);
    const neither = await run([]);
    expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining('--event-key')]);
  });

  it('explains how to continue when the service cannot be reached', async () => {
    const { run } = await environment();
    const args = ['--from-file', await fileOf([event(0)]), '--api-url', 'http://127.0.0.1:9', '--json'];
    const { code, stderr } = await run(args);
    expect(code).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'unreachable', idempotency_key: expect.any(String) },
    });
  });

  it('prints the key before it sends anything', async () => {
    const told: string[] = [];
    const onError = (text: string) => told.push(text);
    let toldBefore = 0;
    const then = () => {
      toldBefore = told.length;
      return 401;
    };
    await sendToStandIn([await fileOf([event(0)])], { accepting: 0, then, onError });
    expect(toldBefore).toBe(1);
    expect(told[0]).toMatch(/interrupted.*--idempotency-key [0-9a-f-]{36}/);
  });

  it.each([
    ['a token that is refused', 4, 'unauthorized'],
    ['Ctrl-C', 130, 'interrupted'],
  ])('prints the key when %s interrupts it', async (what, code, error) => {
    const path = await fileOf(Array.from({ length: 150 }, (_, n) => event(n)));
    const args = [path, '--idempotency-key', KEY];
    const ending = () => {
      const controller = new AbortController();
      const then = () => {
        if (what === 'Ctrl-C') controller.abort();
        return 401;
      };
      return { accepting: 1, then, signal: controller.signal };
    };
    const forPeople = await sendToStandIn(args, ending());
    expect(forPeople.code).toBe(code);
    expect(forPeople.stderr.trimEnd().split('\n').at(-1)).toContain(`--idempotency-key ${KEY}`);
    const forPrograms = await sendToStandIn([...args, '--json'], ending());
    expect(JSON.parse(forPrograms.stderr)).toMatchObject({ error: { code: error, idempotency_key: KEY } });
  });

  it('prints the key when a line of stdin is invalid after others were sent', async () => {
    const stdin = [...Array.from({ length: 1_000 }, (_, n) => JSON.stringify(event(n))), '{'].join('\n');
    const { code, stderr, sent } = await sendToStandIn(['-', '--idempotency-key', KEY, '--json'], { stdin });
    expect([code, sent.length]).toEqual([2, 1_000]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', idempotency_key: KEY } });
  });

  it('sends nothing of a file with an invalid line', async () => {
    const path = await fileOf([...Array.from({ length: 1_500 }, (_, n) => event(n)), '{']);
    const { code, stderr, sent } = await sendToStandIn([path]);
    expect([code, sent]).toEqual([2, []]);
    expect(stderr).toMatch(/^Line 1501 is not valid JSON.*\nNothing was sent\.\n$/);
  });

  it('reads a named pipe only once', async () => {
    const path = join(directory, 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    const [{ sent }] = await Promise.all([
      sendToStandIn([path]),
      writeFile(path, [0, 1].map((n) => JSON.stringify(event(n))).join('\n')),
    ]);
    expect(sent.map(({ event: { payload } }) => payload.n)).toEqual([0, 1]);
  });

  it('does not end a line at U+2028 in a text', async () => {
    const line = JSON.stringify({ event_key: 'order.shipped', payload: { text: 'a\u2028b' } });
    expect(line).toContain('\u2028');
    const { code, sent } = await sendToStandIn([await fileOf([line])]);
    expect([code, sent.map(({ event: { payload } }) => payload)]).toEqual([0, [{ text: 'a\u2028b' }]]);
  });

  it('keeps the keys of other lines when one is removed, and gives equal lines different keys', async () => {
    const keysOf = async (numbers: number[]) => {
      const { sent } = await sendToStandIn([await fileOf(numbers.map(event)), '--idempotency-key', KEY]);
      return sent.map(({ idempotency_key: key }) => key);
    };
    const [a1, b, a2, c] = await keysOf([1, 2, 1, 3]);
    expect(new Set([a1, b, a2, c]).size).toBe(4);
    expect(await keysOf([1, 1, 3])).toEqual([a1, a2, c]);
    expect(await keysOf([4, 1, 2, 1, 3])).toEqual([expect.any(String), a1, b, a2, c]);
  });

  it('is a usage error if an event is too large for a request after it is serialised again', async () => {
    // 21 digits each, but few enough zeros to be taken.
    const numbers = Array(13_000).fill('1E20').join(',');
    const text = 'x'.repeat(900_000);
    const path = await fileOf([`{"event_key":"order.shipped","payload":{"t":"${text}","n":[${numbers}]}}`]);
    const { code, stderr } = await sendToStandIn([path]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Line 1 is too large for a request')]);
  });
});
