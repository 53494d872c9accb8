import type { Producer, RunToEnqueue } from '@postrider/queue';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createUpcomingSweep } from '../../src/sweeps/upcoming-runs.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';

const HOUR_MS = 3_600_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** A producer that records runs, or fails. */
function recordingProducer(isDown: () => boolean) {
  const added: RunToEnqueue[] = [];
  const enqueue: Producer['enqueue'] = async (runs) => {
    if (isDown()) return { enqueued: 0, failed: runs.length };
    added.push(...runs);
    return { enqueued: runs.length, failed: 0 };
  };
  return { added, producer: { enqueue } as Producer };
}

describe('the sweep of upcoming runs', () => {
  it('adds each run about once, when it is due within the horizon', async () => {
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const accept = (minutes: number) =>
      harness.accept(fixture, { scheduleAt: inMinutes(minutes), enqueue: false });
    const near = await accept(30);
    const far = await accept(70);
    let now = 0;
    let isDown = true;
    const { added, producer } = recordingProducer(() => isDown);
    const sweep = createUpcomingSweep({
      db: harness.db,
      producer,
      nearHorizonMs: HOUR_MS,
      monotonicMs: () => now,
    });
    await sweep();
    expect(added).toEqual([]);
    isDown = false;
    await sweep();
    expect(added.map(({ runId }) => runId)).toEqual(near.runIds);
    expect(added[0]).toMatchObject({ attempt: 1, channelKind: 'webhook' });

    await sweep();
    expect(added).toHaveLength(1);

    // A quarter of an hour later, by both clocks.
    now += HOUR_MS / 4;
    await harness.db.$executeRaw`UPDATE delivery_runs SET due_at = due_at - interval '15 minutes'`;
    await sweep();
    expect(added.map(({ runId }) => runId)).toEqual([...near.runIds, ...far.runIds]);
  });

  /** Accepts runs that are due in about ten minutes, with a sweep of ten runs per page. */
  async function setUp(offsetsMs: readonly number[], options: { maxPages?: number } = {}) {
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    const dueAt = new Date(Date.now() + HOUR_MS / 6);
    const events = await Promise.all(
      offsetsMs.map((offsetMs) =>
        harness.accept(fixture, { scheduleAt: new Date(dueAt.getTime() + offsetMs), enqueue: false }),
      ),
    );
    const { added, producer } = recordingProducer(() => false);
    const sweep = createUpcomingSweep({
      db: harness.db,
      producer,
      nearHorizonMs: HOUR_MS / 2,
      page: 10,
      monotonicMs: () => 0,
      ...options,
    });
    const runIds = new Set(events.flatMap((event) => event.runIds));
    return { sweep, runIds, added: () => added.map(({ runId }) => runId).filter((id) => runIds.has(id)) };
  }

  it('adds each run of many pages once, even if more than a page is due at one instant', async () => {
    const instant = Array.from({ length: 25 }, () => 0);
    const later = Array.from({ length: 25 }, (_, index) => 2_000 + index);
    const { sweep, runIds, added } = await setUp([...instant, ...later]);
    await sweep();
    expect(added()).toHaveLength(50);
    expect(new Set(added())).toEqual(runIds);
  });

  it('continues in the next round where the last page of a round ended', async () => {
    const { sweep, runIds, added } = await setUp(
      Array.from({ length: 25 }, (_, index) => index),
      { maxPages: 2 },
    );
    const rounds = 20;
    for (let round = 0; round < rounds && added().length < 25; round += 1) await sweep();
    expect(added()).toHaveLength(25);
    expect(new Set(added())).toEqual(runIds);
  });
});
