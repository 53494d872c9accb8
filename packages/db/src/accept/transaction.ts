import { createFairSemaphore } from '@postrider/fairness';
import { BatcherOverloadedError } from '../batcher.ts';
import type { AnyClient } from '../client.ts';

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

/** Each waiting transaction is a request, and the connections of clients limit those. */
const CONCURRENCY = { total: 4, perOwner: 2, maxWaiting: 10_000, maxWaitingPerOwner: 10_000 };

/**
 * Limits concurrent transactions per process for work that is not batched, with owners in turn. Unlimited, they would
 * wait for connections and time out; queued, each starts when its turn comes.
 */
export function limitConcurrency(): <Result>(owner: string, work: () => Promise<Result>) => Promise<Result> {
  const semaphore = createFairSemaphore(CONCURRENCY);
  return async (owner, work) => {
    const permit = await semaphore.acquire({ owner });
    if (!permit) throw new BatcherOverloadedError();
    return work().finally(permit.release);
  };
}
