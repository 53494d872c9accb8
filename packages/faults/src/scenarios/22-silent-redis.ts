import { countFailed } from './answers.ts';
import { expectFirstAttempts, type WarmStretches } from './first-attempts.ts';
import { compareAnswers } from './outage.ts';
import { acceptAll, type Scenario } from './scenario.ts';
import { fallSilent } from './silence.ts';

/** All events are accepted at the first try, and delivered while Redis is silent. */
export function silentRedis(): Scenario {
  let measured: WarmStretches = { warmAt: 0, away: [] };
  return {
    number: 22,
    name: 'silent-redis',
    fault: 'Redis silent after a quiet period: its connections, the network, SIGSTOP',
    shortSeconds: 150,
    rounds: 'silences',
    measured: ['p99_first_attempt_ms', 'p95_answer_in_outage_ms'],
    isExactlyOnce: true,
    stack: { storesThroughProxies: true },
    treat: acceptAll,
    async run(context) {
      const { driver, expect } = context;
      const { figures, warmAt, stretches } = await fallSilent(context, { store: 'redis', resumeMs: null });
      measured = { warmAt, away: stretches };
      const refused = countFailed(driver.ledger);
      expect(refused === 0, `events are accepted all the time; ${refused} requests were not`);
      return { ...figures, ...compareAnswers(context, stretches) };
    },
    afterDrain: (context, ledgers) => expectFirstAttempts(context, ledgers, measured),
  };
}
