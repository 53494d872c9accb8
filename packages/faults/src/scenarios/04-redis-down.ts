import { setTimeout as wait } from 'node:timers/promises';
import { countFailed, countOwnExits } from './answers.ts';
import { compareAnswers, type Stretch } from './outage.ts';
import { acceptAll, type Context, type Scenario } from './scenario.ts';
import { underLoad, untilNextSend } from './steps.ts';

/** The lengths of the outages, in seconds. The short form leaves out the last. */
const OUTAGES_S = [1, 20, 120];
const DOWN_AT_START_MS = 3_000;
const BETWEEN_MS = 1_000;
/** Delivery resumes within this time after Redis is back. */
const RESUME_MS = 5_000;

/** Stops Redis for a while and starts it again. */
async function outage(
  { stack, expect }: Context,
  awayMs: number,
): Promise<{ away: Stretch; resumedMs: number }> {
  const from = Date.now();
  await wait(awayMs);
  const away = { from, to: Date.now() };
  await stack.redis.start();
  const resumedMs = await untilNextSend({ stack });
  expect(resumedMs <= RESUME_MS, `delivery resumes within ${RESUME_MS} ms; it took ${resumedMs} ms`);
  return { away, resumedMs };
}

/** All events are accepted at the first try, and delivery resumes soon after Redis is back. */
export const redisDown: Scenario = {
  number: 4,
  name: 'redis-down',
  fault: 'Redis down when everything starts, and under load',
  shortSeconds: 56,
  rounds: 'outages',
  measured: ['resumed_ms', 'p95_answer_in_outage_ms'],
  isExactlyOnce: true,
  stack: { redisAtStart: false },
  treat: acceptAll,
  async run(context) {
    const { stack, driver, amount, expect } = context;
    const outages: Awaited<ReturnType<typeof outage>>[] = [];
    await underLoad(context, async () => {
      outages.push(await outage(context, DOWN_AT_START_MS));
      for (const seconds of OUTAGES_S.slice(0, amount(2, 3))) {
        await wait(BETWEEN_MS);
        await stack.redis.crash();
        outages.push(await outage(context, seconds * 1_000));
      }
    });
    const refused = countFailed(driver.ledger);
    expect(refused === 0, `events are accepted all the time; ${refused} requests were not`);
    return {
      outages: outages.length,
      resumed_ms: outages.map(({ resumedMs }) => resumedMs).join(', '),
      own_exits: countOwnExits(context),
      ...compareAnswers(
        context,
        outages.map(({ away }) => away),
      ),
    };
  },
};
