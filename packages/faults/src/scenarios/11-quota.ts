import { setTimeout as wait } from 'node:timers/promises';
import { startLoad } from '@postrider/rig';
import { acceptSlowly, type Scenario } from './scenario.ts';

const QUOTA = 500;
const REQUESTS = 1_000;
const KILLS = 3;

/**
 * With 500 events left, exactly 500 of 1,000 are accepted, counted and stored, although API processes are killed
 * meanwhile.
 */
export const quota: Scenario = {
  number: 11,
  name: 'quota',
  fault: '1,000 requests at once on a quota of 500, with kill -9 of API processes',
  shortSeconds: 53,
  rounds: 'kills',
  measured: ['refused'],
  mayRefuse: true,
  stack: { workers: 1, eventsPerMonth: QUOTA },
  treat: acceptSlowly,
  async run({ stack, driver, random, expect }) {
    const load = startLoad({ driver, random, events: REQUESTS, concurrency: REQUESTS });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const api = random.pick(stack.apis);
      await wait(random.between(50, 300));
      await api.kill();
      await api.start();
    }
    await load.done;
    const messages = await stack.db.message.count();
    expect(messages === QUOTA, `${QUOTA} are accepted; ${messages} were`);
    const refused = driver.ledger.requests.filter(({ answer }) => answer?.status === 402);
    expect(refused.length === REQUESTS - QUOTA, `${REQUESTS - QUOTA} are refused; ${refused.length} were`);
    expect(
      driver.ledger.requests.some(({ answer }) => answer === null),
      'requests were open, or sent, when an API process was killed',
    );
    return { kills: KILLS, messages, refused: refused.length };
  },
};
