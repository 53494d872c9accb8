import { setTimeout as wait } from 'node:timers/promises';
import { NETWORK_FAULTS } from '../stack/fault-proxy.ts';
import { until } from '../until.ts';
import { type Scenario, takeSlowly } from './scenario.ts';
import { underLoad } from './under-load.ts';

/** Longer than an attempt may take. */
const FAULT_MS = 8_000;
const RECOVERY_MS = 60_000;

/** Deadlines hold, every outcome is told apart, and nothing hangs. */
export const badNetwork: Scenario = {
  number: 9,
  name: 'bad-network',
  fault: 'network between worker and receiver, and API and Postgres: stall, reset, half-open, slow',
  stack: { throughProxies: true, email: false },
  treat: takeSlowly,
  async run(context) {
    const { stack, driver, expect } = context;
    let longestMs = 0;
    const events = await underLoad(context, async (answered) => {
      for (const proxy of [stack.receiverProxy, stack.postgresProxy]) {
        for (const fault of NETWORK_FAULTS) {
          proxy?.set(fault);
          await wait(FAULT_MS);
          proxy?.set(null);
          const before = answered();
          const began = performance.now();
          await until(`events are accepted after ${fault}`, RECOVERY_MS, () => answered() > before);
          longestMs = Math.max(longestMs, Math.round(performance.now() - began));
        }
      }
    });
    const unanswered = driver.ledger.requests.filter(({ answer }) => answer === null).length;
    expect(unanswered === 0, `every request is answered; ${unanswered} were not`);
    return { events, longest_recovery_ms: longestMs };
  },
};
