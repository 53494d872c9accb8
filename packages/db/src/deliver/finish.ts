import type { AttemptOutcome } from '@postrider/domain';
import { arrays, readEach, unnest } from '../arrays.ts';
import { createBatcher, type Linger, type ObserveBatch } from '../batcher.ts';
import { type AnyClient, type Database, isDatabaseUnreachable, Prisma } from '../client.ts';
import { environmentScope } from '../scope/environment-scope.ts';
import { composeOnce, queryRows } from '../statement.ts';
import type { ClaimedChannel, ClaimedRun } from '../statements/claimed-run.ts';
import { closeRuns } from '../statements/close.ts';

/** The longest stored error text, in characters. */
const MAX_ERROR_MESSAGE_LENGTH = 1_000;
/** The longest stored provider message id, in characters. */
const MAX_PROVIDER_ID_LENGTH = 200;

/** The claim of a run: which attempt it is, and the fence that shows that the worker still owns it. */
type RunLease = Pick<ClaimedRun, 'runId' | 'environmentId' | 'attemptNumber' | 'fence'> & {
  readonly channel?: Pick<ClaimedChannel, 'kind'>;
};

/** `stale`: the lease was lost, and nothing was written. */
type Written = Exclude<AttemptOutcome<'written'>['written'], 'uncertain'>;

export interface EndedAttempt {
  readonly run: RunLease;
  readonly outcome: AttemptOutcome<'decided'>;
}

/**
 * Closes an attempt and changes the state of its run. `stale`: another claim or a sweep changed the run, and nothing was
 * written. A written outcome shows that the worker survived, so the run's count of lost workers is reset. Concurrent calls
 * share a statement.
 */
export type FinishAttempt = (ended: EndedAttempt) => Promise<Written>;

/**
 * Whether the worker still owns the run: its fence is current. Checked in the update itself, because a lock before it
 * would write one more record to the write-ahead log for each run.
 */
const IS_HELD = Prisma.sql`run.status = 'running' AND run.fence = closing.fence`;

const each = readEach<EndedAttempt>();

/**
 * The statement that writes the results of a batch.
 * @param reports whether runs fail for good in it, which may have to be reported
 */
const finishStatement = (reports: boolean) =>
  composeOnce<readonly EndedAttempt[]>(Prisma.sql`
    WITH closing AS (
      SELECT *, 0 AS lost_workers FROM ${unnest('result', {
        run_id: arrays.uuid(each(({ run }) => run.runId)),
        fence: arrays.int4(each(({ run }) => run.fence)),
        number: arrays.int4(each(({ run }) => run.attemptNumber)),
        next_status: arrays.text(each(({ outcome }) => outcome.next.status)),
        delay_ms: arrays.int8(
          each(({ outcome: { next } }) => (next.status === 'retrying' ? Math.round(next.delayMs) : null)),
        ),
        status: arrays.text(each(({ outcome }) => outcome.status)),
        error_code: arrays.text(each(({ outcome }) => outcome.error?.code ?? null)),
        error_message: arrays.text(
          each(({ outcome }) => outcome.error?.message.slice(0, MAX_ERROR_MESSAGE_LENGTH) ?? null),
        ),
        retryable: arrays.bool(each(({ outcome }) => outcome.error?.retryable ?? null)),
        duration_ms: arrays.int4(each(({ outcome }) => Math.round(outcome.durationMs))),
        response_status: arrays.int4(each(({ outcome }) => outcome.response?.statusCode ?? null)),
        response_excerpt: arrays.text(each(({ outcome }) => outcome.response?.bodyExcerpt ?? null)),
        content_sha256: arrays.bytea(
          each(({ outcome: { sent } }) => (sent ? Buffer.from(sent.sha256, 'hex') : null)),
        ),
        exchange: arrays.jsonb(each(({ outcome }) => outcome.sent?.exchange ?? null)),
        sender: arrays.text(each(({ outcome }) => outcome.sender ?? null)),
        provider_message_id: arrays.text(
          each(({ outcome }) => outcome.providerMessageId?.slice(0, MAX_PROVIDER_ID_LENGTH) ?? null),
        ),
        tried: arrays.jsonb(each(({ outcome }) => outcome.tried ?? null)),
        skipped_copies: arrays.jsonb(each(({ outcome }) => outcome.skippedCopies ?? null)),
      })}
       ORDER BY run_id
    ), ${closeRuns('opened', { held: IS_HELD, reports })}
    SELECT run_id, fence FROM moved ${environmentScope(each(({ run }) => run.environmentId))}`);

const FINISH = finishStatement(false);
const FINISH_WITH_REPORTS = finishStatement(true);

async function finishBatch(db: AnyClient, attempts: readonly EndedAttempt[]): Promise<Written[]> {
  const reports = attempts.some(({ outcome }) => outcome.next.status === 'failed');
  const statement = (reports ? FINISH_WITH_REPORTS : FINISH)(attempts);
  const rows = await queryRows<{ run_id: string; fence: number }>(db, statement);
  const moved = new Set(rows.map((row) => `${row.run_id} ${row.fence}`));
  return attempts.map(({ run }) => (moved.has(`${run.runId} ${run.fence}`) ? 'finished' : 'stale'));
}

/** Runs {@link FinishAttempt} for one attempt inside the transaction `tx`. */
export async function finishInTransaction(tx: AnyClient, ended: EndedAttempt): Promise<Written> {
  const [written = 'stale'] = await finishBatch(tx, [ended]);
  return written;
}

/** Creates the batched {@link FinishAttempt}. */
export function createFinish(
  db: Database,
  {
    maxItems = 128,
    maxInFlight = 1,
    linger,
    onBatch,
  }: {
    maxItems?: number;
    maxInFlight?: number;
    linger?: Linger<EndedAttempt> | undefined;
    onBatch?: ObserveBatch | undefined;
  } = {},
): FinishAttempt {
  return createBatcher<EndedAttempt, Written>((attempts) => finishBatch(db, attempts), {
    maxItems,
    maxInFlight,
    linger,
    isItemError: (error) => !isDatabaseUnreachable(error),
    onBatch,
  });
}
