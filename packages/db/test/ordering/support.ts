import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll } from '@postrider/testing';
import { createFinish, settleOrder } from '../../src/index.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type Fixture,
  failedWith,
  SUCCEEDED,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { eventFor, plannedRuns, WEBHOOK } from '../support.ts';

const ORDERED = { ...WEBHOOK, ordering: 'key' } as const;
const newId = createUuidV7Source();

export interface Scene {
  readonly fixture: Fixture;
  readonly channelId: string;
}

export const orderedEvent = ({ fixture }: Scene, orderingKey: string, more: object = {}) =>
  eventFor(fixture, {
    runs: plannedRuns(fixture).map((run) => ({ ...run, isOrdered: true })),
    orderingKey,
    ...more,
  });

/** A database for the tests of a file, and what they do with ordered runs in it. */
export function useOrdering() {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const claim = (runId: string) => createOwnerClaim(database.db)({ runId, attemptId: newId() });
  return {
    newId,
    db: () => database.db,
    deps: () => ({ db: database.db, newId, actor: actorNamed('test') }),

    async scene(more: object = {}): Promise<Scene> {
      const fixture = await createFixture(database.db, { channels: [{ ...ORDERED, ...more }] });
      return { fixture, channelId: fixture.channels[0]?.id ?? '' };
    },

    /** The runs of a channel by key and place. */
    runsOf: ({ channelId }: Scene, orderingKey?: string) =>
      database.db.deliveryRun.findMany({
        where: { channelId, ...(orderingKey === undefined ? {} : { orderingKey }) },
        orderBy: [{ orderingKey: 'asc' }, { sequence: 'asc' }, { replay: 'asc' }],
      }),

    claim,

    /** Claims a run and writes the result of its attempt. */
    async attempt(runId: string, status: 'succeeded' | 'failed' | 'retrying' = 'succeeded') {
      const claimed = await claim(runId);
      if (claimed.outcome !== 'claimed') throw new Error(`the run was not claimed: ${claimed.outcome}`);
      const next = status === 'retrying' ? { status, delayMs: 0 } : { status };
      const outcome = status === 'succeeded' ? SUCCEEDED : failedWith('webhook_timeout', next);
      await createFinish(database.db)({ run: claimed.run, outcome });
      return claimed.run;
    },

    /** Settles until nothing is left, and returns the released runs. */
    async settle(): Promise<string[]> {
      const released: string[] = [];
      for (;;) {
        const { ends, wakeUps } = await settleOrder(database.db, 100);
        released.push(...wakeUps.map(({ runId }) => runId));
        if (ends === 0) return released;
      }
    },
  };
}
