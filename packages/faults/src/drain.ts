import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@postrider/db';
import { countOpenRuns } from './read-ledger.ts';

const POLL_MS = 250;
/** If no run ends within this time, none will: a lost worker's lease and a retry take less. */
const STALLED_MS = 120_000;

/** Waits until all runs have ended or none makes progress any more. The checker reports the rest. */
export async function untilDrained(db: Database): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  while (performance.now() - movedAt < STALLED_MS) {
    const open = await countOpenRuns(db).catch(() => Number.POSITIVE_INFINITY);
    if (open === 0) return;
    if (open < fewest) movedAt = performance.now();
    fewest = Math.min(open, fewest);
    await wait(POLL_MS);
  }
}
