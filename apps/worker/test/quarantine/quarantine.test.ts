import { hang, inTurn, type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import type { RunningWorker } from '../../src/compose.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { POISON, POISONABLE, quarantineAll } from '../support/poison.ts';
import { isolatedProcessesOf, isRunning } from '../support/processes.ts';

let harness: Harness;
let receiver: Receiver;
beforeEach(async () => {
  [harness, receiver] = await Promise.all([startHarness(), startReceiver()]);
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
});

const hook = (path: string, answer = status(200), options: Parameters<typeof webhookChannel>[1] = {}) =>
  webhookChannel(receiver.endpoint(path, answer), options);
const startWorker = () => harness.startWorker({ isolatedExecArgv: POISONABLE });
const webhookIds = (path: string) => receiver.received(path).map(({ headers }) => headers['webhook-id']);
/** The isolated processes of this test's workers. */
const isolated = () => isolatedProcessesOf(process.pid);

async function sumOf({ metricsPort }: RunningWorker, name: string): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = page
    .split('\n')
    .filter((each) => each.startsWith(`${name}{`) && each.includes('kind="webhook"'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('runs in quarantine', () => {
  it.each(Object.entries(POISON))(
    'fail without crashing their worker if they crash the isolated process (%s); the others succeed',
    async (_when, mark) => {
      const fixture = await harness.fixture({ channels: [hook('/suspects')] });
      const innocent = () => harness.accept(fixture, { enqueue: false });
      const before = [await innocent(), await innocent()];
      const poison = await harness.accept(fixture, { enqueue: false, payload: { mark } });
      const after = [await innocent(), await innocent()];
      await quarantineAll(harness);

      const worker = await startWorker();
      const statuses = await harness.drained(fixture);

      expect(statuses.get(poison.runIds[0] ?? '')).toBe('failed');
      for (const { runIds } of [...before, ...after]) expect(statuses.get(runIds[0] ?? '')).toBe('succeeded');
      expect((await harness.run(fixture, poison)).attempts).toMatchObject([
        { status: 'unknown', errorCode: 'worker_lost', retryable: false },
      ]);
      expect(new Set(webhookIds('/suspects')).size).toBe(4);
      expect(webhookIds('/suspects')).toHaveLength(4);
      expect(await sumOf(worker, 'postrider_quarantine_failures_total')).toBe(1);
      expect(await sumOf(worker, 'postrider_dead_runs_total')).toBe(1);
    },
  );

  it('are not held up by more of channels whose limits allow none of them now than a page has', async () => {
    const fixture = await harness.fixture({
      channels: [
        ...Array.from({ length: 25 }, (_, place) => ({
          ...hook('/limited'),
          ...{ name: `limited ${place}`, maxPerSecond: 0.01 },
        })),
        hook('/free'),
      ],
    });
    const free = fixture.channels.length - 1;
    for (let place = 0; place < free; place += 1) {
      await harness.accept(fixture, { enqueue: false, channels: [place] });
    }
    const last = await harness.accept(fixture, { enqueue: false, channels: [free] });
    await harness.db.$executeRaw`
      INSERT INTO channel_limit_states (channel_id, environment_id, rate_state)
      SELECT id, environment_id, extract(epoch FROM now()) * 1000 + 100000 FROM channels WHERE max_per_second IS NOT NULL`;
    await quarantineAll(harness);
    await startWorker();
    await harness.runIn(fixture, last, ['succeeded']);
    expect(webhookIds('/limited')).toEqual([]);
  });

  it('are tried in one process while none crashes it, and counted and logged by their worker', async () => {
    const fixture = await harness.fixture({ channels: [hook('/innocent')] });
    const events = await Promise.all(
      Array.from({ length: 30 }, () => harness.accept(fixture, { enqueue: false })),
    );
    await quarantineAll(harness);
    const worker = await startWorker();
    const [first] = await waitFor('the process', () => isolated().length === 1 && isolated());
    expect(new Set((await harness.drained(fixture)).values())).toEqual(new Set(['succeeded']));
    expect(isolated()).toEqual([first]);
    expect(webhookIds('/innocent')).toHaveLength(events.length);
    await waitFor('the attempts to be counted', async () => {
      return (await sumOf(worker, 'postrider_attempts_total')) === events.length;
    });
    expect(harness.log.filter(({ message }) => message === 'attempt')).toHaveLength(events.length);
  });

  it('are retried normally after a failure that did not crash the process', async () => {
    const fixture = await harness.fixture({ channels: [hook('/refused', inTurn(status(500), status(200)))] });
    const event = await harness.accept(fixture, { enqueue: false });
    await quarantineAll(harness);
    await startWorker();
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts.map((attempt) => attempt.status)).toEqual(['failed', 'succeeded']);
    const { lostWorkers } = await harness.db.deliveryRun.findUniqueOrThrow({
      where: { id: event.runIds[0] ?? '' },
    });
    expect(lostWorkers).toBe(0);
  });

  it('are rendered, although no other run of their channel starts a render process', async () => {
    const fixture = await harness.fixture({
      channels: [hook('/rendered')],
      templates: [
        {
          eventKey: 'order.shipped',
          channelKind: 'webhook',
          activate: true,
          body: { text: '{{ payload.name }}' },
        },
      ],
    });
    const event = await harness.accept(fixture, { enqueue: false, payload: { name: 'Ada' } });
    await quarantineAll(harness);
    await startWorker();
    await harness.runIn(fixture, event, ['succeeded']);
    expect(receiver.received('/rendered').map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { text: 'Ada' },
    ]);
  });

  it('are each tried by one of two workers', async () => {
    const fixture = await harness.fixture({ channels: [hook('/shared')] });
    const events = await Promise.all(
      Array.from({ length: 20 }, () => harness.accept(fixture, { enqueue: false })),
    );
    const poison = await harness.accept(fixture, { enqueue: false, payload: { mark: POISON.atClaim } });
    await quarantineAll(harness);
    await Promise.all([startWorker(), startWorker()]);
    const statuses = await harness.drained(fixture);
    expect([...statuses.values()].filter((each) => each === 'succeeded')).toHaveLength(events.length);
    expect(webhookIds('/shared')).toHaveLength(events.length);
    expect((await harness.run(fixture, poison)).attempts).toHaveLength(1);
  });

  it('do not delay other runs', async () => {
    const fixture = await harness.fixture({
      channels: [hook('/held', hang, { timeoutMs: 15_000 }), hook('/free')],
    });
    await harness.accept(fixture, { enqueue: false, channels: [0] });
    await quarantineAll(harness);
    await startWorker();
    await waitFor('the run that hangs', () => receiver.received('/held').length === 1);
    const event = await harness.accept(fixture, { channels: [1] });
    const free = await harness.db.deliveryRun.findUniqueOrThrow({ where: { id: event.runIds[0] ?? '' } });
    await waitFor('the other', async () => {
      const run = await harness.db.deliveryRun.findUniqueOrThrow({ where: { id: free.id } });
      return run.status === 'succeeded';
    });
    expect(receiver.received('/held')).toHaveLength(1);
  });
});

describe('a worker that stops while it tries a quarantined run', () => {
  it('lets it end and writes its result', async () => {
    const answers: (() => void)[] = [];
    const channel = hook('/slow', (response) => answers.push(() => response.writeHead(200).end()) as never);
    const fixture = await harness.fixture({ channels: [channel] });
    const event = await harness.accept(fixture, { enqueue: false });
    await quarantineAll(harness);
    const worker = await startWorker();
    await waitFor('the request', () => answers.length === 1);
    const stopped = worker.stop(10_000);
    answers[0]?.();
    await stopped;
    expect((await harness.run(fixture, event)).status).toBe('succeeded');
    expect(isolated()).toEqual([]);
  });

  it('aborts it at the deadline, writes the result, and does not blame the run', async () => {
    const fixture = await harness.fixture({ channels: [hook('/stuck', hang, { timeoutMs: 15_000 })] });
    const event = await harness.accept(fixture, { enqueue: false });
    await quarantineAll(harness);
    const worker = await startWorker();
    await waitFor('the request', () => receiver.received('/stuck').length === 1);
    const [pid = 0] = isolated();
    await worker.stop(200);
    expect(isRunning(pid)).toBe(false);
    expect(await harness.run(fixture, event)).toMatchObject({
      status: 'retrying',
      attempts: [{ status: 'unknown', errorCode: 'webhook_timeout' }],
    });
  });

  it('does not blame the run if the process is killed meanwhile', async () => {
    const fixture = await harness.fixture({ channels: [hook('/killed', hang, { timeoutMs: 15_000 })] });
    const event = await harness.accept(fixture, { enqueue: false });
    await quarantineAll(harness);
    const worker = await startWorker();
    await waitFor('the request', () => receiver.received('/killed').length === 1);
    const [pid = 0] = isolated();
    const stopped = worker.stop(10_000);
    process.kill(pid, 'SIGKILL');
    await stopped;
    expect(await harness.run(fixture, event)).toMatchObject({
      status: 'running',
      attempts: [{ status: 'running' }],
    });
  });

  it('starts no further run', async () => {
    const fixture = await harness.fixture({ channels: [hook('/many', hang, { timeoutMs: 15_000 })] });
    await Promise.all([
      harness.accept(fixture, { enqueue: false }),
      harness.accept(fixture, { enqueue: false }),
    ]);
    await quarantineAll(harness);
    const worker = await startWorker();
    await waitFor('the request', () => receiver.received('/many').length === 1);
    await worker.stop(200);
    expect(receiver.received('/many')).toHaveLength(1);
    expect(isolated()).toEqual([]);
  });
});
