import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClaim, createRunChannelLookup, type Database, findDueRunsOfChannel } from '@postrider/db';
import type { AttemptReport } from '../../src/deliver/attempt.ts';
import { createDelivering } from '../../src/deliver/deliver.ts';
import { createSlots } from '../../src/deliver/slots.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { waitFor } from '../support/wait.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** Locks the run's row until it is told to let go. */
async function holdRun(db: Database, runId: string): Promise<{ letGo: () => Promise<void> }> {
  let finish = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let held = false;
  const holding = db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await tx.$queryRaw`SELECT FROM delivery_runs WHERE id = ${runId}::uuid FOR UPDATE`;
      held = true;
      await told;
    },
    { timeout: 60_000 },
  );
  await waitFor('the lock', () => held);
  return {
    letGo: () => {
      finish();
      return holding;
    },
  };
}

it('a parked channel whose only due run is held by somebody else is fetched once, and again when parked', async () => {
  const { db } = harness;
  const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
  const event = await harness.accept(fixture, { enqueue: false });
  const [runId = ''] = event.runIds;
  const errors: unknown[] = [];
  const attempted: string[] = [];
  let fetches = 0;
  const { parking } = createDelivering({
    slots: createSlots(10),
    findChannel: createRunChannelLookup(db),
    findDueRuns(channelId, limit) {
      fetches += 1;
      return findDueRunsOfChannel(db, { channelId, limit });
    },
    claim: createClaim(db),
    newId: randomUUID,
    async runAttempt(run): Promise<AttemptReport> {
      attempted.push(run.runId);
      throw new Error('ends here');
    },
    report: () => undefined,
    onError: (error) => errors.push(error),
    monotonicMs: () => performance.now(),
  });
  const channel = { channelId: fixture.channels[0]?.id ?? '', kind: 'webhook' } as const;

  const { letGo } = await holdRun(db, runId);
  parking.park(channel);
  await waitFor('the channel to be left to the sweeper', () => parking.parked().length === 0);
  expect([fetches, attempted, errors]).toEqual([1, [], []]);

  await letGo();
  parking.park(channel);
  await waitFor('the claim', () => attempted.length > 0);
  await waitFor('the channel to be forgotten', () => parking.parked().length === 0);
  expect(attempted).toEqual([runId]);
});
