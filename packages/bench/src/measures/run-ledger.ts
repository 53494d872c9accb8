import { setTimeout as wait } from 'node:timers/promises';
import type { LoadResult } from '../load/tally.ts';
import { faultsOf } from '../report/ledger.ts';
import { withClient } from '../stack/databases.ts';
import type { Installation } from '../stack/installation.ts';
import { countStored, databaseTime, hasOpenRuns } from '../stack/stored.ts';
import type { LoadEnds } from '../stack/workbench.ts';

const POLL_MS = 100;
/** Without one further arrival for so long, none will come: a lost run is taken up again in less. */
const STANDSTILL_MS = 45_000;
const NOTHING = { distinct: 0, duplicates: 0, foreign: 0, lastAtMs: 0 };

/** By which the service's dates may lag behind the database's clock: packages/db/src/database-clock.ts. */
const MAX_DATE_LAG_MS = 50;

/** The account of the loads of one measure. */
export interface RunLedgerKeeper {
  add(result: LoadResult): void;
  /** Why the measure is void; nothing when all that was sent is delivered or explained. */
  faults(): Promise<string[]>;
}

/**
 * Opens the account of loads that no worker delivers (`delivered: false`), or of one load whose events the
 * receivers expect.
 */
export async function openRunLedger(
  bench: Pick<LoadEnds, 'receivers'>,
  { databaseUrl }: Pick<Installation, 'databaseUrl'>,
  { delivered }: { delivered: boolean },
): Promise<RunLedgerKeeper> {
  const since = await databaseTime(databaseUrl);
  await wait(MAX_DATE_LAG_MS);
  const answers: Record<string, number> = {};
  let sent = 0;
  let unanswered = 0;
  return {
    add(result) {
      sent += result.sent;
      unanswered += result.unanswered;
      for (const [status, count] of Object.entries(result.answers)) {
        answers[status] = (answers[status] ?? 0) + count;
      }
    },
    async faults() {
      const { messages, waiting, failed, unknownAttempts } = await countStored(databaseUrl, since);
      const arrived = delivered ? await bench.receivers.ask('count', null) : NOTHING;
      return faultsOf({
        sent,
        answers,
        unanswered,
        stored: messages,
        waiting,
        mayWait: !delivered,
        failed,
        unknownAttempts,
        delivered: arrived.distinct,
        duplicates: arrived.duplicates,
        foreign: arrived.foreign,
      });
    },
  };
}

/** Waits until so many different events have arrived, or none arrives any more. */
export async function untilArrived(bench: Pick<LoadEnds, 'receivers'>, events: number): Promise<void> {
  let arrived = -1;
  let movedAt = performance.now();
  while (performance.now() - movedAt < STANDSTILL_MS) {
    const { distinct } = await bench.receivers.ask('count', null);
    if (distinct >= events) return;
    if (distinct > arrived) movedAt = performance.now();
    arrived = distinct;
    await wait(POLL_MS);
  }
}

/** Waits until the last results are written, too: those follow the arrival. */
export async function untilWritten({ databaseUrl }: Pick<Installation, 'databaseUrl'>): Promise<void> {
  const giveUpAt = performance.now() + STANDSTILL_MS;
  await withClient(databaseUrl, async (client) => {
    while (performance.now() < giveUpAt && (await hasOpenRuns(client))) await wait(POLL_MS);
  });
}
