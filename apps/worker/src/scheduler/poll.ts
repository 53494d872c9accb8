import type { PolledChannel } from '@postrider/db';
import { startLoop } from '../sweeps/loop.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * The longest pause between two rounds, in milliseconds; the jitter shortens it by up to half. It is the same while Redis is
 * away: a connection that fell silent is noticed only after seconds, and the first attempts must not wait for that.
 */
const PAUSE_MS = 400;
/**
 * A channel whose run was due, and allowed by its rate, for this long shows that wake-ups are missing, or that workers react to them
 * too late. A channel whose open attempts are limited shows nothing: a worker that was not woken may be the first to find that an
 * attempt has ended.
 */
const LATE_MS = 250;
/**
 * The pause is at least this many times as long as the round before, up to a bound: beside an old transaction rounds take ever
 * longer, and a run whose wake-up is missing would wait without one.
 */
const PAUSE_PER_ROUND = 10;
const MAX_PAUSE_MS = 5_000;
/** Channels per round. Those that have work here are left out of the next. */
const MAX_CHANNELS = 2_000;

interface PollDeps {
  readonly poll: (options: {
    readonly without: readonly string[];
    readonly aheadMs: number;
    readonly limit: number;
  }) => Promise<readonly PolledChannel[]>;
  readonly scheduler: Pick<Scheduler, 'wake' | 'active'>;
  /** Called with the number of channels whose wake-ups were missing. */
  readonly onLate: (channels: number) => void;
  readonly onError: (error: unknown) => void;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

/**
 * Asks PostgreSQL again and again which channels have work, and wakes them: the only thing that finds a run whose wake-up is
 * missing. While Redis is away, deliveries start by it alone. Also finds runs just before they are due, so schedules beyond the
 * horizon of jobs start on time.
 */
export function startPoll(deps: PollDeps): { stop(): Promise<void> } {
  const { poll, scheduler, onLate, onError, jitter, monotonicMs } = deps;
  /** Timers that wake the channels of runs that are due before the next round. */
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;

  function wakeAfter(ms: number, channelId: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      scheduler.wake(channelId, null);
    }, ms);
    timers.add(timer);
  }

  const loop = startLoop(PAUSE_MS * jitter(), async (pausedMs) => {
    const beganAt = monotonicMs();
    let late = 0;
    try {
      // The pause after this round is about as long as the one before it.
      const aheadMs = Math.max(PAUSE_MS, pausedMs);
      const found = await poll({ without: scheduler.active(), aheadMs, limit: MAX_CHANNELS });
      for (const { channelId, dueInMs, hasMaxInFlight } of isStopped ? [] : found) {
        if (dueInMs < -LATE_MS && !hasMaxInFlight) late += 1;
        if (dueInMs <= 0) scheduler.wake(channelId, null);
        else wakeAfter(dueInMs, channelId);
      }
      if (late > 0) onLate(late);
    } catch (error) {
      onError(error);
    }
    const forRound = Math.min(MAX_PAUSE_MS, PAUSE_PER_ROUND * (monotonicMs() - beganAt));
    return Math.max(PAUSE_MS * (1 - jitter() / 2), forRound);
  });

  return {
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await loop.stop();
    },
  };
}
