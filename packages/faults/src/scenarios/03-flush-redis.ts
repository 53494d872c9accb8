import { setTimeout as wait } from 'node:timers/promises';
import { startLoad } from '@postrider/rig';
import { untilDrained } from '../drain.ts';
import { countExtraSends } from './answers.ts';
import { acceptAll, type Context, type Scenario } from './scenario.ts';
import { underLoad, untilNextSend } from './steps.ts';

const FLUSHES = { short: 2, long: 20 };
const FLUSH_EVERY_MS = 5_000;
/** The number of due runs that wait when Redis loses their jobs; an event has two. */
const BACKLOG_RUNS = { short: 1_000, long: 10_000 };
const REQUESTS_IN_FLIGHT = 16;
/** The time until deliveries of a backlog resume, per 10,000 due runs. */
const RESUME_MS = 5_000;

/** Builds up a backlog while the workers are suspended, wipes Redis, resumes the workers and waits until they send. */
async function flushBacklog(context: Context): Promise<{ backlog: number; resumedMs: number }> {
  const { stack, driver, random, amount, expect } = context;
  const backlog = amount(BACKLOG_RUNS.short, BACKLOG_RUNS.long);
  await untilDrained(stack.db);
  for (const worker of stack.workers) worker.pause();
  await startLoad({ driver, random, events: backlog / 2, concurrency: REQUESTS_IN_FLIGHT }).done;
  const lost = await stack.redis.flush();
  expect(lost > 0, `the wake-ups of a backlog of ${backlog} runs are lost`);
  const resumed = untilNextSend(context);
  for (const worker of stack.workers) worker.resume();
  return { backlog, resumedMs: await resumed };
}

/** Nothing is lost, nothing is sent twice, and a backlog is delivered soon after Redis has lost it. */
export const flushRedis: Scenario = {
  number: 3,
  name: 'flush-redis',
  fault: 'Redis FLUSHALL every 5 s under load, and of a whole backlog',
  isMeasuring: true,
  rounds: 'flushes',
  measured: ['backlog', 'resumed_ms', 'extra_sends'],
  isExactlyOnce: true,
  treat: acceptAll,
  async run(context) {
    const { stack, amount, expect } = context;
    const flushes = amount(FLUSHES.short, FLUSHES.long);
    let lost = 0;
    await underLoad(
      context,
      async () => {
        for (let count = 0; count < flushes; count += 1) {
          await wait(FLUSH_EVERY_MS);
          lost += await stack.redis.flush();
        }
      },
      { isMixed: true },
    );
    expect(lost > 0, 'wake-ups were lost while events came in');
    const { backlog, resumedMs } = await flushBacklog(context);
    const allowed = RESUME_MS * Math.max(1, backlog / 10_000);
    expect(resumedMs <= allowed, `a backlog flows again within ${allowed} ms; it took ${resumedMs} ms`);
    return { flushes, lost_wake_ups: lost, backlog, resumed_ms: resumedMs };
  },
  afterDrain({ expect }, ledgers) {
    const extra = countExtraSends(ledgers);
    expect(extra === 0, `no run is sent more than once; there were ${extra} sends too many`);
    return { extra_sends: extra };
  },
};
