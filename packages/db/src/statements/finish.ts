import type { AttemptOutcome } from '@postrider/domain';
import { createBatcher, type Linger, type ObserveBatch } from '../batcher.ts';
import { type AnyClient, type Database, isDatabaseUnreachable } from '../client.ts';
import { defineStatement } from '../statement.ts';
import type { ClaimedChannel, ClaimedRun } from './claimed-run.ts';
import { closeRuns } from './close.ts';

/** The longest stored error text, in characters. */
const MAX_ERROR_MESSAGE_LENGTH = 1_000;
/** The longest stored provider message id, in characters. */
const MAX_PROVIDER_ID_LENGTH = 200;

/** The claim of a run: which attempt it is, and the fence that shows that the worker still owns it. */
type RunLease = Pick<ClaimedRun, 'runId' | 'environmentId' | 'attemptNumber' | 'fence'> & {
  readonly channel?: Pick<ClaimedChannel, 'kind'>;
  readonly reportsOutcomes?: boolean;
};

export interface EndedAttempt<Run extends RunLease = RunLease> {
  readonly run: Run;
  readonly outcome: AttemptOutcome<'decided'>;
}

/**
 * Whether the worker still owns the run: its fence is current. Checked in the update itself, because a lock before it
 * would write one more record to the write-ahead log for each run.
 */
const OWNS_RUN = "run.status = 'running' AND run.fence = closing.fence";

const each =
  <Value>(read: (attempt: EndedAttempt) => Value) =>
  (attempts: readonly EndedAttempt[]): Value[] =>
    attempts.map(read);
const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

/** @param reports whether it ends runs that may have to be reported. Without it the statement does not read settings at all. */
const define = (reports: boolean) =>
  defineStatement<readonly EndedAttempt[], { run_id: string; fence: number }>({
    text: `
    WITH closing AS (
      SELECT *, 0 AS lost_workers FROM (
        SELECT unnest((SELECT :run_ids::uuid[])) AS run_id, unnest(:fences::int[]) AS fence, unnest(:numbers::int[]) AS number,
               unnest(:next_statuses::text[]) AS next_status, unnest(:delays_ms::int8[]) AS delay_ms, unnest(:statuses::text[]) AS status,
               unnest(:error_codes::text[]) AS error_code, unnest(:error_messages::text[]) AS error_message,
               unnest(:retryable::bool[]) AS retryable, unnest(:durations_ms::int[]) AS duration_ms,
               unnest(:response_statuses::int[]) AS response_status, unnest(:excerpts::text[]) AS response_excerpt,
               unnest(:hashes::bytea[]) AS content_sha256, unnest(:exchanges::jsonb[]) AS exchange, unnest(:senders::text[]) AS sender,
               unnest(:provider_ids::text[]) AS provider_message_id, unnest(:tried::jsonb[]) AS tried,
               unnest(:skipped_copies::jsonb[]) AS skipped_copies) result
       ORDER BY run_id
    ), ${closeRuns('opened', { stillOwned: OWNS_RUN, reports })}
    SELECT run_id, fence FROM moved`,
    parameters: {
      run_ids: each(({ run }) => run.runId),
      fences: each(({ run }) => run.fence),
      numbers: each(({ run }) => run.attemptNumber),
      next_statuses: each(({ outcome }) => outcome.next.status),
      delays_ms: each(({ outcome: { next } }) =>
        next.status === 'retrying' ? Math.round(next.delayMs) : null,
      ),
      statuses: each(({ outcome }) => outcome.status),
      error_codes: each(({ outcome }) => outcome.error?.code ?? null),
      error_messages: each(
        ({ outcome }) => outcome.error?.message.slice(0, MAX_ERROR_MESSAGE_LENGTH) ?? null,
      ),
      retryable: each(({ outcome }) => outcome.error?.retryable ?? null),
      durations_ms: each(({ outcome }) => Math.round(outcome.durationMs)),
      response_statuses: each(({ outcome }) => outcome.response?.statusCode ?? null),
      excerpts: each(({ outcome }) => outcome.response?.bodyExcerpt ?? null),
      hashes: each(({ outcome: { sent } }) => (sent ? Buffer.from(sent.sha256, 'hex') : null)),
      exchanges: each(({ outcome }) => jsonOf(outcome.sent?.exchange)),
      senders: each(({ outcome }) => outcome.account ?? null),
      provider_ids: each(
        ({ outcome }) => outcome.providerMessageId?.slice(0, MAX_PROVIDER_ID_LENGTH) ?? null,
      ),
      tried: each(({ outcome }) => jsonOf(outcome.tried)),
      skipped_copies: each(({ outcome }) => jsonOf(outcome.skippedCopies)),
    },
    environments: each(({ run }) => run.environmentId),
  });

const finish = define(false);
const finishWithReports = define(true);

/** `stale`: the lease was lost, and nothing was written. */
type Written = Exclude<AttemptOutcome<'written'>['written'], 'uncertain'>;

/**
 * Closes an attempt and changes the state of its run. `stale`: another claim or a sweep changed the run, and nothing was
 * written. A written outcome shows that the worker survived, so the run's count of lost workers is reset. Concurrent calls
 * share a statement.
 */
export type FinishAttempt = (ended: EndedAttempt) => Promise<Written>;

async function finishBatch(db: AnyClient, attempts: readonly EndedAttempt[]): Promise<Written[]> {
  const reports = attempts.some(
    ({ run, outcome }) => outcome.next.status === 'failed' || run.reportsOutcomes,
  );
  const rows = await (reports ? finishWithReports : finish)(db, attempts);
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
    linger,
    onBatch,
  }: {
    linger?: Linger<EndedAttempt> | undefined;
    onBatch?: ObserveBatch | undefined;
  } = {},
): FinishAttempt {
  return createBatcher<EndedAttempt, Written>((attempts) => finishBatch(db, attempts), {
    maxItems: 128,
    maxInFlight: 1,
    linger,
    isItemError: (error) => !isDatabaseUnreachable(error),
    onBatch,
  });
}
