import { checkTemplate, type JsonObject } from '@postrider/domain';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { HOSTILE_PAYLOAD, hostileTemplate } from '../../../packages/rendering/test/hostile-templates.ts';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

/** `HOSTILE_TEMPLATES=1000` runs the long form. */
const HOSTILE_COUNT = Number(process.env.HOSTILE_TEMPLATES ?? 40);
/** Two seconds for each template, and a minute for a busy machine. */
const MAX_MS = 60_000 + HOSTILE_COUNT * 2_000;
/** Takes a quarter of a second, longer than a render that counts as fast, and then fails. */
const SLOW = '{% for i in (1..150000) %}{% assign x = i %}{% endfor %}{{ payload.absent }}';
const CONCAT_BOMB = `{% assign a = payload.one %}${'{% assign a = a | concat: a %}'.repeat(16)}{{ a }}{% for i in (1..200000) %}x{% endfor %}`;

let harness: Harness;
let receiver: Receiver;
beforeEach(async () => {
  [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
});

const templateOf = (eventKey: string, source: string) => ({
  eventKey,
  channelKind: 'webhook' as const,
  body: { text: source },
  activate: true,
});

const tenant = (path: string, count: number, templates: readonly (readonly [string, string])[]) =>
  harness.fixture({
    channels: Array.from({ length: count }, (_, index) =>
      webhookChannel(receiver.endpoint(`${path}-${index}`, status(200))),
    ),
    templates: templates.map(([eventKey, source]) => templateOf(eventKey, source)),
  });

const attemptsOf = (environmentId: string) =>
  harness.db.attempt.findMany({ where: { run: { environmentId } } });

describe('a worker', () => {
  it('survives a template with doubling lists, reports why its run failed, and delivers the others', async () => {
    const payload: JsonObject = { one: ['x'.repeat(1_000)] };
    const hostile = await tenant('/hostile', 1, [['order.shipped', CONCAT_BOMB]]);
    const other = await tenant('/other', 1, [['order.shipped', '{{ payload.name }}']]);
    await harness.startWorker();
    const bomb = await harness.accept(hostile, { payload });
    const sound = await harness.accept(other, { payload: { name: 'Ada' } });
    expect(await harness.runIn(other, sound, ['succeeded'])).toMatchObject({ attemptCount: 1 });
    expect(await harness.runIn(hostile, bomb, ['failed'])).toMatchObject({ attemptCount: 1 });
    expect(await attemptsOf(hostile.environmentId)).toMatchObject([
      { errorCode: 'template_render_failed', errorMessage: expect.stringContaining('limit exceeded') },
    ]);
  });

  it('renders for another tenant at once while one has forty channels with slow templates', async () => {
    const slow = await tenant('/slow', 40, [['order.shipped', SLOW]]);
    const other = await tenant('/other', 1, [['order.shipped', '{{ payload.name }}']]);
    await harness.startWorker();
    const busy = await harness.accept(slow, { payload: {} });
    const countSlow = () =>
      harness.db.attempt.count({ where: { run: { environmentId: slow.environmentId } } });
    await waitFor('the first slow run', async () => (await countSlow()) > 0);
    const sound = await harness.accept(other, { payload: { name: 'Ada' } });
    expect(await harness.runIn(other, sound, ['succeeded'])).toMatchObject({ attemptCount: 1 });
    // Most of the slow runs have not been claimed yet, because runs wait for rendering without an attempt.
    expect(await countSlow()).toBeLessThan(30);
    const countFailed = () =>
      harness.db.deliveryRun.count({ where: { environmentId: slow.environmentId, status: 'failed' } });
    await waitFor('the slow runs', async () => (await countFailed()) === busy.runIds.length, {
      timeoutMs: 180_000,
    });
    const attempts = await attemptsOf(slow.environmentId);
    expect(attempts).toHaveLength(40);
    expect(attempts.filter(({ retryable }) => retryable)).toEqual([]);
  }, 240_000);

  it(
    `outlives ${HOSTILE_COUNT} generated templates, and each delivery of another tenant has one attempt`,
    async () => {
      // Those that may be stored.
      const numbers = Array.from({ length: HOSTILE_COUNT }, (_, number) => number).filter(
        (number) =>
          checkTemplate({ format: 'json', body: { text: hostileTemplate(number) } }).outcome === 'sound',
      );
      const hostile = await tenant(
        '/hostile',
        1,
        numbers.map((number) => [`hostile.n${number}`, hostileTemplate(number)]),
      );
      const other = await tenant('/other', 1, [['order.shipped', '{{ payload.name }}']]);
      await harness.startWorker();
      const latenesses: number[] = [];
      const events = [];
      for (const number of numbers) {
        const details = { eventKey: `hostile.n${number}`, payload: HOSTILE_PAYLOAD, maxAttempts: 1 };
        events.push(await harness.accept(hostile, details));
        const before = performance.now();
        const sound = await harness.accept(other, { payload: { name: 'Ada' } });
        expect(await harness.runIn(other, sound, ['succeeded'])).toMatchObject({ attemptCount: 1 });
        latenesses.push(performance.now() - before);
      }
      for (const event of events) {
        expect(await harness.runIn(hostile, event, ['succeeded', 'failed'])).toMatchObject({
          attemptCount: 1,
        });
      }
      const codes = new Set((await attemptsOf(hostile.environmentId)).map(({ errorCode }) => errorCode));
      expect([...codes].filter((code) => code !== null && code !== 'template_render_failed')).toEqual([]);
      if (HOSTILE_COUNT >= 1_000) {
        latenesses.sort((a, b) => a - b);
        const late = latenesses.filter((ms) => ms > 1_000).length;
        process.stdout.write(
          `late ${late} of ${latenesses.length}, p99 ${latenesses.at(Math.floor(latenesses.length * 0.99))} ms\n`,
        );
      }
    },
    MAX_MS,
  );
});
