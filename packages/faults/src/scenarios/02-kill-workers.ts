import { LEASE_MARGIN_MS } from '@postrider/db';
import { quantile } from '@postrider/rig';
import { ATTEMPT_TIMEOUT_MS } from '../stack/stack.ts';
import { acceptSlowly, type Scenario } from './scenario.ts';
import { killWhileOpen, underLoad } from './steps.ts';

const KILLS = { short: 4, long: 200 };
/** So many that each of three workers probably has some. */
const OPEN_ATTEMPTS = 6;
/** The pause between two events of a lane: workers that live only some seconds can keep up with this load. */
const PAUSE_MS = 250;
/** A killed worker's runs are released within its lease plus this time. */
const RELEASE_MS = 2_000;

/**
 * Nothing is lost, duplicates only come from attempts that were open at a kill, and lost runs are released soon. The
 * time until the next attempt is reported but has no limit, because the next worker may be killed, too.
 */
export const killWorkers: Scenario = {
  number: 2,
  name: 'kill-workers',
  fault: 'kill -9 of workers under load',
  isMeasuring: true,
  rounds: 'kills',
  measured: ['lost_attempts', 'longest_until_taken_back_ms'],
  stack: { workers: 3 },
  treat: (random) => ({ ...acceptSlowly(random), delayMs: random.between(100, 500) }),
  async run(context) {
    const kills = context.amount(KILLS.short, KILLS.long);
    await underLoad(context, () => killWhileOpen(context, { kills, openAttempts: OPEN_ATTEMPTS }), {
      isMixed: true,
      pauseMs: PAUSE_MS,
    });
    return { kills };
  },
  afterDrain({ expect }, { database }) {
    const lost = database.runs.flatMap(({ attempts }) =>
      attempts.flatMap((attempt, index) =>
        attempt.errorCode === 'worker_lost' && attempt.completedAt !== null
          ? [{ ...attempt, completedAt: attempt.completedAt, next: attempts[index + 1] }]
          : [],
      ),
    );
    const longest = Math.max(0, ...lost.map(({ startedAt, completedAt }) => completedAt - startedAt));
    const waits = lost.flatMap(({ completedAt, next }) => (next ? [next.startedAt - completedAt] : []));
    const allowed = ATTEMPT_TIMEOUT_MS + LEASE_MARGIN_MS + RELEASE_MS;
    expect(longest <= allowed, `lost runs are taken back within ${allowed} ms; one took ${longest} ms`);
    expect(lost.length > 0, 'attempts were open at a kill');
    return {
      lost_attempts: lost.length,
      longest_until_taken_back_ms: longest,
      median_until_next_attempt_ms: quantile(waits, 0.5),
      longest_until_next_attempt_ms: Math.max(0, ...waits),
    };
  },
};
