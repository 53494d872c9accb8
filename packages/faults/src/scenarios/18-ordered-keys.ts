import { groupBy } from '@postrider/domain';
import { acceptSlowly, type Scenario } from './scenario.ts';
import { killWhileOpen, underLoad } from './steps.ts';

const KEYS = { short: 8, long: 100 };
const KILLS = { short: 6, long: 200 };
/** After how many kills of workers Redis is wiped, and after how many an API process is killed. */
const FLUSH_EVERY = 3;
const KILL_API_EVERY = 4;
/** A key has one open run at a time, so more events would only wait. */
const PAUSE_MS = 250;

/**
 * Runs of each key are sent one at a time in the order of acceptance, whatever crashes. The checker compares attempts
 * and arrivals with the sequences, as in every scenario.
 */
export const orderedKeys: Scenario = {
  number: 18,
  name: 'ordered-keys',
  fault: 'kill -9 of workers and APIs, and Redis FLUSHALL, while ordered runs are sent',
  shortSeconds: 77,
  rounds: 'kills',
  measured: ['keys', 'ordered_runs', 'lost_attempts'],
  stack: { workers: 3, email: false, ordered: true },
  treat: (random) => ({ ...acceptSlowly(random), delayMs: random.between(20, 120) }),
  async run(context) {
    const { stack, random, amount } = context;
    const keys = amount(KEYS.short, KEYS.long);
    const kills = amount(KILLS.short, KILLS.long);
    const whileDown = async (count: number) => {
      if (count % FLUSH_EVERY === 0) await stack.redis.flush();
      if (count % KILL_API_EVERY !== 0) return;
      const api = random.pick(stack.apis);
      await api.kill();
      await api.start();
    };
    await underLoad(context, () => killWhileOpen(context, { kills, whileDown }), {
      pauseMs: PAUSE_MS,
      vary: (event) => ({ ...event, orderingKey: `key-${Math.floor(random.next() * keys)}` }),
    });
    return { kills, keys };
  },
  afterDrain({ expect }, { database }) {
    const ordered = database.runs.filter(({ place }) => place !== null);
    const byKey = groupBy(ordered, ({ place }) => place?.key ?? '');
    const longest = Math.max(0, ...[...byKey.values()].map((runs) => runs.length));
    expect(ordered.length === database.runs.length, 'every run has a place');
    expect(longest > 1, 'runs of one key waited for each other');
    const lost = ordered
      .flatMap(({ attempts }) => attempts)
      .filter(({ errorCode }) => errorCode === 'worker_lost');
    expect(lost.length > 0, 'attempts were open at a kill');
    return { ordered_runs: ordered.length, lost_attempts: lost.length };
  },
};
