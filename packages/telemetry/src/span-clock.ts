/** Wall clocks are set to right by less than this without anybody noticing. */
const TOLERATED_DRIFT_MS = 100;

/**
 * Creates a wall clock in fractions of a millisecond since the epoch, by which what happens within a process
 * stays in order: it counts on steadily, and is set by the machine's clock only when the two have parted.
 */
export function createSpanClock(wallNow = Date.now, monotonicNow = () => performance.now()): () => number {
  let offset = wallNow() - monotonicNow();
  return () => {
    const now = offset + monotonicNow();
    const wall = wallNow();
    if (Math.abs(wall - now) <= TOLERATED_DRIFT_MS) return now;
    offset += wall - now;
    return wall;
  };
}
