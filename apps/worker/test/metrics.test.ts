import { randomUUID } from 'node:crypto';
import { readBacklog } from '@postrider/db';
import { createOwnerClaim } from '@postrider/db/testing';
import { startReceiver, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import type { RunningWorker } from '../src/compose.ts';
import { webhookChannel } from './support/channels.ts';
import { type Harness, POOL_SIZE, startHarness } from './support/harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness({ fastSweeps: ['stats'] });
});
afterEach(() => harness.close());

async function metricsOf({ metricsPort }: RunningWorker): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

/** A sample's value; null if there is none with this name and label. */
function sampleOf(text: string, name: string, label: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(label));
  return line === undefined ? null : Number(line.split(' ').at(-1));
}

describe('the metrics of a worker', () => {
  it('show an aged backlog while no worker runs, and none after one has delivered it', async () => {
    const receiver = await startReceiver();
    const fixture = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/hook', status(200)))],
    });
    await harness.accept(fixture, { enqueue: false });
    await harness.db.$executeRaw`UPDATE delivery_runs SET due_at = now() - interval '10 minutes'`;
    const [backlog] = (await readBacklog(harness.db)).filter(({ kind }) => kind === 'webhook');
    expect(backlog?.dueRuns).toBe(1);
    expect(backlog?.ageSeconds).toBeGreaterThanOrEqual(600);

    const first = await harness.startWorker();
    expect([...(await harness.drained(fixture)).values()]).toEqual(['succeeded']);
    await first.stop(0);
    const second = await harness.startWorker();
    // The backlog is missing if the database did not respond in time.
    const text = await waitFor('the backlog', async () => {
      const page = await metricsOf(second);
      return sampleOf(page, 'postrider_backlog_due_runs', 'kind="webhook"') !== null && page;
    });

    expect(sampleOf(text, 'postrider_backlog_age_seconds', 'kind="webhook"')).toBe(0);
    expect(sampleOf(text, 'postrider_backlog_due_runs', 'kind="webhook"')).toBe(0);
    await receiver.close();
  });

  it('count a claim that could not end what may not be sent, and its log says why', async () => {
    const receiver = await startReceiver();
    const fixture = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/hook', status(200)))],
    });
    await harness.db.$executeRaw`
      CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`;
    await harness.db.$executeRaw`
      CREATE TRIGGER refuse_end BEFORE UPDATE ON delivery_runs
        FOR EACH ROW WHEN (NEW.status = 'failed') EXECUTE FUNCTION refuse_end()`;
    const expired = await harness.accept(fixture, { enqueue: false });
    await harness.db.$executeRaw`
      UPDATE messages SET expires_at = now() - interval '1 second' WHERE id = ${expired.messageId}::uuid`;
    const worker = await harness.startWorker();
    const failures = async () =>
      Number(
        /^postrider_refusal_failures_total(?:\{[^}]*\})? (\d+)/m.exec(await metricsOf(worker))?.[1] ?? 0,
      );
    // One job, whose runs are mostly claimed together.
    await waitFor('a claim of both', async () => {
      const sound = await harness.accept(fixture, { enqueue: false });
      await harness.producer.enqueue([...expired.wakeUps, ...sound.wakeUps]);
      await harness.runIn(fixture, sound, ['succeeded']);
      return (await failures()) > 0;
    });
    expect(harness.log).toContainEqual(
      expect.objectContaining({ message: 'runs that may not be sent could be neither held nor ended' }),
    );
    await harness.db.$executeRaw`DROP TRIGGER refuse_end ON delivery_runs`;
    await receiver.close();
  });

  it('count a run that was released from a lost worker, and a dead run', async () => {
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    const { runIds } = await harness.accept(fixture, { enqueue: false, maxAttempts: 1 });
    await createOwnerClaim(harness.db)({ runId: runIds[0] ?? '', attemptId: randomUUID() });
    await harness.db.$executeRaw`UPDATE delivery_runs SET lease_until = now() - interval '1 second'`;

    const worker = await harness.startWorker();
    const text = await waitFor('the lease to be taken back', async () => {
      const page = await metricsOf(worker);
      return sampleOf(page, 'postrider_lease_reclaims_total', 'kind="webhook"') === 1 && page;
    });

    const lost = 'kind="webhook",status="unknown",code="worker_lost"';
    expect(sampleOf(text, 'postrider_attempts_total', lost)).toBe(1);
    expect(sampleOf(text, 'postrider_dead_runs_total', 'kind="webhook",code="worker_lost"')).toBe(1);
    expect(sampleOf(text, 'postrider_unknown_attempts_total', 'kind="webhook"')).toBe(1);
    expect(sampleOf(text, 'postrider_breaker_open', 'breaker="queue"')).toBe(0);
  });

  it('count retries, and measure how late sending began', async () => {
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    await harness.accept(fixture);
    const worker = await harness.startWorker();
    const text = await waitFor('a retry', async () => {
      const page = await metricsOf(worker);
      return (sampleOf(page, 'postrider_retries_total', 'kind="webhook"') ?? 0) > 0 && page;
    });
    expect(sampleOf(text, 'postrider_due_to_send_seconds_count', 'kind="webhook"')).toBeGreaterThan(0);
    expect(sampleOf(text, 'postrider_batch_items_count', 'work="claim"')).toBeGreaterThan(0);
    expect(sampleOf(text, 'postrider_db_pool_max_connections', '')).toBe(POOL_SIZE);
  });
});
