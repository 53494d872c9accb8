import { randomUUID } from 'node:crypto';
import { describeDatabaseError } from '@postrider/db';
import { createOwnerClaim } from '@postrider/db/testing';
import { waitFor } from '@postrider/rig';
import { createBoundedLog, createLogDatabaseErrors, createLogger } from '@postrider/telemetry';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type StopDeps, stopInOrder } from '../src/stop.ts';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';
import { holdRow } from './support/hold-row.ts';

/** Beyond every limit of a test: waiting for it fails. */
const FAR_DEADLINE_MS = 600_000;
const never = new Promise<never>(() => undefined);
const nothing = async () => undefined;

/** An idle worker with the overrides of the test, and the lines that its stop logs. */
function idle(overrides: Partial<StopDeps>): { deps: StopDeps; lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger({ service: 'worker', level: 'info', write: (line) => lines.push(line) });
  const log = createBoundedLog(logger, { perKeyPerMinute: 5 });
  const deps: StopDeps = {
    scheduling: { stop: nothing, close: nothing },
    delivering: { drain: nothing },
    sweeps: { stop: nothing },
    closings: () => [],
    log,
    logDatabaseErrors: createLogDatabaseErrors(log, logger, describeDatabaseError),
    monotonicMs: () => performance.now(),
    ...overrides,
  };
  return { deps, lines };
}

describe('the stop of an idle worker', () => {
  it('does not wait for its deadline because of a sweep', async () => {
    let closed = false;
    const { deps, lines } = idle({
      sweeps: { stop: () => never },
      closings() {
        closed = true;
        return [];
      },
    });
    await stopInOrder(deps, FAR_DEADLINE_MS);
    expect([closed, lines]).toEqual([true, []]);
  });

  it('logs if something does not close', async () => {
    const { deps, lines } = idle({ closings: () => [never] });
    await stopInOrder(deps, FAR_DEADLINE_MS);
    expect(lines).toEqual([expect.stringContaining('did not close in time')]);
  });
});

describe('a sweep that waits for a row', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('does not delay the stop of an idle worker', async () => {
    const { db } = harness;
    const fixture = await harness.fixture({ channels: [webhookChannel('http://127.0.0.1:9/')] });
    const { runIds } = await harness.accept(fixture, { enqueue: false });
    const [runId = ''] = runIds;
    const attemptId = randomUUID();
    await createOwnerClaim(db)({ runId, attemptId });
    await db.$executeRaw`
      UPDATE delivery_runs SET lease_until = now() - interval '1 minute' WHERE id = ${runId}::uuid`;
    const isSweepWaiting = async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return waiting.length > 0;
    };

    const { letGo } = await holdRow(db, 'attempts', attemptId);
    try {
      const worker = await harness.startWorker({ sweepPauses: { leases: 10 } });
      await waitFor('the sweep to wait', isSweepWaiting);
      await worker.stop(FAR_DEADLINE_MS);
      // Postgres ends the statement after 10 s; the stop has 2 s for the sweep and 3 s for the connections.
      expect(await isSweepWaiting()).toBe(true);
    } finally {
      await letGo();
    }
  });
});
