import { startReceiver, status, waitFor } from '@postrider/rig';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { webhookChannel } from './support/channels.ts';
import { type Harness, startHarness } from './support/harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.close());

/** Tables that only housekeeping reads, and that neither a claim nor its result needs. */
const SWEPT = 'console_sessions, erasures, replay_batches, retention_turn, stats';

/** The sweeps of these tables, more than the harness's pool has connections. */
const OFTEN = {
  consoleSessions: 10,
  erasures: 10,
  replayBatches: 10,
  expiredMessages: 10,
  stats: 10,
  oldStats: 10,
};

interface Hanging {
  readonly pid: number;
  readonly since: string;
  readonly isNew: boolean;
}

/** The statements that the locked tables keep waiting. PostgreSQL ends each after 10 s. */
const hanging = () =>
  harness.db.$queryRaw<Hanging[]>`
    SELECT pid, query_start::text AS since, clock_timestamp() - query_start < interval '1 second' AS "isNew"
      FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('deliveries', () => {
  it('keep their connections while more sweeps hang than the pool has connections', async () => {
    const receiver = await startReceiver();
    const fixture = await harness.fixture({
      channels: [webhookChannel(receiver.endpoint('/hook', status(200)))],
    });
    const worker = await harness.startWorker({ sweepPauses: OFTEN });
    const waitingStatements = async () => {
      const text = await (await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`)).text();
      return Number(/^postrider_db_pool_waiting\S* (\d+)$/m.exec(text)?.[1]);
    };
    await harness.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
        await tx.$executeRawUnsafe(`LOCK TABLE ${SWEPT} IN ACCESS EXCLUSIVE MODE`);
        await waitFor('sweeps that wait for connections', async () => (await waitingStatements()) > 0);
        const before = await waitFor('sweeps that hang for a while', async () => {
          // This connection has the locks. One that is silent for 12 s counts as dead.
          await tx.$executeRaw`SELECT 1`;
          const found = await hanging();
          return found.length > 0 && found.every(({ isNew }) => isNew) && found;
        });
        const event = await harness.accept(fixture);
        await harness.runIn(fixture, event, ['succeeded']);
        // Not one of them had to end first.
        const after = (await hanging()).map(({ pid, since }) => ({ pid, since }));
        expect(after).toEqual(expect.arrayContaining(before.map(({ pid, since }) => ({ pid, since }))));
      },
      { timeout: 60_000 },
    );
    await receiver.close();
  });
});
