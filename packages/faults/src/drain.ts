import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@postrider/db';
import { countOpenRuns } from './read-ledger.ts';

const POLL_MS = 250;
/** If no run ends for this long, none will: a lost worker's lease and a retry take less. */
const STANDSTILL_MS = 120_000;

/** Waits until no run waits or runs, or nothing moves any more. The checker reports what is left then. */
export async function untilDrained(db: Database): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  while (performance.now() - movedAt < STANDSTILL_MS) {
    const open = await countOpenRuns(db).catch(() => Number.POSITIVE_INFINITY);
    if (open === 0) return;
    if (open < fewest) movedAt = performance.now();
    fewest = Math.min(open, fewest);
    await wait(POLL_MS);
  }
}
