import type { AttemptOutcome } from '@postrider/domain';
import { createBatcher, type Linger, type ObserveBatch } from '../batcher.ts';
import { type AnyClient, type Database, isDatabaseUnreachable } from '../client.ts';
import { type EndedAttempt, writeOutcomes } from '../statements/finish.ts';

/** `stale`: the lease was lost, and nothing was written. */
type Written = Exclude<AttemptOutcome<'written'>['written'], 'uncertain'>;

/**
 * Closes an attempt and changes the state of its run. `stale`: another claim or a sweep changed the run, and nothing was
 * written. A written outcome shows that the worker survived, so the run's count of lost workers is reset. Concurrent calls
 * share a statement.
 */
export type FinishAttempt = (ended: EndedAttempt) => Promise<Written>;

async function finishBatch(db: AnyClient, attempts: readonly EndedAttempt[]): Promise<Written[]> {
  const rows = await writeOutcomes(db, attempts);
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
