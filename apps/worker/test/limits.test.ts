import { acceptTestSend } from '@postrider/db';
import { actorNamed } from '@postrider/db/testing';
import { createUuidV7Source } from '@postrider/domain';
import { type Receiver, startReceiver, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { webhookChannel as channelTo } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

const newId = createUuidV7Source();
let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([startHarness({ fastSweeps: ['limits'] }), startReceiver()]);
  await Promise.all([harness.startWorker(), harness.startWorker()]);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

/** Slow attempts on a busy machine are not failures. */
const webhookChannel = (url: string, { maxAttempts = 5 } = {}) =>
  channelTo(url, { maxAttempts, timeoutMs: 30_000 });

interface Limits {
  readonly maxPerSecond?: number | null;
  readonly maxInFlight?: number | null;
}

const change = ({ channels: [channel] }: { channels: readonly { id: string }[] }, limits: Limits) =>
  harness.db.channel.update({ where: { id: channel?.id ?? '' }, data: limits });

const attemptsOf = (environmentId: string) =>
  harness.db.attempt.findMany({
    where: { run: { environmentId } },
    orderBy: { startedAt: 'asc' },
    select: { startedAt: true, completedAt: true },
  });

/** Accepts this many events at once, by default with jobs. */
async function acceptMany(
  fixture: Awaited<ReturnType<Harness['fixture']>>,
  count: number,
  enqueue = true,
): Promise<void> {
  for (let left = count; left > 0; left -= 5) {
    await Promise.all(Array.from({ length: Math.min(5, left) }, () => harness.accept(fixture, { enqueue })));
  }
}

/** An endpoint that responds on demand, and records its most concurrent requests. */
function slowEndpoint(path: string) {
  let open = 0;
  let most = 0;
  const answers: (() => void)[] = [];
  const url = receiver.endpoint(path, (response) => {
    open += 1;
    most = Math.max(most, open);
    answers.push(() => {
      open -= 1;
      response.writeHead(200).end();
    });
  });
  return {
    url,
    open: () => open,
    most: () => most,
    answer: () => {
      for (const answer of answers.splice(0)) answer();
    },
  };
}

describe('a channel with limits', () => {
  it('gets each run once at its rate from two workers, while other channels are not delayed', async () => {
    const rate = 20;
    const url = receiver.endpoint('/limited', (response) => response.writeHead(200).end());
    const free = receiver.endpoint('/free', (response) => response.writeHead(200).end());
    const fixture = await harness.fixture({ channels: [{ ...webhookChannel(url), maxPerSecond: rate }] });
    const other = await harness.fixture({ channels: [webhookChannel(free)] });
    await acceptMany(fixture, 50);
    await acceptMany(other, 50);
    await harness.drained(other);
    const waiting = await harness.db.deliveryRun.count({
      where: { environmentId: fixture.environmentId, completedAt: null },
    });
    expect(waiting).toBeGreaterThan(0);
    await harness.drained(fixture);
    const attempts = (await attemptsOf(fixture.environmentId)).map(({ startedAt }) => +startedAt);
    expect(attempts).toHaveLength(50);
    for (const spanMs of [200, 1_000]) {
      // Stored times are rounded to milliseconds.
      const most = (rate * (spanMs + 1 + 100)) / 1_000 + 1;
      for (const from of attempts) {
        expect(attempts.filter((at) => at >= from && at <= from + spanMs).length).toBeLessThanOrEqual(most);
      }
    }
    const runs = await harness.db.deliveryRun.findMany({
      where: { environmentId: fixture.environmentId },
      select: { fence: true, status: true },
    });
    expect(new Set(runs.map(({ fence, status }) => `${fence} ${status}`))).toEqual(new Set(['1 succeeded']));
  });

  it('never has more open requests than its limit over two workers, and continues as they end', async () => {
    const endpoint = slowEndpoint('/in-flight');
    const fixture = await harness.fixture({
      channels: [{ ...webhookChannel(endpoint.url), maxInFlight: 3 }],
    });
    await acceptMany(fixture, 20);
    while ((await attemptsOf(fixture.environmentId)).filter(({ completedAt }) => completedAt).length < 20) {
      await waitFor('requests, or the end', async () => {
        const done = (await attemptsOf(fixture.environmentId)).filter(
          ({ completedAt }) => completedAt,
        ).length;
        return endpoint.open() > 0 || done === 20;
      });
      endpoint.answer();
    }
    await harness.drained(fixture);
    expect(endpoint.most()).toBeLessThanOrEqual(3);
  });

  it('continues when its jobs are lost, retries within its limits, and follows a change', async () => {
    let isUp = false;
    const url = receiver.endpoint('/changed', (response) => response.writeHead(isUp ? 200 : 500).end());
    const fixture = await harness.fixture({
      channels: [{ ...webhookChannel(url, { maxAttempts: 3 }), maxPerSecond: 0.01 }],
    });
    await acceptMany(fixture, 30, false);
    await waitFor(
      'the first, without a job',
      async () => (await attemptsOf(fixture.environmentId)).length === 1,
    );
    await change(fixture, { maxPerSecond: 200 });
    await waitFor('the others', async () => (await attemptsOf(fixture.environmentId)).length >= 30);
    isUp = true;
    await harness.drained(fixture);
  });

  it('sends a test whose job is lost before its backlog', async () => {
    const url = receiver.endpoint('/tested', (response) => response.writeHead(200).end());
    const fixture = await harness.fixture({ channels: [{ ...webhookChannel(url), maxPerSecond: 0.01 }] });
    await acceptMany(fixture, 5);
    await waitFor('the first', async () => (await attemptsOf(fixture.environmentId)).length === 1);
    const sent = await acceptTestSend(
      { db: harness.db, newId, actor: actorNamed('test') },
      {
        ...{ channelId: fixture.channels[0]?.id ?? '', templateVersionId: null, eventKey: 'order.shipped' },
        ...{ recipient: {}, payload: {} },
      },
    );
    const runId = sent.wakeUps[0]?.runId ?? '';
    await waitFor(
      'the test',
      async () =>
        (await harness.db.deliveryRun.findUniqueOrThrow({ where: { id: runId } })).status === 'succeeded',
    );
    expect(await attemptsOf(fixture.environmentId)).toHaveLength(2);
  });

  it('sends its backlog when the limits are removed', async () => {
    const url = receiver.endpoint('/removed', (response) => response.writeHead(200).end());
    const fixture = await harness.fixture({ channels: [{ ...webhookChannel(url), maxPerSecond: 0.01 }] });
    await acceptMany(fixture, 100);
    await waitFor('the first', async () => (await attemptsOf(fixture.environmentId)).length === 1);
    await change(fixture, { maxPerSecond: null });
    await harness.drained(fixture);
    expect(await attemptsOf(fixture.environmentId)).toHaveLength(100);
  });

  it('continues with templates when the worker that claims for it stops', async () => {
    const url = receiver.endpoint('/restart', (response) => response.writeHead(200).end());
    const fixture = await harness.fixture({
      channels: [{ ...webhookChannel(url), maxPerSecond: 40, maxInFlight: 5 }],
      templates: [
        {
          eventKey: 'order.shipped',
          channelKind: 'webhook',
          body: { order: '{{ payload.order }}' },
          activate: true,
        },
      ],
    });
    const extra = await harness.startWorker();
    await acceptMany(fixture, 40);
    await waitFor('some', async () => (await attemptsOf(fixture.environmentId)).length > 5);
    await extra.stop(5_000);
    await harness.drained(fixture);
    expect(await attemptsOf(fixture.environmentId)).toHaveLength(40);
  });
});
