import { setTimeout as wait } from 'node:timers/promises';
import { NETWORK_FAULTS, type NetworkFault } from '../stack/fault-proxy.ts';
import { untilNextAnswer } from './resume.ts';
import { type Scenario, takeSlowly } from './scenario.ts';
import { underLoad } from './under-load.ts';

/** Silence lasts longer than an attempt may take; what is noticed at once need not last. */
const FAULT_MS: Readonly<Record<NetworkFault, number>> = {
  stall: 6_000,
  half_open: 6_000,
  reset: 2_000,
  slow: 2_000,
};
const PASSES = { short: 1, long: 3 };

/** Deadlines hold, every outcome is told apart, and nothing hangs. */
export const badNetwork: Scenario = {
  number: 9,
  name: 'bad-network',
  fault: 'network between worker and receiver, and API and Postgres: stall, reset, half-open, slow',
  rounds: 'faults',
  measured: ['longest_recovery_ms', 'slowest_answer_ms'],
  stack: { throughProxies: true, email: false },
  treat: takeSlowly,
  async run(context) {
    const { stack, driver, amount, expect } = context;
    const places = [stack.receiverProxy, stack.postgresProxy];
    const passes = Array.from({ length: amount(PASSES.short, PASSES.long) }, () => places).flat();
    let longestMs = 0;
    await underLoad(context, async (answered) => {
      for (const proxy of passes) {
        for (const fault of NETWORK_FAULTS) {
          proxy?.set(fault);
          await wait(FAULT_MS[fault]);
          proxy?.set(null);
          longestMs = Math.max(longestMs, await untilNextAnswer(fault, answered));
        }
      }
    });
    const unanswered = driver.ledger.requests.filter(({ answer }) => answer === null).length;
    expect(unanswered === 0, `every request is answered; ${unanswered} were not`);
    return { faults: passes.length * NETWORK_FAULTS.length, longest_recovery_ms: longestMs };
  },
};
