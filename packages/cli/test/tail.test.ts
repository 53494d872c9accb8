import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createPostrider } from '@postrider/client';
import { createFixture, createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { createSecretBox, formatId } from '@postrider/domain';
import { startHttpReceiver, waitFor } from '@postrider/rig';
import { chooseFreePort } from '@postrider/rig/servers';
import { afterAll, beforeAll, createLatch, describe, expect, it } from '@postrider/testing';
import { type ServiceHere, startServiceHere } from '../../../apps/api/test/support/service.ts';
import { type Finished, postrider, type RunOptions } from './support/command-line.ts';
import { startReceiver } from './support/receiver.ts';
import { useService } from './support/service.ts';

/** The time limit of tests with many deliveries, on a busy machine. */
const LONG = 180_000;

type Run = (args: readonly string[], options?: RunOptions) => Promise<Finished>;

/** A tail of the environment of a token. It ends by itself only with an error, which its result shows. */
function startTail(run: Run, token: string, args: readonly string[] = [], options: RunOptions = {}) {
  const controller = new AbortController();
  let shown = '';
  let notes = '';
  const ended = run(['tail', ...args], {
    ...options,
    env: { POSTRIDER_TOKEN: token, ...options.env },
    signal: controller.signal,
    onOutput: (text) => {
      shown += text;
    },
    onError: (text) => {
      notes += text;
    },
  });
  let result: Finished | null = null;
  void ended.then((finished) => {
    result = finished;
  });
  const lines = () => shown.split('\n').filter(Boolean);
  return {
    ended,
    lines,
    notes: () => notes,
    /** Waits until this is shown, or the command has ended. */
    until: (what: string, isShown: () => boolean) => waitFor(what, () => isShown() || result !== null),
    isLive: () => waitFor('a live tail', () => notes.includes('Following changes') || result !== null),
    end() {
      controller.abort();
      return ended;
    },
  };
}

/** What a line says about a message, such as `queued` or `succeeded attempt 1`; null if it is about another one. */
function said(line: string, messageId: string): string | null {
  const [, status, attempt = ''] =
    /^\S+ \S+Z {2}(\w+).*? {2}order\.shipped(?: {2}(attempt \d+) in \d+ ms)?/.exec(line) ?? [];
  return line.endsWith(messageId) ? `${status} ${attempt}`.trim() : null;
}

/** What all lines say about a message. */
const saidOf = (lines: readonly string[], messageId: string) =>
  lines.map((line) => said(line, messageId)).filter((found) => found !== null);

const webhook = (url: string, delays?: number[]) => ({
  kind: 'webhook' as const,
  name: 'Shop',
  config: { url, timeout_ms: 30_000 },
  ...(delays && { retry: { max_attempts: delays.length + 1, delays_seconds: delays } }),
});

describe('postrider tail', () => {
  const service = useService({ worker: true });
  const send = async (token: string) =>
    (
      await service.postrider(['events', 'send', '--event-key', 'order.shipped', '--json'], {
        env: { POSTRIDER_TOKEN: token },
      })
    ).json<{ message_id: string }>().message_id;

  it('prints changes since a time as NDJSON, until Ctrl-C', async () => {
    const receiver = await startReceiver();
    receiver.answers.push(500);
    const { token } = await service.fixture({ channels: [webhook(receiver.url, [0])] });
    const before = await send(token);
    const minuteAgo = new Date(Date.now() - 60_000).toISOString();
    const tail = startTail(service.postrider, token, ['--json', '--since', minuteAgo]);
    const parsed = (): Record<string, unknown>[] => tail.lines().map((line) => JSON.parse(line));
    await tail.until('the first event', () => parsed().some(({ status }) => status === 'succeeded'));
    const after = await send(token);
    await tail.until('the next event', () => parsed().length === 5);

    expect(await tail.end()).toMatchObject({ code: 0, stderr: '' });
    expect(parsed().map(({ message_id }) => message_id)).toEqual([before, before, before, after, after]);
    expect(parsed().map(({ attempt }) => attempt)).toEqual([
      null,
      expect.objectContaining({ number: 1, status: 'failed', error_code: 'webhook_http_error' }),
      expect.objectContaining({ number: 2, status: 'succeeded', duration_ms: expect.any(Number) }),
      null,
      expect.objectContaining({ number: 1, status: 'succeeded' }),
    ]);
    expect(parsed()[1]).toMatchObject({
      event_key: 'order.shipped',
      channel: { kind: 'webhook', name: 'Shop' },
      status: 'retrying',
    });
    await receiver.close();
  });

  it(
    'shows only new changes of earlier messages, including replays, until its token is revoked',
    async () => {
      const [asked, mayAnswer] = [createLatch(), createLatch()];
      let requests = 0;
      const receiver = await startHttpReceiver(async (_, response) => {
        requests += 1;
        if (requests === 2) {
          asked.open();
          await mayAnswer.opened;
        }
        response.writeHead(requests === 1 ? 500 : 204).end();
      });
      const { token, tokenId } = await service.fixture({ channels: [webhook(receiver.url, [0])] });
      const id = await send(token);
      await asked.opened;
      const tail = startTail(service.postrider, token);
      await tail.isLive();
      mayAnswer.open();
      await tail.until('the second attempt', () => saidOf(tail.lines(), id).length === 1);
      await service.postrider(['messages', 'replay', id], { env: { POSTRIDER_TOKEN: token } });
      await tail.until('the replay', () => saidOf(tail.lines(), id).length === 3);
      expect(saidOf(tail.lines(), id)).toEqual(['succeeded attempt 2', 'queued', 'succeeded attempt 1']);

      await service.postrider(['tokens', 'revoke', formatId('tok', tokenId)]);
      expect(await tail.ended).toMatchObject({ code: 4, stderr: expect.stringContaining('unauthorized') });
      expect(tail.lines()).toHaveLength(3);
      await receiver.close();
    },
    LONG,
  );

  it(
    'waits for a slow reader of its output, and then shows everything once',
    async () => {
      const receiver = await startReceiver();
      const { token } = await service.fixture({ channels: [webhook(receiver.url)] });
      const stdout = Object.assign(new EventEmitter(), { writableNeedDrain: true });
      const tail = startTail(service.postrider, token, [], { stdout });
      await tail.isLive();
      const first = await send(token);
      await waitFor('the command to wait', () => stdout.listenerCount('drain') > 0);
      const shown = tail.lines();
      const others = [await send(token), await send(token)];
      await waitFor(
        'the deliveries',
        async () =>
          (
            await service.postrider(['messages', 'list', '--status', 'delivered', '--json'], {
              env: { POSTRIDER_TOKEN: token },
            })
          ).json<{ data: object[] }>().data.length === 3,
      );
      expect(tail.lines()).toEqual(shown);

      stdout.writableNeedDrain = false;
      stdout.emit('drain');
      await tail.until('everything', () => tail.lines().length === 6);
      for (const id of [first, ...others])
        expect(saidOf(tail.lines(), id)).toEqual(['queued', 'succeeded attempt 1']);
      expect(await tail.end()).toMatchObject({ code: 0 });
      await receiver.close();
    },
    LONG,
  );

  it('refuses --interval-ms and an invalid time', async () => {
    const env = { POSTRIDER_TOKEN: 'pr_x' };
    expect(await service.postrider(['tail', '--interval-ms', '500'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The service sends changes as they happen: leave the interval out.'),
    });
    expect(await service.postrider(['tail', '--since', 'yesterday'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('2026-11-21T09:00:00Z'),
    });
  });
});

describe('postrider tail while its API is away', () => {
  const key = randomBytes(32);
  const env = { ENCRYPTION_KEYS: `test:${key.toString('base64')}` };
  let database: TestDatabase;
  /** Accepts and delivers events all the time. */
  let other: ServiceHere;
  beforeAll(async () => {
    database = await createTestDatabase();
    other = await startServiceHere({ database, env, worker: true });
  });
  afterAll(async () => {
    await other.stop();
    await database.drop();
  });

  it(
    'continues when it is back, and shows everything once, even if more changed than the stream reports',
    async () => {
      const mayAnswer = createLatch();
      const receiver = await startHttpReceiver(async ({ body }, response) => {
        if (body.includes('"slow"')) await mayAnswer.opened;
        response.writeHead(204).end();
      });
      // So that 40 messages have more than 500 changes.
      const channels = Array.from({ length: 10 }, () => webhook(receiver.url));
      const secretBox = createSecretBox([{ id: 'test', key }]);
      const { token } = await createFixture(database.db, { channels }, secretBox);
      const port = await chooseFreePort();
      const start = () => startServiceHere({ database, env, port });
      let api = await start();
      const elsewhere = createPostrider({ baseUrl: other.url, token });
      const ids: string[] = [];
      const send = async (reference = 'fast') => {
        const event = { event_key: 'order.shipped', recipient: {}, payload: { reference } };
        ids.push((await elsewhere.events.send(event)).message_id);
      };
      const tail = startTail(postrider, token, [], { env: { POSTRIDER_URL: api.url } });
      const allAreDelivered = () =>
        waitFor('the deliveries', async () => {
          const { data } = await elsewhere.messages.page({ status: 'pending', limit: 1 });
          return data.length === 0;
        });
      const allAreShown = () =>
        tail.until('all lines', () => tail.lines().length >= 2 * channels.length * ids.length);

      await tail.isLive();
      await send();
      await allAreShown();
      await api.stop();
      await send();
      await allAreDelivered();
      api = await start();
      await allAreShown();
      expect(tail.notes()).not.toContain('missed');

      await send('slow');
      await tail.until('its runs', () => tail.lines().length === 5 * channels.length);
      await api.stop();
      mayAnswer.open();
      await Promise.all(Array.from({ length: 40 }, () => send()));
      await allAreDelivered();
      api = await start();
      await allAreShown();
      expect(tail.notes()).toContain('Some changes were missed');

      // The next message is shown after everything that was read from the lists.
      await send();
      await allAreShown();
      expect(await tail.end()).toMatchObject({ code: 0 });
      for (const id of ids) {
        const shown = saidOf(tail.lines(), id);
        expect(shown.filter((each) => each === 'queued')).toHaveLength(channels.length);
        expect(shown.filter((each) => each === 'succeeded attempt 1')).toHaveLength(channels.length);
      }
      expect(tail.lines()).toHaveLength(2 * channels.length * ids.length);
      await api.stop();
      await receiver.close();
    },
    LONG,
  );
});
