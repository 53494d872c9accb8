/** Ordinary corrections of wall clocks are smaller than this. */
const TOLERATED_DRIFT_MS = 100;

/**
 * Creates a wall clock in fractions of a millisecond since the epoch that keeps the events of a process in order: it
 * runs monotonically, and is set to the machine's clock only when the two differ too much.
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
