import { setTimeout as wait } from 'node:timers/promises';
import { RATE_TOLERANCE_MS } from '@postrider/domain';
import type { LedgerAttempt } from '../ledgers.ts';
import { acceptSlowly, type Context, type Scenario } from './scenario.ts';
import { killWhileOpen, underLoad } from './steps.ts';

const LIMITS = { maxPerSecond: 25, maxInFlight: 6 };
const KILLS = { short: 4, long: 200 };
const FLUSH_EVERY = 2;
const PAUSE_MS = 250;
const SPAN_MS = 1_000;
const SAMPLE_MS = 20;

/** The most attempts that began within one second. */
function mostInSecond(attempts: readonly LedgerAttempt[]): number {
  const times = attempts.map(({ startedAt }) => startedAt).sort((one, other) => one - other);
  let most = 0;
  let first = 0;
  for (const [index, at] of times.entries()) {
    while ((times[first] ?? at) < at - SPAN_MS) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/**
 * Polls how many runs have a lease, until `isOver`. The times of attempts do not show this: a claim has the time when
 * its transaction began, which may be before the end of the attempt that made room for it.
 */
async function mostInFlight({ stack }: Context, isOver: () => boolean): Promise<number> {
  let most = 0;
  while (!isOver()) {
    most = Math.max(most, await stack.db.deliveryRun.count({ where: { status: 'running' } }));
    await wait(SAMPLE_MS);
  }
  return most;
}

/** Whatever crashes, no more attempts begin or are open than the channel's limits allow, and no run is left waiting. */
export const limitedChannel: Scenario = {
  number: 19,
  name: 'limited-channel',
  fault: 'kill -9 of workers, and Redis FLUSHALL, while a channel is at its limits',
  shortSeconds: 60,
  rounds: 'kills',
  measured: ['most_in_a_second', 'most_in_flight', 'lost_attempts'],
  stack: { workers: 3, email: false, limits: LIMITS },
  treat: (random) => ({ ...acceptSlowly(random), delayMs: random.between(50, 400) }),
  async run(context) {
    const { stack, amount, expect } = context;
    const kills = amount(KILLS.short, KILLS.long);
    let isOver = false;
    const counting = mostInFlight(context, () => isOver);
    try {
      const whileDown = async (count: number) => {
        if (count % FLUSH_EVERY === 0) await stack.redis.flush();
      };
      await underLoad(
        context,
        () => killWhileOpen(context, { kills, openAttempts: LIMITS.maxInFlight / 2, whileDown }),
        { pauseMs: PAUSE_MS },
      );
    } finally {
      isOver = true;
    }
    const most = await counting;
    expect(most <= LIMITS.maxInFlight, `at most ${LIMITS.maxInFlight} runs are in flight; ${most} were`);
    return { kills, most_in_flight: most };
  },
  afterDrain({ expect }, { database }) {
    const attempts = database.runs.flatMap((run) => run.attempts);
    const inSecond = mostInSecond(attempts);
    // 1 ms more, because stored times are rounded to milliseconds.
    const allowed = Math.floor((LIMITS.maxPerSecond * (SPAN_MS + 1 + RATE_TOLERANCE_MS)) / 1_000 + 1);
    expect(inSecond <= allowed, `at most ${allowed} attempts begin in a second; ${inSecond} did`);
    const lost = attempts.filter(({ errorCode }) => errorCode === 'worker_lost');
    expect(lost.length > 0, 'attempts were open at a kill');
    return { most_in_a_second: inSecond, lost_attempts: lost.length };
  },
};
