import { type Database, findOverdueRuns } from '@postrider/db';
import { CHANNEL_KINDS, generationOf, type Producer } from '@postrider/queue';

/** A run is given this long to be taken up by the job that was added when it was accepted. */
const GRACE_MS = 1_000;
/** Jobs that may wait in one queue before the sweeper adds no more: 5,000 cost Redis some 5 MB. */
const HIGH_WATER_MARK = 5_000;
/** A process takes up the further runs of a busy channel by itself, so one round need not bring them all. */
const PER_CHANNEL = 1_000;

/** How many more jobs fit; 0 while Redis does not answer. */
async function room(producer: Producer): Promise<number> {
  const waiting = await Promise.all(CHANNEL_KINDS.map((kind) => producer.waiting(kind)));
  if (waiting.includes(null)) return 0;
  return Math.max(0, HIGH_WATER_MARK - Math.max(...waiting.map((count) => count ?? 0)));
}

/**
 * Re-enqueues what is due and that nobody has taken: the safety net under every enqueue that failed and every job that Redis lost.
 * A run whose job still waits keeps it, because the job's id is the same.
 */
export async function sweepDueRuns({ db, producer }: { db: Database; producer: Producer }): Promise<void> {
  const limit = await room(producer);
  if (limit === 0) return;
  const runs = await findOverdueRuns(db, { graceMs: GRACE_MS, perChannel: PER_CHANNEL, limit });
  if (runs.length === 0) return;
  await producer.enqueue(
    runs.map(({ overdueMs, ...run }) => ({ ...run, generation: generationOf(overdueMs) })),
  );
}
