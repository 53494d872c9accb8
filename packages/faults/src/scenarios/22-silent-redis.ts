import { countFailed } from './answers.ts';
import { compareAnswers } from './outage.ts';
import { acceptAll, type Scenario } from './scenario.ts';
import { fallSilent } from './silence.ts';

/**
 * A consumer gives up its connections after 15 s without an answer (`apps/worker/src/consumer.ts`), the producer after 5 s.
 * Then they connect within half a second, and a sweep adds the runs that were not enqueued.
 */
const RESUME_MS = { connections: 22_000, network: 10_000, server: 10_000 };

/** All events are accepted at the first try, and delivery resumes without a restart. */
export const silentRedis: Scenario = {
  number: 22,
  name: 'silent-redis',
  fault: 'Redis silent after a quiet period: its connections, the network, SIGSTOP',
  shortSeconds: 150,
  rounds: 'silences',
  measured: ['resumed_ms', 'p95_answer_in_outage_ms'],
  isExactlyOnce: true,
  stack: { storesThroughProxies: true },
  treat: acceptAll,
  async run(context) {
    const { driver, expect } = context;
    const { figures, stretches } = await fallSilent(context, { store: 'redis', resumeMs: RESUME_MS });
    const refused = countFailed(driver.ledger);
    expect(refused === 0, `events are accepted all the time; ${refused} requests were not`);
    return { ...figures, ...compareAnswers(context, stretches) };
  },
};
