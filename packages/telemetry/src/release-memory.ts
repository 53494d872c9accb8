import { Session } from 'node:inspector/promises';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Logger } from './logger.ts';

/** Time between two samples of the process, in milliseconds. */
const SAMPLE_MS = 1_000;
const MIB = 1_048_576;

/** When memory is released. */
export const RELEASE_LIMITS = {
  /** Growth since the last release, in bytes: less is not worth a pause. */
  growthBytes: 64 * MIB,
  /** The utilization of the event loop above which the process is busy and below which it is quiet. */
  utilization: 0.3,
  /** Quiet samples in a row before a release. */
  quietSamples: 2,
  /** Releases in a row. */
  releases: 5,
  /** Samples until another release is allowed, so that an intermittent load costs one pause in that time. */
  refillSamples: 180,
} as const;

/** A sample of the process: resident bytes, and the utilization of the event loop since the last sample. */
export interface Sample {
  readonly residentBytes: number;
  readonly utilization: number;
}

/**
 * Creates the decision when to release memory: when the process was busy, has grown, and is quiet again. This adds no
 * pause under load, or in a process that is always quiet, which grows slowly and shrinks by itself.
 */
export function createReleaseDecision(): (sample: Sample) => boolean {
  const { growthBytes, utilization: busyAbove, quietSamples, releases, refillSamples } = RELEASE_LIMITS;
  let floor = Number.POSITIVE_INFINITY;
  let wasBusy = false;
  let quiet = 0;
  let hasReleased = false;
  let allowed: number = releases;
  return ({ residentBytes, utilization }) => {
    allowed = Math.min(releases, allowed + 1 / refillSamples);
    // The first sample after a release shows what could not be released.
    floor = hasReleased ? residentBytes : Math.min(floor, residentBytes);
    hasReleased = false;
    const isBusy = utilization > busyAbove;
    quiet = isBusy ? 0 : quiet + 1;
    wasBusy ||= isBusy;
    if (!wasBusy || quiet < quietSamples || allowed < 1 || residentBytes - floor <= growthBytes) return false;
    allowed -= 1;
    wasBusy = false;
    hasReleased = true;
    return true;
  };
}

/**
 * Collects all garbage of this process and returns V8's free pages to the system. Blocks the process for about 50 to
 * 100 ms with a heap of 60 MB on an idle machine.
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
 * Releases memory after each burst. V8 would do so itself, but only when it considers the process inactive: that takes
 * a minute or more after a burst, and a few requests per second prevent it. It lowers what remains after the burst, not the peak
 * (packages/bench/NOTES.md, "What gained"): without it the API exceeds the bound of the hostile suite after an attack. Does not keep
 * the process alive.
 */
export function startMemoryRelease(logger: Pick<Logger, 'debug' | 'warn'>): void {
  const decide = createReleaseDecision();
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  async function sample(): Promise<void> {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const residentBytes = process.memoryUsage.rss();
    if (!decide({ residentBytes, utilization })) return;
    await releaseMemory();
    logger.debug('released memory', { resident_mb: Math.round(residentBytes / MIB) });
  }
  setInterval(() => {
    sample().catch((error) => logger.warn('memory could not be released', { error }));
  }, SAMPLE_MS).unref();
}
