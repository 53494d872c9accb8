import { groupBy } from '../group-by.ts';
import type { LedgerAttempt, LedgerRun, Ledgers, ReceivedSend } from '../ledgers.ts';
import type { Violation } from './violation.ts';

/** Codes of attempts that end before anything is sent. */
const NOTHING_SENT: readonly (string | null)[] = [
  'scheduled_cancelled',
  'channel_disabled',
  'template_render_failed',
];

function counted(attempts: readonly LedgerAttempt[]) {
  const of = (status: LedgerAttempt['status']) =>
    attempts.filter((attempt) => attempt.status === status && !NOTHING_SENT.includes(attempt.errorCode))
      .length;
  return { succeeded: of('succeeded'), failed: of('failed'), unknown: of('unknown'), open: of('running') };
}

/**
 * Each send belongs to an attempt of its own. One that the receiver accepted belongs to the attempt that
 * succeeded or to one whose outcome is `unknown`; an attempt that is known to have failed explains refused
 * sends alone. So every duplicate is attributed to an attempt that was open when a fault struck.
 */
function* checkExplained(run: LedgerRun, sends: readonly ReceivedSend[]): Generator<Violation> {
  const { succeeded, failed, unknown, open } = counted(run.attempts);
  const accepted = sends.filter(({ answer }) => answer === 'accepted').length;
  const seen = `${sends.length} sends, ${accepted} accepted; attempts: ${succeeded} succeeded, ${failed} failed, ${unknown} unknown`;
  if (accepted > succeeded + unknown) yield { kind: 'unexplained_duplicate', subject: run.id, detail: seen };
  if (sends.length > succeeded + failed + unknown + open) {
    yield { kind: 'send_without_attempt', subject: run.id, detail: seen };
  }
  if (run.status === 'succeeded' && accepted === 0) {
    yield { kind: 'success_without_send', subject: run.id, detail: seen };
  }
  if (run.status === 'cancelled' && sends.length > 0) {
    yield { kind: 'send_after_cancel', subject: run.id, detail: seen };
  }
}

/**
 * Neither the claim, by the database's clock, nor the first send, by the receiver's, came before the time.
 * The receivers of a fault run share the database's machine and so its clock.
 */
function* checkSchedule(run: LedgerRun, sends: readonly ReceivedSend[]): Generator<Violation> {
  if (run.scheduledAt === null) return;
  const taken = run.attempts.filter(({ errorCode }) => errorCode !== 'scheduled_cancelled');
  const first = Math.min(...taken.map(({ startedAt }) => startedAt), ...sends.map(({ at }) => at));
  if (first >= run.scheduledAt) return;
  yield {
    kind: 'scheduled_send_early',
    subject: run.id,
    detail: `${run.scheduledAt - first} ms before its time`,
  };
}

/** Holds what receivers saw against the runs and attempts of the database. */
export function* checkSends({ receivers, database }: Ledgers): Generator<Violation> {
  const sends = groupBy(receivers, ({ runId }) => runId);
  const runs = new Map(database.runs.map((run) => [run.id, run]));
  const messages = new Set(database.messages.map(({ id }) => id));
  for (const [runId, received] of sends) {
    const run = runs.get(runId);
    if (run && messages.has(run.messageId)) continue;
    yield { kind: 'send_without_event', subject: runId, detail: `${received.length} sends` };
  }
  for (const run of database.runs) {
    yield* checkExplained(run, sends.get(run.id) ?? []);
    yield* checkSchedule(run, sends.get(run.id) ?? []);
  }
}
