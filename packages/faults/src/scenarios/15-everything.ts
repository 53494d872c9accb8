import { groupBy } from '@postrider/domain';
import { mixedTraffic, startLoad } from '@postrider/rig';
import { summarise } from '../check/summary.ts';
import { countLost } from './answers.ts';
import { inflictUntil } from './random-faults.ts';
import { acceptSlowly, type Figures, type Scenario } from './scenario.ts';
import { type Strike, withoutEffect } from './strikes.ts';

const EVENTS = { short: 600, long: 100_000 };
/**
 * In the long form enough requests to keep two cores busy, with pauses so that deliveries keep up.
 */
const LANES = { short: 12, long: 100 };
const PAUSE_MS = 200;
/** The share of events that also result in an email, which costs several times as much. */
const WITH_EMAIL = 0.25;

const countEach = (names: readonly string[]): Figures =>
  Object.fromEntries([...groupBy(names, (name) => name)].map(([name, group]) => [name, group.length]));

/**
 * Random faults, one every 2 to 5 s, each kind at least once: nothing is lost or invented, and every duplicate is
 * explained.
 */
export function everything(): Scenario {
  const strikes: Strike[] = [];
  return {
    number: 15,
    name: 'everything',
    fault: 'every kind of fault, one every 2 to 5 s, under load',
    shortSeconds: 79,
    rounds: 'faults',
    measured: ['unknown_attempts'],
    stack: { workers: 3, throughProxies: true },
    treat: (random) => ({ ...acceptSlowly(random), delayMs: random.between(100, 500) }),
    async run(context) {
      const { driver, random, amount } = context;
      const { vary, afterwards } = mixedTraffic(driver, random);
      const events = amount(EVENTS.short, EVENTS.long);
      const over = new AbortController();
      const load = startLoad({
        driver,
        random,
        concurrency: amount(LANES.short, LANES.long),
        pauseMs: PAUSE_MS,
        vary: (event, index) =>
          vary(random.next() < WITH_EMAIL ? event : { ...event, eventKey: 'order.paid' }, index),
        afterwards,
        signal: over.signal,
      });
      const isOver = () => load.answered() >= events;
      const inflicted = await inflictUntil(isOver, context, load.answered).finally(() => over.abort());
      await load.done;
      strikes.push(...inflicted.strikes);
      return { faults: inflicted.names.length, ...countEach(inflicted.names) };
    },
    afterDrain({ expect }, ledgers) {
      const { unanswered, answers, unknownAttempts } = summarise(ledgers);
      expect(unanswered > 0, 'requests were open, or sent, when an API process was killed');
      expect((answers[503] ?? 0) > 0, 'requests were answered 503 while Postgres was away');
      expect(countLost(ledgers) > 0, 'attempts were open when a worker was killed or paused');
      for (const problem of withoutEffect(strikes, ledgers)) expect(false, problem);
      return { unknown_attempts: unknownAttempts };
    },
  };
}
