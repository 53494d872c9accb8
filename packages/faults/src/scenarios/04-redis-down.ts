import { setTimeout as wait } from 'node:timers/promises';
import { countFailed } from './answers.ts';
import { countOwnExits } from './own-exits.ts';
import { untilNextSend } from './resume.ts';
import { type Context, type Scenario, takeAll } from './scenario.ts';
import { underLoad } from './under-load.ts';

/** The short form leaves out the last. */
const OUTAGES_S = [1, 20, 120];
const DOWN_AT_START_MS = 3_000;
/** Delivery resumes within this of Redis' return. */
const RESUME_MS = 5_000;

async function bringBack({ stack, expect }: Context): Promise<number> {
  await stack.redis.start();
  const resumedMs = await untilNextSend({ stack });
  expect(resumedMs <= RESUME_MS, `delivery resumes within ${RESUME_MS} ms; it took ${resumedMs} ms`);
  return resumedMs;
}

/** Events are accepted all the time, at the first try, and delivery resumes soon after Redis is back. */
export const redisDown: Scenario = {
  number: 4,
  name: 'redis-down',
  fault: 'Redis down when everything starts, and under load',
  rounds: 'outages',
  measured: ['resumed_ms'],
  isExactlyOnce: true,
  stack: { redisAtStart: false },
  treat: takeAll,
  async run(context) {
    const { stack, driver, amount, expect } = context;
    const outages = OUTAGES_S.slice(0, amount(2, 3));
    const resumed: number[] = [];
    await underLoad(context, async () => {
      await wait(DOWN_AT_START_MS);
      resumed.push(await bringBack(context));
      for (const seconds of outages) {
        await wait(1_000);
        await stack.redis.crash();
        await wait(seconds * 1_000);
        resumed.push(await bringBack(context));
      }
    });
    const refused = countFailed(driver.ledger);
    expect(refused === 0, `events are accepted all the time; ${refused} requests were not`);
    return { outages: resumed.length, resumed_ms: resumed.join(', '), own_exits: countOwnExits(context) };
  },
};
