import type { PolledChannel } from '@postrider/db';
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
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;
  let round: Promise<void> = Promise.resolve();

  function after(ms: number, action: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      action();
    }, ms);
    timers.add(timer);
  }

  /** Returns the pause until the next round, which is about as long as the one before this round. */
  async function pollOnce(pausedMs: number): Promise<number> {
    const beganAt = monotonicMs();
    let late = 0;
    try {
      const aheadMs = Math.max(PAUSE_MS, pausedMs);
      const found = await poll({ without: scheduler.active(), aheadMs, limit: MAX_CHANNELS });
      for (const { channelId, dueInMs, hasMaxInFlight } of isStopped ? [] : found) {
        if (dueInMs < -LATE_MS && !hasMaxInFlight) late += 1;
        if (dueInMs <= 0) scheduler.wake(channelId, null);
        else after(dueInMs, () => scheduler.wake(channelId, null));
      }
      if (late > 0) onLate(late);
    } catch (error) {
      onError(error);
    }
    const forRound = Math.min(MAX_PAUSE_MS, PAUSE_PER_ROUND * (monotonicMs() - beganAt));
    return Math.max(PAUSE_MS * (1 - jitter() / 2), forRound);
  }

  function schedule(pauseMs: number): void {
    if (isStopped) return;
    after(pauseMs, () => {
      round = pollOnce(pauseMs).then(schedule);
    });
  }
  schedule(PAUSE_MS * jitter());

  return {
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await round;
    },
  };
}
