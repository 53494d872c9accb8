import { setTimeout as wait } from 'node:timers/promises';
import { startLoad } from '../driver/load.ts';
import { type Scenario, takeSlowly } from './scenario.ts';

const KILLS_PER_SCALE = 10;
/** Sent in one go around each kill, which so finds requests at every stage. */
const EVENTS_PER_KILL = 100;
const REQUESTS_IN_FLIGHT = 32;
const LATEST_KILL_MS = 200;

/** No acknowledged event is lost, and repeating a request with its key creates nothing new. */
export const killApis: Scenario = {
  number: 1,
  name: 'kill-apis',
  fault: 'kill -9 of API processes under load',
  treat: takeSlowly,
  async run({ stack, driver, random, scale }) {
    const kills = KILLS_PER_SCALE * scale;
    for (let count = 0; count < kills; count += 1) {
      const load = startLoad({ driver, random, events: EVENTS_PER_KILL, concurrency: REQUESTS_IN_FLIGHT });
      const api = random.pick(stack.apis);
      await wait(random.between(0, LATEST_KILL_MS));
      await api.kill();
      await api.start();
      await load.done;
    }
    const replayed = driver.ledger.requests.filter(({ answer }) => answer?.replayed).length;
    return { kills, events: kills * EVENTS_PER_KILL, replayed_answers: replayed };
  },
};
