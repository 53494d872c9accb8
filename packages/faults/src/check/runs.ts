import {
  type AttemptStatus,
  groupBy,
  LOSSES_BEFORE_END,
  LOSSES_BEFORE_QUARANTINE,
  type RunStatus,
} from '@postrider/domain';
import type { LedgerAttempt, LedgerRun, Ledgers, LedgerTransition } from '../ledgers.ts';
import { FIRST_STATUSES, isFinal, STATE_TABLE } from '../state-table.ts';
import type { Violation } from './violation.ts';

/** The statuses that the last attempt may have, for each status of its run; `null` means that there is no attempt. */
const LAST_ATTEMPT: Readonly<Record<RunStatus, readonly (AttemptStatus | null)[]>> = {
  scheduled: [null],
  queued: [null],
  running: ['running'],
  retrying: ['failed', 'unknown'],
  succeeded: ['succeeded'],
  failed: ['failed', 'unknown'],
  cancelled: ['cancelled'],
};

/** Statuses of attempts after which another attempt may follow. */
const MAY_BE_FOLLOWED: readonly AttemptStatus[] = ['failed', 'unknown'];

/** Errors after which there is no further attempt, even if attempts are left. */
const FINAL_ERRORS: readonly (string | null)[] = [
  'channel_disabled',
  'recipient_suppressed',
  'webhook_address_blocked',
  'smtp_permanent_rejection',
  'template_render_failed',
];

const opensNoLease = ({ errorCode }: LedgerAttempt) =>
  errorCode === 'scheduled_cancelled' ||
  errorCode === 'channel_disabled' ||
  errorCode === 'recipient_suppressed';

/** The contradiction between two consecutive attempts, or null. */
function errorBetween(before: LedgerAttempt, after: LedgerAttempt): string | null {
  if (after.number !== before.number + 1) return `attempt ${after.number} follows ${before.number}`;
  if (!MAY_BE_FOLLOWED.includes(before.status))
    return `attempt ${after.number} follows one that ${before.status}`;
  if (before.completedAt === null || after.startedAt < before.completedAt) {
    return `attempt ${after.number} began before ${before.number} was over`;
  }
  const fence = before.fence + (opensNoLease(after) ? 0 : 1);
  return after.fence === fence ? null : `fence ${before.fence} was followed by ${after.fence}`;
}

function* historyErrors(run: LedgerRun): Generator<string> {
  const { attempts } = run;
  const first = attempts.at(0);
  const last = attempts.at(-1);
  if (!LAST_ATTEMPT[run.status].includes(last?.status ?? null)) {
    yield `is ${run.status} after an attempt that is ${last?.status ?? 'missing'}`;
  }
  if (attempts.length !== run.attemptCount) yield `counts ${run.attemptCount} of ${attempts.length} attempts`;
  if (run.attemptCount > run.maxAttempts && !(last && opensNoLease(last))) {
    yield `made ${run.attemptCount} of ${run.maxAttempts} attempts`;
  }
  if (run.fence !== (last?.fence ?? 0)) yield `has fence ${run.fence}, its last attempt ${last?.fence}`;
  if (first && first.number !== 1) yield `begins with attempt ${first.number}`;
  if (first && first.startedAt < run.createdAt) yield 'was tried before it was made';
  if (run.status === 'cancelled' && run.scheduledAt === null) yield 'was cancelled and never scheduled';
  for (const [index, after] of attempts.entries()) {
    const before = attempts[index - 1];
    const error = before ? errorBetween(before, after) : null;
    if (error) yield error;
  }
}

/** How many workers the run lost in a row: the most, and up to its last attempt. */
function lossesInARow({ attempts }: LedgerRun): { most: number; last: number } {
  let [most, last] = [0, 0];
  for (const { status, errorCode } of attempts) {
    last = status === 'unknown' && errorCode === 'worker_lost' ? last + 1 : 0;
    most = Math.max(most, last);
  }
  return { most, last };
}

/** Whether the run's last loss was that of an isolated process. */
const wasLostAlone = (run: LedgerRun) => lossesInARow(run).last > LOSSES_BEFORE_QUARANTINE;

function isGivenUpEarly(run: LedgerRun): boolean {
  const { status, attemptCount, maxAttempts, attempts } = run;
  if (status !== 'failed' || attemptCount >= maxAttempts || wasLostAlone(run)) return false;
  return !FINAL_ERRORS.includes(attempts.at(-1)?.errorCode ?? null);
}

function* transitionErrors(run: LedgerRun, transitions: readonly LedgerTransition[]): Generator<string> {
  let status: RunStatus | null = null;
  for (const { from, to } of transitions) {
    const allowed: readonly RunStatus[] = from === null ? FIRST_STATUSES : STATE_TABLE[from];
    if (!allowed.includes(to)) yield `${from ?? 'nothing'} became ${to}`;
    if (from !== status) yield `${from ?? 'nothing'} became ${to} while the run was ${status ?? 'not there'}`;
    status = to;
  }
  if (status !== run.status) yield `is ${run.status} and was last made ${status ?? 'nothing'}`;
}

/**
 * Checks every run against the state table and its attempts, and that it has ended.
 */
export function* checkRuns({ database }: Ledgers): Generator<Violation> {
  const transitions = groupBy(database.transitions, ({ runId }) => runId);
  for (const run of database.runs) {
    if (!isFinal(run.status)) yield { kind: 'run_not_terminal', subject: run.id, detail: `is ${run.status}` };
    if (isGivenUpEarly(run)) {
      const made = `${run.attemptCount} of ${run.maxAttempts} attempts`;
      const detail = `failed after ${made}, the last with ${run.attempts.at(-1)?.errorCode}`;
      yield { kind: 'given_up_early', subject: run.id, detail };
    }
    const { most } = lossesInARow(run);
    if (most > LOSSES_BEFORE_END) {
      const detail = `lost ${most} workers in a row; ${LOSSES_BEFORE_END} end a run`;
      yield { kind: 'worker_losses_unbounded', subject: run.id, detail };
    }
    for (const detail of historyErrors(run)) yield { kind: 'illegal_history', subject: run.id, detail };
    for (const detail of transitionErrors(run, transitions.get(run.id) ?? [])) {
      yield { kind: 'illegal_transition', subject: run.id, detail };
    }
  }
}
