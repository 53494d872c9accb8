import { setTimeout as wait } from 'node:timers/promises';
import { countFailed, countOwnExits } from './answers.ts';
import { expectFirstAttempts } from './first-attempts.ts';
import { compareAnswers, type Stretch } from './outage.ts';
import { acceptAll, type Context, type Scenario } from './scenario.ts';
import { underLoad, untilWarm } from './steps.ts';

/** The lengths of the outages, in seconds. The short form leaves out the last. */
const OUTAGES_S = [1, 20, 120];
const DOWN_AT_START_MS = 3_000;
const BETWEEN_MS = 1_000;

/** All events are accepted at the first try, and delivered while Redis is away. */
export function redisDown(): Scenario {
  const away: Stretch[] = [];
  let warmAt = 0;

  /** Leaves Redis away for a while, and starts it again. */
  async function outage({ stack }: Context, awayMs: number): Promise<void> {
    const from = Date.now();
    await wait(awayMs);
    away.push({ from, to: Date.now() });
    await stack.redis.start();
  }

  return {
    number: 4,
    name: 'redis-down',
    fault: 'Redis down when everything starts, and under load',
    shortSeconds: 56,
    rounds: 'outages',
    measured: ['p99_first_attempt_ms', 'p95_answer_in_outage_ms'],
    isExactlyOnce: true,
    stack: { redisAtStart: false },
    treat: acceptAll,
    async run(context) {
      const { stack, driver, amount, expect } = context;
      await underLoad(context, async (answered) => {
        await outage(context, DOWN_AT_START_MS);
        warmAt = await untilWarm(context, answered);
        for (const seconds of OUTAGES_S.slice(0, amount(2, 3))) {
          await wait(BETWEEN_MS);
          await stack.redis.crash();
          await outage(context, seconds * 1_000);
        }
      });
      const refused = countFailed(driver.ledger);
      expect(refused === 0, `events are accepted all the time; ${refused} requests were not`);
      return {
        outages: away.length,
        own_exits: countOwnExits(context),
        ...compareAnswers(context, away),
      };
    },
    afterDrain: (context, ledgers) => expectFirstAttempts(context, ledgers, { warmAt, away }),
  };
}
