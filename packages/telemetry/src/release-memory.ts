import { Session } from 'node:inspector/promises';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Logger } from './logger.ts';

/** Time between two looks at the process, in milliseconds. */
const LOOK_MS = 1_000;
const MIB = 1_048_576;

/** When memory is released. */
export const RELEASE_LIMITS = {
  /** More than is resident when the process is quiet, in bytes: less is not worth a pause. */
  growthBytes: 64 * MIB,
  /** Share of its time for which the event loop works, at most. */
  utilization: 0.3,
  /** Looks in a row at which it is quiet. */
  quietLooks: 2,
  /** Looks after a release before the next one. */
  restLooks: 20,
} as const;

/** A look at the process: resident bytes, and the share of the time since the last look for which the event loop worked. */
export interface Look {
  readonly residentBytes: number;
  readonly utilization: number;
}

/**
 * Decides at which looks memory is released: when the process has grown beyond what it needed when it was quiet, and is quiet
 * again. Under load it never is, and no pause is added.
 */
export function createReleaseDecision(): (look: Look) => boolean {
  let floor = Number.POSITIVE_INFINITY;
  let quiet = 0;
  let rest = 0;
  return ({ residentBytes, utilization }) => {
    quiet = utilization <= RELEASE_LIMITS.utilization ? quiet + 1 : 0;
    // The first look after a release says what cannot be released.
    floor = rest === RELEASE_LIMITS.restLooks ? residentBytes : Math.min(floor, residentBytes);
    if (rest > 0) {
      rest -= 1;
      return false;
    }
    if (quiet < RELEASE_LIMITS.quietLooks || residentBytes - floor <= RELEASE_LIMITS.growthBytes)
      return false;
    rest = RELEASE_LIMITS.restLooks;
    return true;
  };
}

/**
 * Collects all garbage of this process and gives V8's free pages back to the system. The process stands still meanwhile: some
 * 50 to 100 ms for a heap of 60 MB on an idle machine.
 */
export async function releaseMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}

/**
 * Releases memory after each burst. V8 would do so by itself, but not while it believes that the process allocates much: after
 * a burst that is a minute or more, and other work of a few requests a second is enough for it. Does not keep
 * the process alive.
 */
export function startMemoryRelease(logger: Pick<Logger, 'debug' | 'warn'>): void {
  const decide = createReleaseDecision();
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  async function look(): Promise<void> {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const residentBytes = process.memoryUsage.rss();
    if (!decide({ residentBytes, utilization })) return;
    await releaseMemory();
    logger.debug('released memory', { resident_mb: Math.round(residentBytes / MIB) });
  }
  setInterval(() => {
    look().catch((error) => logger.warn('memory could not be released', { error }));
  }, LOOK_MS).unref();
}
