import { setTimeout as wait } from 'node:timers/promises';
import { mixedTraffic, startLoad } from '@postrider/rig';
import type { ClientLedger } from '../ledgers.ts';
import { acceptSlowly, type Scenario } from './scenario.ts';

const KILLS = { short: 3, long: 100 };
/** Sent at once around each kill, so that it finds requests at every stage. */
const EVENTS_PER_KILL = 100;
const REQUESTS_IN_FLIGHT = 32;
const LATEST_KILL_MS = 200;

/** Requests that were sent before a kill and got no answer. */
const countCutOff = ({ exchanges }: ClientLedger, killedAt: number) =>
  exchanges.filter(
    ({ status, sentAt, tookMs }) => status === null && sentAt < killedAt && sentAt + tookMs >= killedAt,
  ).length;

/** No acknowledged event is lost, and repeating a request with its key creates nothing new. */
export const killApis: Scenario = {
  number: 1,
  name: 'kill-apis',
  fault: 'kill -9 of API processes under load',
  rounds: 'kills',
  measured: ['requests_without_answer', 'replayed_answers'],
  treat: acceptSlowly,
  async run({ stack, driver, random, amount, expect }) {
    const kills = amount(KILLS.short, KILLS.long);
    let cutOff = 0;
    for (let count = 0; count < kills; count += 1) {
      const load = startLoad({
        driver,
        random,
        events: EVENTS_PER_KILL,
        concurrency: REQUESTS_IN_FLIGHT,
        ...mixedTraffic(driver, random),
      });
      const api = random.pick(stack.apis);
      await wait(random.between(0, LATEST_KILL_MS));
      const killedAt = Date.now();
      await api.kill();
      await api.start();
      await load.done;
      cutOff += countCutOff(driver.ledger, killedAt);
    }
    expect(cutOff > 0, 'requests were open at a kill');
    const { requests } = driver.ledger;
    return {
      kills,
      requests_cut_off: cutOff,
      requests_without_answer: requests.filter(({ answer }) => answer === null).length,
      replayed_answers: requests.filter(({ answer }) => answer?.replayed).length,
    };
  },
};
