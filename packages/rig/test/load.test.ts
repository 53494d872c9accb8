import { afterEach, expect, it } from '@postrider/testing';
import { startHttpReceiver } from '../src/http-receiver.ts';
import { createDriver, type EventToSend } from '../src/load/client.ts';
import { startLoad } from '../src/load/load.ts';
import { mixedTraffic } from '../src/load/mixed-traffic.ts';
import { createRandom } from '../src/random.ts';

type Reply = 'cut' | { readonly status: number; readonly body: object };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** An API that gives the replies one after the other, and repeats the last one. */
async function startApi(replies: readonly Reply[]) {
  const keys: string[] = [];
  const { url, close } = await startHttpReceiver(({ headers }, response) => {
    keys.push(String(headers['idempotency-key']));
    const reply = replies[Math.min(keys.length, replies.length) - 1];
    if (!reply || reply === 'cut') response.destroy();
    else response.writeHead(reply.status).end(JSON.stringify(reply.body));
  });
  closing.push(close);
  return { driver: createDriver({ urls: () => [url], token: 't', random: createRandom(1) }), keys };
}

const CREATED = { status: 201, body: { message_id: 'msg_1', delivery_runs: [{ id: 'run_1' }] } };
const EVENT = { reference: 'event-1', key: '11111111-1111-4111-8111-111111111111' };

it('repeats a request with the same key until the answer is final, and records every try', async () => {
  const unavailable = { status: 503, body: { error: { code: 'service_unavailable' } } };
  const inProgress = { status: 409, body: { error: { code: 'idempotency_in_progress' } } };
  const { driver, keys } = await startApi(['cut', unavailable, inProgress, CREATED]);
  expect(await driver.deliver(EVENT)).toMatchObject({ status: 201, messageId: 'msg_1', runIds: ['run_1'] });
  expect(keys).toEqual([EVENT.key, EVENT.key, EVENT.key, EVENT.key]);
  expect(driver.ledger.requests.map(({ answer }) => answer?.status ?? null)).toEqual([null, 503, 409, 201]);
  expect(driver.ledger.exchanges.map(({ status }) => status)).toEqual([null, 503, 409, 201]);
});

it('repeats a replay and a cancel with their keys, and records every try', async () => {
  const { driver, keys } = await startApi(['cut', CREATED, 'cut', { status: 200, body: { id: 'run_1' } }]);
  const [replayKey, cancelKey] = ['22222222-2222-4222-8222-222222222222', EVENT.key];
  await driver.replay({ messageId: 'msg_1', key: replayKey });
  await driver.cancel({ runId: 'run_1', key: cancelKey });
  expect(keys).toEqual([replayKey, replayKey, cancelKey, cancelKey]);
  expect(driver.ledger.replays.map(({ answer }) => answer?.runIds ?? null)).toEqual([null, ['run_1']]);
  expect(driver.ledger.cancels.map(({ status }) => status)).toEqual([null, 200]);
});

it('treats a conflict and an exceeded quota as final', async () => {
  const conflict = await startApi([{ status: 409, body: { error: { code: 'idempotency_conflict' } } }]);
  expect((await conflict.driver.deliver(EVENT)).status).toBe(409);
  const exceeded = await startApi([{ status: 402, body: { error: { code: 'quota_exceeded' } } }]);
  expect((await exceeded.driver.deliver(EVENT)).status).toBe(402);
});

it('sends the given number of events, each with its own key', async () => {
  const { driver, keys } = await startApi([CREATED]);
  const load = startLoad({ driver, random: createRandom(2), events: 50, concurrency: 8 });
  await load.done;
  expect(load.answered()).toBe(50);
  expect(new Set(keys).size).toBe(50);
});

it('sends each event once if repetition is off', async () => {
  const { driver, keys } = await startApi(['cut', { status: 503, body: {} }, CREATED]);
  const load = startLoad({ driver, random: createRandom(2), events: 3, concurrency: 1, isOnce: true });
  await load.done;
  expect(new Set(keys).size).toBe(3);
  expect(driver.ledger.requests.map(({ answer }) => answer?.status ?? null)).toEqual([null, 503, 201]);
});

it('cancels every scheduled run, replays some others, and repeats some requests with the same key', async () => {
  const { driver } = await startApi([CREATED]);
  const random = createRandom(3);
  const scheduled = new Set<string>();
  const { vary, afterwards } = mixedTraffic(driver, random);
  const noting = (event: EventToSend, index: number) => {
    const varied = vary(event, index);
    if (varied.scheduleAt) scheduled.add(varied.reference);
    return varied;
  };
  await startLoad({ driver, random, events: 200, concurrency: 8, vary: noting, afterwards }).done;
  const { requests, replays, cancels } = driver.ledger;
  const distinct = (entries: readonly { key: string }[]) => new Set(entries.map(({ key }) => key)).size;
  expect(scheduled.size).toBeGreaterThan(0);
  expect(distinct(cancels)).toBe(scheduled.size);
  expect(distinct(requests)).toBe(200);
  expect(distinct(replays)).toBeGreaterThan(0);
  for (const entries of [requests, replays, cancels])
    expect(entries.length).toBeGreaterThan(distinct(entries));
});

it('makes the same choices for the same seed', () => {
  const choices = (seed: number) => {
    const random = createRandom(seed);
    return [random.uuid(), random.between(0, 1_000_000), random.pick(['a', 'b', 'c']), random.next()];
  };
  expect(choices(7)).toEqual(choices(7));
  expect(choices(7)).not.toEqual(choices(8));
});
