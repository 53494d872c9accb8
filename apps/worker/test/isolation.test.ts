import { hang, type Receiver, startMailServer, startReceiver, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { mailChannel, mailTemplate, webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
let receiver: Receiver;
beforeEach(async () => {
  [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
});

const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

describe('channels that hang', () => {
  it('do not delay the deliveries of others', async () => {
    const hanging = await harness.fixture({
      channels: Array.from({ length: 5 }, (_, index) =>
        webhookChannel(receiver.endpoint(`/hang-${index}`, hang), { timeoutMs: 60_000 }),
      ),
    });
    const healthy = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/healthy', status(200)))],
    });
    await harness.startWorker({ concurrency: 20 });
    await many(40, () => harness.accept(hanging));
    await waitFor('hanging deliveries', () => receiver.received('/hang-0').length > 0);
    const events = await many(20, () => harness.accept(healthy));
    await Promise.all(events.map((event) => harness.runIn(healthy, event, ['succeeded'])));
    const { environmentId } = hanging;
    // No hanging attempt had to end first, and they do not hold all slots.
    expect(
      await harness.db.attempt.count({ where: { run: { environmentId }, status: { not: 'running' } } }),
    ).toBe(0);
    expect(await harness.db.attempt.count({ where: { run: { environmentId } } })).toBeLessThan(20);
  });
});

describe('a channel with more due runs than it may have slots', () => {
  it('delivers all of them once, from the jobs of a few', async () => {
    const fixture = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/busy', status(200)))],
    });
    await many(300, () => harness.accept(fixture, { enqueue: false }));
    await harness.startWorker({ concurrency: 10 });
    expect(new Set((await harness.drained(fixture)).values())).toEqual(new Set(['succeeded']));
    const ids = receiver.received('/busy').map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(300);
    expect(new Set(ids).size).toBe(300);
  });
});

describe('an e-mail channel with more due runs than connections', () => {
  it('opens no attempt that would wait for a connection within its time limit', async () => {
    const server = await startMailServer();
    const fixture = await harness.fixture({
      channels: [mailChannel(server)],
      templates: [mailTemplate()],
    });
    await harness.startWorker();
    await many(40, () => harness.accept(fixture));
    await harness.drained(fixture);

    const answer = server.hold();
    await many(40, () => harness.accept(fixture));
    await waitFor('messages on every connection', () => server.mails.length === 40 + 10);
    expect(await harness.db.deliveryRun.count({ where: { status: 'running' } })).toBe(10);
    expect(await harness.db.deliveryRun.count({ where: { status: 'queued' } })).toBe(30);
    answer();
    expect(new Set((await harness.drained(fixture)).values())).toEqual(new Set(['succeeded']));
    await server.close();
  });
});

describe('a hostile template', () => {
  it('is cut off, and the renders of other channels continue', async () => {
    const loop = '{% for i in (1..99999) %}{% for j in (1..99999) %}{{ i }}{% endfor %}{% endfor %}';
    const template = (body: string) =>
      ({ channelKind: 'webhook', eventKey: 'order.shipped', body: { text: body }, activate: true }) as const;
    const hostile = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/hostile', status(200)))],
      templates: [template(loop)],
    });
    const healthy = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/rendered', status(200)))],
      templates: [template('fine')],
    });
    await harness.startWorker();
    const bad = await many(3, () => harness.accept(hostile));
    const good = await many(10, () => harness.accept(healthy));
    await Promise.all(good.map((event) => harness.runIn(healthy, event, ['succeeded'])));
    const runs = await Promise.all(bad.map((event) => harness.runIn(hostile, event, ['failed'])));
    for (const run of runs) {
      // On a slow machine no process may have become free for an earlier one.
      expect(run.attempts.at(-1)).toMatchObject({ errorCode: 'template_render_failed', retryable: false });
    }
    expect(receiver.received('/hostile')).toEqual([]);
  });
});
