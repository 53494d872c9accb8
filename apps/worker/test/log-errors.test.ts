import { describeDatabaseError } from '@postrider/db';
import { waitFor } from '@postrider/rig';
import { createBoundedLog, createLogDatabaseErrors, createLogger } from '@postrider/telemetry';
import { expect, it } from '@postrider/testing';
import { startHarness } from './support/harness.ts';

it('logs once a minute why PostgreSQL cannot be used, whatever fails because of it', () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'worker', level: 'info', write: (line) => lines.push(line) });
  const logDatabaseErrors = createLogDatabaseErrors(
    createBoundedLog(logger, { perKeyPerMinute: 5 }),
    logger,
    describeDatabaseError,
  );
  const failWith = (code: string) => {
    for (const key of ['sweep', 'consumer', 'backlog']) {
      logDatabaseErrors(key, `${key} failed`)(Object.assign(new Error('refused'), { code }));
    }
  };
  failWith('28P01');
  failWith('28P01');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      message: 'PostgreSQL cannot be used',
      postgres: 'login refused',
      failed: 'sweep failed',
    }),
  ]);
  failWith('22003');
  expect(lines).toHaveLength(4);
});

it('logs one line for all sweeps that fail because PostgreSQL is read-only', async () => {
  const harness = await startHarness();
  try {
    const often = { consoleSessions: 10, expiredAnswers: 10, presence: 10 };
    const worker = await harness.startWorker({ sweepPauses: often });
    const name = new URL(harness.databaseUrl).pathname.slice(1);
    await harness.db.$executeRawUnsafe(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    await harness.db.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    const failures = async (sweep: string) => {
      const text = await (await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`)).text();
      return Number(
        new RegExp(`^postrider_sweep_failures_total\\{.*"${sweep}".*\\} (\\d+)$`, 'm').exec(text)?.[1],
      );
    };
    for (const sweep of Object.keys(often)) {
      await waitFor(`failures of ${sweep}`, async () => (await failures(sweep)) >= 3);
    }
    const lines = harness.log.filter(({ postgres }) => postgres === 'read-only');
    expect(lines).toHaveLength(1);
    expect(lines).toMatchObject([{ message: 'PostgreSQL cannot be used' }]);
    const ofSweeps = harness.log.filter(({ message }) => message === 'a sweep failed');
    expect(ofSweeps.filter(({ database_codes }) => String(database_codes).includes('25006'))).toEqual([]);
  } finally {
    await harness.close();
  }
});
