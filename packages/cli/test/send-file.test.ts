import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
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

describe('a file of events', () => {
  it('is sent in batches, and nothing twice when it is run again with its key', async () => {
    const { run } = await environment();
    const path = await fileOf(Array.from({ length: 1_203 }, (_, n) => event(n)));
    const first = await run(['--from-file', path, '--json']);
    expect(first.json<Summary>()).toMatchObject({ accepted: 1_203, replayed: 0, failed: 0 });

    const key = first.json<Summary>().idempotency_key;
    const again = await run(['--from-file', path, '--json', '--idempotency-key', key]);
    expect(again.json<Summary>()).toMatchObject({ idempotency_key: key, accepted: 1_203, replayed: 1_203 });
  });

  it('has keys of its own where its lines name them', async () => {
    const { run } = await environment();
    const lines = [0, 1].map((n) => ({ idempotency_key: randomUUID(), event: event(n) }));
    const path = await fileOf(lines);
    await run(['--from-file', path]);

    expect((await run(['--from-file', path, '--json'])).json<Summary>()).toMatchObject({
      accepted: 2,
      replayed: 2,
    });
  });

  it('lists the lines that are refused, and ends with 1', async () => {
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
    ['a line that is not JSON', [event(0), '{'], 'Line 2 is not JSON'],
    ['nothing in it', [''], 'has no events'],
  ])('is wrong usage with %s', async (_what, lines, message) => {
    const { run } = await environment();
    const { code, stderr } = await run(['--from-file', await fileOf(lines)]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('is wrong usage when it is not there, with options of one event, or with neither', async () => {
    const { run } = await environment();
    const missing = await run(['--from-file', join(directory, 'none')]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('no such file')]);
    expect((await run(['--from-file', '-', '--to', 'ada@example.com'])).code).toBe(2);
    const neither = await run([]);
    expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining('--event-key')]);
  });

  it('says how to go on when the service cannot be reached', async () => {
    const { run } = await environment();
    const args = ['--from-file', await fileOf([event(0)]), '--api-url', 'http://127.0.0.1:9', '--json'];
    const { code, stderr } = await run(args);
    expect(code).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'unreachable', idempotency_key: expect.any(String) },
    });
  });
});
