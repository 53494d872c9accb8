import { setTimeout as wait } from 'node:timers/promises';
import { countFailed } from './answers.ts';
import { expectFirstAttempts } from './first-attempts.ts';
import { compareAnswers, type Stretch } from './outage.ts';
import { acceptAll, type Scenario } from './scenario.ts';
import { underLoad, untilWarm } from './steps.ts';

/** How long Redis is away, in seconds. */
const AWAY_S = { short: 25, long: 600 };
/** How long it is silent, in seconds: longer than its clients wait for an answer. */
const SILENT_S = { short: 15, long: 60 };
/** Under load with Redis, before and after. */
const AROUND_MS = 5_000;

/** Everything is accepted and delivered while Redis is away for long and while it is silent, at most a second later than usual. */
export function redisAway(): Scenario {
  const away: Stretch[] = [];
  let warmAt = 0;

  async function outage(seconds: number): Promise<void> {
    const from = Date.now();
    await wait(seconds * 1_000);
    away.push({ from, to: Date.now() });
  }

  return {
    number: 23,
    name: 'redis-away',
    fault: 'Redis away for minutes, then silent (SIGSTOP), under load',
    isMeasuring: true,
    rounds: 'outages',
    measured: ['p50_first_attempt_ms', 'p99_first_attempt_ms', 'p99_otherwise_ms'],
    isExactlyOnce: true,
    treat: acceptAll,
    async run(context) {
      const { stack, driver, amount, expect } = context;
      await underLoad(context, async (answered) => {
        warmAt = await untilWarm(context, answered);
        await wait(AROUND_MS);
        await stack.redis.crash();
        await outage(amount(AWAY_S.short, AWAY_S.long));
        await stack.redis.start();
        await wait(AROUND_MS);
        await stack.redis.pause();
        await outage(amount(SILENT_S.short, SILENT_S.long));
        stack.redis.resume();
        await wait(AROUND_MS);
      });
      const refused = countFailed(driver.ledger);
      expect(refused === 0, `events are accepted all the time; ${refused} requests were not`);
      return { outages: away.length, ...compareAnswers(context, away) };
    },
    afterDrain: (context, ledgers) => expectFirstAttempts(context, ledgers, { warmAt, away }),
  };
}
