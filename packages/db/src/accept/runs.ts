import { createUuidV7Source } from '@postrider/domain';
import type { AnyClient } from '../client.ts';
import type { CreatedRun, PlannedRun, RunToEnqueue } from './types.ts';

/**
 * Opens an accepting transaction: bounds its waits for locks and returns the database's time, in whole
 * milliseconds, that everything in the transaction is dated with. Process clocks decide nothing.
 */
export async function beginAccepting(tx: AnyClient, lockTimeoutMs: number): Promise<Date> {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true), date_trunc('milliseconds', now()) AS now`;
  if (!row) throw new Error('Postgres did not tell the time');
  return row.now;
}

/** Runs with their ids and times, as they are to be stored. Ids are UUIDs. */
export interface DraftedRuns {
  readonly messageId: string;
  readonly createdAt: Date;
  /** None of an event that no channel takes, where the environment stores it. */
  readonly runs: readonly CreatedRun[];
}

/**
 * Turns plans into runs dated `now`: `scheduled` where the time is still ahead, else `queued` and due at once. A scheduled
 * run is not held before its time.
 * @param messageId of the message that is replayed; a new one when left out
 */
export function draftRuns(
  planned: readonly PlannedRun[],
  { now, scheduleAt = null, messageId }: { now: Date; scheduleAt?: Date | null; messageId?: string },
): DraftedRuns {
  const newId = createUuidV7Source(() => now.getTime());
  const ahead = scheduleAt !== null && scheduleAt > now;
  return {
    messageId: messageId ?? newId(),
    createdAt: now,
    runs: planned.map((run) => ({
      ...run,
      id: newId(),
      status: ahead ? 'scheduled' : 'queued',
      scheduledAt: ahead ? scheduleAt : null,
      isHeld: !ahead && run.isHeld === true,
    })),
  };
}

/**
 * The new runs to enqueue after the commit.
 * @param behind ids of those that wait for their turn
 */
export function runsToEnqueue(
  { runs, createdAt }: DraftedRuns,
  behind: ReadonlySet<string> = new Set(),
): RunToEnqueue[] {
  return runs
    .filter(({ id, isHeld }) => !isHeld && !behind.has(id))
    .map((run) => ({
      runId: run.id,
      channelKind: run.channel.kind,
      attempt: 1,
      delayMs: run.scheduledAt ? run.scheduledAt.getTime() - createdAt.getTime() : 0,
    }));
}

/**
 * Concurrent transactions of one kind per process, for those that are not batched. More would wait for connections
 * and time out; queued, each begins when its turn comes.
 */
export const TRANSACTION_LANES = { maxItems: 1, maxInFlight: 4, isItemError: () => false } as const;
