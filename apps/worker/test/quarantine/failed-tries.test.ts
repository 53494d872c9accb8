import { acrossEnvironments } from '@postrider/db';
import { createUuidV7Source } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { afterEach, beforeEach, expect, it } from '@postrider/testing';
import type { IsolatedProcess } from '../../src/quarantine/isolated-process.ts';
import { startQuarantine } from '../../src/quarantine/quarantine.ts';
import { webhookChannel } from '../support/channels.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { quarantineAll } from '../support/poison.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.close());

it('a run that cannot be tried does not keep runs of other channels from being tried', async () => {
  const url = 'http://127.0.0.1:9';
  const fixture = await harness.fixture({ channels: [webhookChannel(url), webhookChannel(url)] });
  const failing = await harness.accept(fixture, { enqueue: false, channels: [0] });
  const other = await harness.accept(fixture, { enqueue: false, channels: [1] });
  await quarantineAll(harness);
  const tried: string[] = [];
  const isolated: IsolatedProcess = {
    async tryRun({ runId }) {
      tried.push(runId);
      return { outcome: 'done', claimed: false, failed: failing.runIds.includes(runId) };
    },
    stop: async () => undefined,
  };
  let now = 0;
  const quarantine = startQuarantine({
    db: acrossEnvironments(harness.db),
    isolated,
    newId: createUuidV7Source(),
    jitter: () => 0,
    logger: { error: () => undefined } as never,
    onError: (error) => {
      throw error;
    },
    onEnded: () => undefined,
    monotonicMs: () => now,
  });
  try {
    await waitFor('the first try', () => tried.length > 0);
    now = 20_000;
    await waitFor('the second try', () => tried.length > 1);
    expect(tried.slice(0, 2)).toEqual([...failing.runIds, ...other.runIds]);
  } finally {
    await quarantine.stop(0);
  }
});
