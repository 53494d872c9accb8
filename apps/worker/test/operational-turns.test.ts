import {
  dispatchOperationalEvents,
  emitOperational,
  inTransaction,
  removeOldOperationalEvents,
} from '@postrider/db';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ fastSweeps: ['operationalEvents'] });
});
afterAll(async () => {
  await harness.close();
});

const operational = (name: string) => ({
  ...webhookChannel('http://127.0.0.1:1/'),
  name,
  operational: true,
});

/** An environment with this many operational channels and pending events. */
async function waiting({ channels, events }: { channels: number; events: number }) {
  const names = Array.from({ length: channels }, (_, index) => `reports-${index}`);
  const { environmentId } = await harness.fixture({ channels: names.map(operational) });
  await inTransaction({ db: harness.db }, async (tx) => {
    for (let nth = 0; nth < events; nth += 1) {
      await emitOperational(tx, {
        environmentId,
        type: 'run.exhausted',
        payload: {},
        dedupeKey: `${environmentId} ${nth}`,
      });
    }
  });
  const open = async () => {
    const rows = await harness.db.$queryRaw<object[]>`
      SELECT FROM operational_events WHERE environment_id = ${environmentId}::uuid AND dispatched_at IS NULL`;
    return rows.length;
  };
  const messages = () => harness.db.message.count({ where: { environmentId } });
  return { environmentId, open, messages };
}

/** Sends until nothing waits, and returns how many runs each call made. */
async function drain(limit: number): Promise<number[]> {
  const made: number[] = [];
  for (;;) {
    const { events, wakeUps, hasMore } = await dispatchOperationalEvents(harness, limit);
    if (events > 0) made.push(wakeUps.length);
    if (!hasMore) return made;
  }
}

describe('operational events that wait', () => {
  it('are sent for environments in turn: one with many delays no other', async () => {
    const greedy = await waiting({ channels: 1, events: 40 });
    const other = await waiting({ channels: 1, events: 2 });
    await dispatchOperationalEvents(harness, 10);
    expect([await greedy.open(), await other.open()]).toEqual([32, 0]);
    await drain(10);
    expect([await greedy.messages(), await other.messages()]).toEqual([40, 2]);
  });

  it('are sent to many channels in transactions of bounded size, each once', async () => {
    const { open, messages } = await waiting({ channels: 60, events: 20 });
    expect(await drain(50)).toEqual([540, 540, 120]);
    expect([await open(), await messages()]).toEqual([0, 1_200]);
  });

  it('are deleted long after they were sent, and not before', async () => {
    const { environmentId } = await waiting({ channels: 1, events: 3 });
    const keys = [0, 1, 2].map((nth) => `${environmentId} ${nth}`);
    const setSent = (key: string | undefined, days: number) => harness.db.$executeRaw`
      UPDATE operational_events SET dispatched_at = now() - make_interval(days => ${days}::int) WHERE dedupe_key = ${key}`;
    await setSent(keys[0], 41);
    await setSent(keys[1], 39);
    expect(await removeOldOperationalEvents(harness.db, 1_000)).toBe(1);
    const left = await harness.db.operationalEvent.findMany({ where: { dedupeKey: { in: keys } } });
    expect(left.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(keys.slice(1));
  });
});
