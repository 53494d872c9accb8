import { createUuidV7Source } from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import { BatcherOverloadedError } from '../batcher.ts';
import type { AnyClient } from '../client.ts';
import type { CreatedRun, PlannedRun, RunToEnqueue } from './types.ts';

/**
 * Starts an accepting transaction: limits its waits for locks and returns the database's time in whole milliseconds,
 * which dates everything in the transaction. Process clocks are not used.
 */
export async function beginAccepting(tx: AnyClient, lockTimeoutMs: number): Promise<Date> {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true), date_trunc('milliseconds', now()) AS now`;
  if (!row) throw new Error('PostgreSQL returned no time');
  return row.now;
}

/** New runs with their ids and times. Ids are UUIDs. */
export interface DraftedRuns {
  readonly messageId: string;
  readonly createdAt: Date;
  /** Empty for an event without channels, if the environment stores such events. */
  readonly runs: readonly CreatedRun[];
}

/**
 * Turns planned runs into runs dated `now`: `scheduled` if their time is in the future, otherwise `queued` and due at
 * once. A scheduled run is not held before its time.
 * @param messageId id of the replayed message; a new one if left out
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
 * @param behind ids of the runs that wait for earlier runs of their ordering key
 */
export function runsToEnqueue(
  { runs, createdAt }: DraftedRuns,
  behind: ReadonlySet<string> = new Set(),
): RunToEnqueue[] {
  return runs
    .filter(({ id, isHeld }) => !isHeld && !behind.has(id))
    .map((run) => ({
      runId: run.id,
      channelId: run.channel.id,
      channelKind: run.channel.kind,
      delayMs: run.scheduledAt ? run.scheduledAt.getTime() - createdAt.getTime() : 0,
      dueMs: (run.scheduledAt ?? createdAt).getTime(),
    }));
}

/** The waiting transactions are requests, of which there are fewer than connections of clients. */
const LANES = { total: 4, perOwner: 2, maxWaiting: 10_000, maxWaitingPerOwner: 10_000 };

/**
 * Limits concurrent transactions per process for work that is not batched, with owners in turn. Unlimited, they would
 * wait for connections and time out; queued, each starts when its turn comes.
 */
export function createLanes(): <Result>(owner: string, work: () => Promise<Result>) => Promise<Result> {
  const lanes = createFairSemaphore(LANES);
  return async (owner, work) => {
    const permit = await lanes.acquire({ owner });
    if (!permit) throw new BatcherOverloadedError();
    return work().finally(permit.release);
  };
}
