import { setTimeout as wait } from 'node:timers/promises';
import { acceptSlowly, type Scenario } from './scenario.ts';
import { underLoad, untilNextAnswer, untilNextSend } from './steps.ts';
import { NETWORK_FAULTS, type NetworkFault, type Strike, withoutEffect } from './strikes.ts';

/** How long each fault lasts: silence longer than an attempt may take; faults that are noticed at once are short. */
const FAULT_MS: Readonly<Record<NetworkFault, number>> = {
  stall: 6_000,
  half_open: 6_000,
  reset: 2_000,
  slow: 2_000,
};
const PASSES = { short: 1, long: 3 };

const PLACES = ['receivers', 'postgres'] as const;

/** Deadlines hold, outcomes are distinguished, and nothing hangs. */
export function badNetwork(): Scenario {
  const strikes: Strike[] = [];
  return {
    number: 9,
    name: 'bad-network',
    fault: 'network between worker and receiver, and API and Postgres: stall, reset, half-open, slow',
    shortSeconds: 58,
    rounds: 'faults',
    measured: ['longest_recovery_ms', 'slowest_answer_ms'],
    stack: { throughProxies: true, email: false },
    treat: acceptSlowly,
    async run(context) {
      const { stack, driver, amount, expect } = context;
      const proxies = { receivers: stack.receiverProxy, postgres: stack.postgresProxy };
      const passes = Array.from({ length: amount(PASSES.short, PASSES.long) }, () => PLACES).flat();
      let longestMs = 0;
      await underLoad(context, async (answered) => {
        for (const place of passes) {
          for (const fault of NETWORK_FAULTS) {
            // A fault only has an effect while data flows.
            await untilNextSend(context);
            const from = Date.now();
            proxies[place]?.set(fault);
            await wait(FAULT_MS[fault]);
            proxies[place]?.set(null);
            strikes.push({ place, fault, from, to: Date.now() });
            longestMs = Math.max(longestMs, await untilNextAnswer(fault, answered));
          }
        }
      });
      const unanswered = driver.ledger.requests.filter(({ answer }) => answer === null).length;
      expect(unanswered === 0, `every request is answered; ${unanswered} were not`);
      return { faults: strikes.length, longest_recovery_ms: longestMs };
    },
    afterDrain({ expect }, ledgers) {
      for (const problem of withoutEffect(strikes, ledgers)) expect(false, problem);
      return {};
    },
  };
}
