import { randomUUID } from 'node:crypto';
import { acceptInEnvironment, cancelRun } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { type Receiver, startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type AcceptedEvent, type Harness, startHarness } from './support/harness.ts';

/** As many connections as the service has, for the race of cancels and claims. */
const SERVICE_POOL = 10;

let harness: Harness;
let receiver: Receiver;
beforeAll(async () => {
  [harness, receiver] = await Promise.all([startHarness({ poolSize: SERVICE_POOL }), startReceiver()]);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

const hook = (path: string) =>
  ({ kind: 'webhook', name: 'hook', config: { url: receiver.endpoint(path, status(200)) } }) as const;

/** The database's clock, which decides when a run is due. */
async function databaseNow(): Promise<number> {
  const [row] = await harness.db.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
  return row?.now.getTime() ?? 0;
}

const cancel = (environmentId: string, runId: string) =>
  acceptInEnvironment(harness.db, environmentId, (tx) =>
    cancelRun(tx, { newId: randomUUID, environmentId, runId }),
  );

/** Processes the items with limited concurrency. */
async function inLanes<Item, Result>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const lane = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

describe('a scheduled run', () => {
  it('is not sent before its time', async () => {
    const worker = await harness.startWorker();
    const fixture = await harness.fixture({ channels: [hook('/scheduled')] });
    const scheduleAt = new Date((await databaseNow()) + 2_000);
    const event = await harness.accept(fixture, { scheduleAt });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts[0]?.startedAt.getTime()).toBeGreaterThanOrEqual(scheduleAt.getTime());
    expect(receiver.received('/scheduled')).toHaveLength(1);
    await worker.stop(1_000);
  });

  it('without a job is found by the sweep', async () => {
    const worker = await harness.startWorker({ nearHorizonMs: 60_000 });
    const fixture = await harness.fixture({ channels: [hook('/unannounced')] });
    const scheduleAt = new Date((await databaseNow()) + 1_500);
    const event = await harness.accept(fixture, { scheduleAt, enqueue: false });
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts[0]?.startedAt.getTime()).toBeGreaterThanOrEqual(scheduleAt.getTime());
    await worker.stop(1_000);
  });

  it('whose job comes too early is put back until its time', async () => {
    const worker = await harness.startWorker();
    const fixture = await harness.fixture({ channels: [hook('/too-early')] });
    const scheduleAt = new Date((await databaseNow()) + 1_500);
    const event = await harness.accept(fixture, { scheduleAt, enqueue: false });
    await harness.producer.enqueue(event.wakeUps.map((run) => ({ ...run, delayMs: 0 })));
    const run = await harness.runIn(fixture, event, ['succeeded']);
    expect(run.attempts).toHaveLength(1);
    expect(run.attempts[0]?.startedAt.getTime()).toBeGreaterThanOrEqual(scheduleAt.getTime());
    await worker.stop(1_000);
  });
});

describe('500 cancels that race 500 claims', () => {
  it('leave each run either cancelled and never sent, or sent with its cancel refused', async () => {
    const fixture = await harness.fixture({ channels: [hook('/race')] });
    const scheduleAt = new Date((await databaseNow()) + 4_000);
    const events: AcceptedEvent[] = [];
    for (let batch = 0; batch < 10; batch += 1) {
      const accepted = Array.from({ length: 50 }, () =>
        harness.accept(fixture, { scheduleAt, enqueue: false }),
      );
      events.push(...(await Promise.all(accepted)));
    }
    const worker = await harness.startWorker();
    await harness.producer.enqueue(events.flatMap(({ wakeUps }) => wakeUps));
    await waitFor('the time of the schedule', async () => (await databaseNow()) >= scheduleAt.getTime());
    const runIds = events.map(({ runIds: [runId] }) => runId ?? '');
    const cancels = await inLanes(16, runIds, (runId) => cancel(fixture.environmentId, runId));
    const ends = await harness.drained(fixture);
    const attempts = await harness.db.attempt.findMany({ where: { runId: { in: runIds } } });

    const sent = receiver.received('/race').map(({ headers }) => headers['webhook-id']);
    const cancelled = runIds.filter((runId) => ends.get(runId) === 'cancelled');
    const succeeded = runIds.filter((runId) => ends.get(runId) === 'succeeded');
    expect(cancelled.length + succeeded.length).toBe(500);
    expect(runIds.filter((_runId, index) => cancels[index]?.isCancelled)).toEqual(cancelled);
    expect([...sent].sort()).toEqual(succeeded.map((runId) => formatId('run', runId)).sort());
    expect(attempts).toHaveLength(500);
    const byCancel = attempts.filter((attempt) => attempt.errorCode === 'scheduled_cancelled');
    expect(byCancel.map((attempt) => attempt.runId).sort()).toEqual([...cancelled].sort());
    await worker.stop(1_000);
  });
});
