import { releaseHeldRuns, switchChannel } from '@postrider/db';
import { actorNamed, makeRunOlder, passTime } from '@postrider/db/testing';
import { createUuidV7Source, failurePolicyOf } from '@postrider/domain';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { RunningWorker } from '../src/compose.ts';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

const HOUR = 3_600_000;
const newId = createUuidV7Source();
const actor = actorNamed('test');

let harness: Harness;
let receiver: Receiver;
let worker: RunningWorker;

beforeAll(async () => {
  [harness, receiver] = await Promise.all([
    startHarness({ fastSweeps: ['health', 'operationalEvents'] }),
    startReceiver(),
  ]);
  worker = await harness.startWorker();
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

const channelOf = (fixture: { channels: readonly { id: string }[] }) => fixture.channels[0]?.id ?? '';
const health = (channelId: string) => harness.db.channelHealth.findUnique({ where: { channelId } });
const stateIs = (channelId: string, state: string) =>
  waitFor(`a channel that is ${state}`, async () => {
    const found = await health(channelId);
    return found?.state === state && found;
  });
const held = (channelId: string) => harness.db.deliveryRun.count({ where: { channelId, held: 'paused' } });

/** The events that an endpoint has received, by the number in their payload. */
const got = (path: string) =>
  receiver
    .received(path)
    .map(({ body }) => (JSON.parse(body) as { data: { payload: { n: number } } }).data.payload.n);

describe('a channel whose endpoint fails for two days', () => {
  it('warns, pauses, holds new runs, recovers by a probe and drains oldest first, beside 40 others and lost workers', async () => {
    let isUp = false;
    const url = receiver.endpoint('/dead', (response) => response.writeHead(isUp ? 200 : 500).end());
    const dead = await harness.fixture({
      channels: [
        { ...webhookChannel(url, { maxAttempts: 2 }), failurePolicy: failurePolicyOf({ min_attempts: 3 }) },
      ],
    });
    const fine = receiver.endpoint('/fine', status(200));
    const others = await harness.fixture({
      channels: Array.from({ length: 40 }, () => webhookChannel(fine)),
    });
    const channelId = channelOf(dead);
    const accept = (n: number) => harness.accept(dead, { payload: { n }, maxAttempts: 2 });
    /** All 40 others still deliver. */
    const othersDeliver = async () => {
      const event = await harness.accept(others);
      for (const [index] of others.channels.entries())
        await harness.runIn(others, event, ['succeeded'], index);
    };

    for (const n of [-1, -2]) await harness.runIn(dead, await accept(n), ['failed']);
    await waitFor('the failures to be noted', async () => (await health(channelId))?.failures === 4);
    expect(await health(channelId)).toMatchObject({ state: 'ok', failingSince: expect.any(Date) });

    await passTime(harness.db, channelId, HOUR);
    expect(await stateIs(channelId, 'failing')).toMatchObject({ reason: 'failures' });
    await harness.runIn(dead, await accept(-3), ['failed']);
    await othersDeliver();

    await passTime(harness.db, channelId, 23 * HOUR);
    expect(await stateIs(channelId, 'paused')).toMatchObject({ reason: 'failures' });
    await worker.stop(0);
    const waiting = [];
    for (let n = 0; n < 30; n += 1) waiting.push(await accept(n));
    worker = await harness.startWorker();
    await waitFor('the runs to be held', async () => (await held(channelId)) === 30);
    await othersDeliver();

    // The first probe fails; its run has an attempt less, and waits again.
    await passTime(harness.db, channelId, 5 * 60_000);
    await waitFor('a probe that failed', async () => (await health(channelId))?.probes === 1);
    await waitFor('its run to be held again', async () => (await held(channelId)) === 30);
    expect(got('/dead').filter((n) => n >= 0)).toEqual([0]);
    await worker.stop(0);
    worker = await harness.startWorker();

    isUp = true;
    await passTime(harness.db, channelId, 23 * HOUR);
    expect(await stateIs(channelId, 'ok')).toMatchObject({ reason: null, failingSince: null });
    const before = receiver.received('/dead').length;
    await othersDeliver();
    await waitFor('what waited to be sent', async () => {
      await passTime(harness.db, channelId, 500);
      return (await held(channelId)) === 0;
    });
    for (const event of waiting) await harness.runIn(dead, event, ['succeeded']);
    const order = got('/dead').slice(before - 1);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n));
    // Runs that were released together may overtake each other.
    for (const [place, n] of order.entries()) expect(Math.abs(place - n)).toBeLessThanOrEqual(10);
    const probed = await harness.run(dead, waiting[0] ?? { messageId: '', runIds: [], wakeUps: [] });
    expect(probed.attempts.map((attempt) => attempt.status)).toEqual(['failed', 'succeeded']);
  });
});

