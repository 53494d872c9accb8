import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClaim, createRunChannelLookup, findDueRunsOfChannel } from '@postrider/db';
import type { AttemptReport } from '../../src/deliver/attempt.ts';
import { createDelivering } from '../../src/deliver/deliver.ts';
import { createSlots } from '../../src/deliver/slots.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { holdRow } from '../support/hold-row.ts';
import { waitFor } from '../support/wait.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('fetches a parked channel whose run somebody else holds once, and again when parked anew', async () => {
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
  const channel = {
    environmentId: fixture.environmentId,
    channelId: fixture.channels[0]?.id ?? '',
    kind: 'webhook',
  } as const;

  const { letGo } = await holdRow(db, 'delivery_runs', runId);
  parking.park(channel);
  await waitFor('the channel to be left to the sweeper', () => parking.parked().length === 0);
  expect([fetches, attempted, errors]).toEqual([1, [], []]);

  await letGo();
  parking.park(channel);
  await waitFor('the claim', () => attempted.length > 0);
  await waitFor('the channel to be forgotten', () => parking.parked().length === 0);
  expect(attempted).toEqual([runId]);
});
