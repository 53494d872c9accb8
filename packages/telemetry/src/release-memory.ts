import { Session } from 'node:inspector/promises';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Logger } from './logger.ts';

/** Time between two looks at the process, in milliseconds. */
const LOOK_MS = 1_000;
const MIB = 1_048_576;

/** When memory is released. */
export const RELEASE_LIMITS = {
  /** Growth since the last release, in bytes: less is not worth a pause. */
  growthBytes: 64 * MIB,
  /** Share of its time for which the event loop works: the process is busy above it, and quiet below. */
  utilization: 0.3,
  /** Looks in a row at which it is quiet. */
  quietLooks: 2,
  /** Releases in a row. */
  releases: 5,
  /** Looks until one more release is allowed: a load that comes and goes costs one pause in that time. */
  refillLooks: 180,
} as const;

/** A look at the process: resident bytes, and the share of the time since the last look for which the event loop worked. */
export interface Look {
  readonly residentBytes: number;
  readonly utilization: number;
}

/**
 * Decides at which looks memory is released: when the process was busy, has grown, and is quiet again. No pause is added
 * under load, nor in a process that is always quiet: it grows slowly, as V8 has it, and shrinks by itself.
 */
export function createReleaseDecision(): (look: Look) => boolean {
  const { growthBytes, utilization: busyAbove, quietLooks, releases, refillLooks } = RELEASE_LIMITS;
  let floor = Number.POSITIVE_INFINITY;
  let wasBusy = false;
  let quiet = 0;
  let hasReleased = false;
  let allowed: number = releases;
  return ({ residentBytes, utilization }) => {
    allowed = Math.min(releases, allowed + 1 / refillLooks);
    // The first look after a release says what could not be released.
    floor = hasReleased ? residentBytes : Math.min(floor, residentBytes);
    hasReleased = false;
    const isBusy = utilization > busyAbove;
    quiet = isBusy ? 0 : quiet + 1;
    wasBusy ||= isBusy;
    if (!wasBusy || quiet < quietLooks || allowed < 1 || residentBytes - floor <= growthBytes) return false;
    allowed -= 1;
    wasBusy = false;
    hasReleased = true;
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
