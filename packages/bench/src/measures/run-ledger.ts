import { setTimeout as wait } from 'node:timers/promises';
import type { LoadResult } from '../load/tally.ts';
import { countStored, databaseTime, hasOpenRuns, withClient } from '../stack/databases.ts';
import type { Installation } from '../stack/installation.ts';
import type { LoadEnds } from '../stack/workbench.ts';

/** The events of one run as the client, the database and the receivers count them. */
export interface RunLedger {
  readonly sent: number;
  /** How many answers there were, by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly unanswered: number;
  /** Messages of this run in the database. */
  readonly stored: number;
  /** Runs that have not ended; each message has one. */
  readonly waiting: number;
  /** Whether runs may be waiting because there is no worker. */
  readonly mayWait: boolean;
  /** Runs that failed or were cancelled. */
  readonly failed: number;
  /** Attempts with an unknown outcome. */
  readonly unknownAttempts: number;
  /** Distinct events at the receivers. */
  readonly delivered: number;
  readonly duplicates: number;
  /** Arrivals at the receivers that are not events of this run. */
  readonly foreign: number;
}

const ACCEPTED = '201';
/** The statuses with which the service sheds load: rate limited, and overloaded. */
const REFUSALS = ['429', '503'];

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** Reasons why a run is void; empty if everything that was sent is delivered or explained. */
export function problemsOf(ledger: RunLedger): string[] {
  const { sent, answers, unanswered, stored, waiting, failed, delivered } = ledger;
  const accepted = answers[ACCEPTED] ?? 0;
  const unexplained = Object.keys(answers).filter(
    (status) => status !== ACCEPTED && !REFUSALS.includes(status),
  );
  const answered = sum(Object.values(answers));
  const problems: string[] = [];
  if (sent !== answered + unanswered) {
    problems.push(`${sent} sent, but ${answered} answered and ${unanswered} unanswered`);
  }
  for (const status of unexplained) problems.push(`${answers[status]} answers with ${status}`);
  if (stored < accepted || stored > accepted + unanswered) {
    problems.push(`${accepted} accepted and ${unanswered} unanswered, but ${stored} stored`);
  }
  if (waiting > 0 && !ledger.mayWait) problems.push(`${waiting} runs are not at their end`);
  if (stored !== delivered + waiting + failed) {
    problems.push(`${stored} stored, but ${delivered} delivered, ${waiting} waiting and ${failed} failed`);
  }
  if (ledger.duplicates > ledger.unknownAttempts) {
    problems.push(`${ledger.duplicates} duplicates, ${ledger.unknownAttempts} explained`);
  }
  if (ledger.foreign > 0) problems.push(`${ledger.foreign} arrivals that belong to nothing`);
  return problems;
}

const POLL_MS = 100;
/** If nothing arrives for this long, nothing will: a lost run is retried sooner. */
const STALLED_MS = 45_000;
const NOTHING = { distinct: 0, duplicates: 0, foreign: 0, lastAtMs: 0 };

/** How far the service's dates may lag behind the database's clock: packages/db/src/database-clock.ts. */
const MAX_DATE_LAG_MS = 50;

/** Accounts for the loads of one measure. */
export interface RunLedgerKeeper {
  add(result: LoadResult): void;
  /** Resolves with the reasons why the measure is void; empty if everything that was sent is delivered or explained. */
  problems(): Promise<string[]>;
}

/**
 * Opens a ledger for loads that no worker delivers (`delivered: false`), or for one load of events that the receivers
 * expect.
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
    async problems() {
      const { messages, waiting, failed, unknownAttempts } = await countStored(databaseUrl, since);
      const arrived = delivered ? await bench.receivers.ask('count', null) : NOTHING;
      return problemsOf({
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

/** Waits until this many distinct events have arrived, or until no more arrive. */
export async function untilArrived(bench: Pick<LoadEnds, 'receivers'>, events: number): Promise<void> {
  let arrived = -1;
  let movedAt = performance.now();
  while (performance.now() - movedAt < STALLED_MS) {
    const { distinct } = await bench.receivers.ask('count', null);
    if (distinct >= events) return;
    if (distinct > arrived) movedAt = performance.now();
    arrived = distinct;
    await wait(POLL_MS);
  }
}

/** Waits until the last results are stored, which happens after the arrival. */
export async function untilWritten({ databaseUrl }: Pick<Installation, 'databaseUrl'>): Promise<void> {
  const giveUpAt = performance.now() + STALLED_MS;
  await withClient(databaseUrl, async (client) => {
    while (performance.now() < giveUpAt && (await hasOpenRuns(client))) await wait(POLL_MS);
  });
}
