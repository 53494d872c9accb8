import { randomUUID } from 'node:crypto';
import { createClaim, createClaimWithinLimits, createRunLookup, findDueRunsOfChannel } from '@postrider/db';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { createConcurrencyLimiter } from '../../src/deliver/concurrency-limiter.ts';
import { createDelivering } from '../../src/deliver/deliver.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { holdRow } from '../support/hold-row.ts';
import { openGate } from '../support/open-gate.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('fetches a deferred channel whose run another worker holds once, and again when it is deferred again', async () => {
  const { db } = harness;
  const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
  const event = await harness.accept(fixture, { enqueue: false });
  const [runId = ''] = event.runIds;
  const errors: unknown[] = [];
  const attempted: string[] = [];
  let fetches = 0;
  const { deferredChannels } = createDelivering({
    limiter: createConcurrencyLimiter(10),
    renderPlaces: openGate(),
    findRun: createRunLookup(db),
    findDueRuns(channelId, limit) {
      fetches += 1;
      return findDueRunsOfChannel(db, { channelId, limit });
    },
    claim: createClaim(db),
    claimWithin: createClaimWithinLimits(db, { newId: randomUUID }),
    newId: randomUUID,
    jitter: Math.random,
    async runAttempt(run): Promise<never> {
      attempted.push(run.runId);
      throw new Error('ends here');
    },
    report: () => undefined,
    onError: (error) => errors.push(error),
    monotonicMs: () => performance.now(),
  });
  const channel = { channelId: fixture.channels[0]?.id ?? '', kind: 'webhook' } as const;

  const { letGo } = await holdRow(db, 'delivery_runs', runId);
  deferredChannels.defer(channel);
  await waitFor('the channel to be left to the sweeper', () => deferredChannels.deferred().length === 0);
  expect([fetches, attempted, errors]).toEqual([1, [], []]);

  await letGo();
  deferredChannels.defer(channel);
  await waitFor('the claim', () => attempted.length > 0);
  await waitFor('the channel to be forgotten', () => deferredChannels.deferred().length === 0);
  expect(attempted).toEqual([runId]);
});