describe('a channel whose endpoint is gone', () => {
  it('is paused at once, and its runs wait and are sent when it is back', async () => {
    let isGone = true;
    const url = receiver.endpoint('/gone', (response) => response.writeHead(isGone ? 410 : 200).end());
    const fixture = await harness.fixture({ channels: [webhookChannel(url)] });
    const channelId = channelOf(fixture);
    const event = await harness.accept(fixture);
    expect(await stateIs(channelId, 'paused')).toMatchObject({ reason: 'gone' });
    await waitFor('its run to be held', async () => (await held(channelId)) === 1);
    const later = await harness.accept(fixture);
    await waitFor('both to be held', async () => (await held(channelId)) === 2);
    expect(receiver.received('/gone')).toHaveLength(1);
    isGone = false;
    await passTime(harness.db, channelId, 5 * 60_000);
    await harness.runIn(fixture, event, ['succeeded']);
    await harness.runIn(fixture, later, ['succeeded']);
    expect(await health(channelId)).toMatchObject({ state: 'ok' });
  });
});

describe('a channel that an operator pauses', () => {
  it('is not probed until it is resumed, and its runs expire by age', async () => {
    const url = receiver.endpoint('/manual', status(200));
    const failurePolicy = failurePolicyOf({ max_age: 100 * 3_600 });
    const fixture = await harness.fixture({ channels: [{ ...webhookChannel(url), failurePolicy }] });
    const channelId = channelOf(fixture);
    const deps = { db: harness.db, newId, actor };
    await switchChannel(deps, { channelId, to: 'paused' });
    const accepted = await harness.accept(fixture);
    await waitFor('its run to be held', async () => (await held(channelId)) === 1);
    const runIds = [await makeRunOlder(harness.db, accepted.runIds[0] ?? '', 101 * HOUR)];
    await passTime(harness.db, channelId, 101 * HOUR);
    const ended = await harness.runIn(fixture, { ...accepted, runIds }, ['failed']);
    expect(ended.attempts).toMatchObject([{ status: 'failed', errorCode: 'expired', retryable: false }]);
    expect(receiver.received('/manual')).toEqual([]);
    await switchChannel(deps, { channelId, to: 'resumed' });
    await harness.runIn(fixture, await harness.accept(fixture), ['succeeded']);
  });
});

describe('the recovery of a channel with runs in retry', () => {
  it('sends them and the held runs in one ramp, oldest first', async () => {
    const slow = await startHarness();
    // The test releases runs itself.
    await slow.startWorker({ sweepPauses: { health: HOUR } });
    let isUp = false;
    const url = receiver.endpoint('/ramp', (response) => response.writeHead(isUp ? 200 : 500).end());
    const fixture = await slow.fixture({ channels: [webhookChannel(url, { delaysSeconds: [3_600] })] });
    const channelId = channelOf(fixture);
    const switchTo = (to: 'paused' | 'resumed') =>
      switchChannel({ db: slow.db, newId, actor }, { channelId, to });
    const events = [];
    for (let n = 0; n < 12; n += 1) {
      events.push(await slow.accept(fixture, { payload: { n } }));
      if (n < 6) await slow.runIn(fixture, events[n] as (typeof events)[0], ['retrying']);
      if (n === 5) await switchTo('paused');
    }
    const heldHere = () => slow.db.deliveryRun.count({ where: { channelId, held: 'paused' } });
    await waitFor('the later runs to be held', async () => (await heldHere()) === 6);
    isUp = true;
    await switchTo('resumed');
    const retrying = events.slice(0, 6).map(({ runIds }) => runIds[0] ?? '');
    await slow.db.$executeRaw`UPDATE delivery_runs SET due_at = now() WHERE id = ANY (${retrying}::uuid[])`;
    await slow.producer.enqueue([{ channelId, channelKind: 'webhook', delayMs: 0 }]);
    await waitFor('the runs in retry to be held, too', async () => (await heldHere()) === 12);
    const sent = () => got('/ramp').slice(6);
    expect(sent()).toEqual([]);
    let released = 0;
    for (let aheadMs = 500; released < 12; aheadMs += 500) {
      expect(aheadMs).toBeLessThan(20_000);
      await passTime(slow.db, channelId, 500);
      const batch = await releaseHeldRuns({ db: slow.db }, channelId);
      released += batch.length;
      await slow.producer.enqueue(batch);
      await waitFor('the released runs to be sent', async () => sent().length === released);
      // Runs that were released together may overtake each other.
      const oldest = Array.from({ length: released }, (_, n) => n);
      expect([...sent()].sort((a, b) => a - b)).toEqual(oldest);
    }
    await slow.close();
  });
});
