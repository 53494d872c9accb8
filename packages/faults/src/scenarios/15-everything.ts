import { setTimeout as wait } from 'node:timers/promises';
import { summarise } from '../check/summary.ts';
import { startLoad } from '../driver/load.ts';
import { mixedTraffic } from '../driver/mixed-traffic.ts';
import { groupBy } from '../group-by.ts';
import { restartApi } from './restart.ts';
import { type Context, type Figures, type Scenario, takeSlowly } from './scenario.ts';

const EVENTS = { short: 1_500, long: 100_000 };
/** As many requests as keep two cores busy, with a rest between two of them so that deliveries keep up. */
const LANES = 100;
const PAUSE_MS = 200;
/** Part of the events that make an e-mail, too: those cost several times as much. */
const WITH_EMAIL = 0.25;
const LONGEST_OUTAGE_MS = 3_000;
const PAUSE_BETWEEN_MS = { least: 2_000, most: 5_000 };

type Fault = (context: Context) => Promise<void>;

const FAULTS: Readonly<Record<string, Fault>> = {
  async kill_api({ stack, random }) {
    const api = random.pick(stack.apis);
    await api.kill();
    await api.start();
  },
  async kill_worker({ stack, random }) {
    const worker = random.pick(stack.workers);
    await worker.kill();
    await worker.start();
  },
  restart_api: (context) => restartApi(context, context.random.pick(context.stack.apis)),
  async restart_worker({ stack, random }) {
    const worker = random.pick(stack.workers);
    await worker.stop();
    await worker.start();
  },
  async pause_worker({ stack, random }) {
    const worker = random.pick(stack.workers);
    worker.pause();
    await wait(random.between(500, LONGEST_OUTAGE_MS));
    worker.resume();
  },
  flush_redis: ({ stack }) => stack.redis.flush(),
  async crash_redis({ stack, random }) {
    await stack.redis.crash();
    await wait(random.between(0, LONGEST_OUTAGE_MS));
    await stack.redis.start();
  },
  async crash_postgres({ stack, random }) {
    await stack.postgres.crash();
    await wait(random.between(0, LONGEST_OUTAGE_MS));
    await stack.postgres.start();
  },
};

/** Inflicts one fault after the other until `over`, and lets the last one end. Returns their names. */
async function inflictUntil(over: Promise<void>, context: Context): Promise<string[]> {
  const { random } = context;
  const inflicted: string[] = [];
  let isOver = false;
  const ended = over.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([ended, wait(random.between(PAUSE_BETWEEN_MS.least, PAUSE_BETWEEN_MS.most))]);
    if (isOver) break;
    const name = random.pick(Object.keys(FAULTS));
    await FAULTS[name]?.(context);
    inflicted.push(name);
  }
  await ended;
  return inflicted;
}

const countEach = (names: readonly string[]): Figures =>
  Object.fromEntries([...groupBy(names, (name) => name)].map(([name, group]) => [name, group.length]));

/**
 * One random fault after the other, 2 to 5 s apart: nothing lost, nothing invented, every duplicate
 * attributed.
 */
export const everything: Scenario = {
  number: 15,
  name: 'everything',
  fault: 'every kind of fault, one every 2 to 5 s, under load',
  rounds: 'faults',
  measured: ['unknown_attempts'],
  stack: { workers: 3 },
  treat: takeSlowly,
  async run(context) {
    const { driver, random, amount } = context;
    const { vary, afterwards } = mixedTraffic(driver, random);
    const load = startLoad({
      driver,
      random,
      events: amount(EVENTS.short, EVENTS.long),
      concurrency: LANES,
      pauseMs: PAUSE_MS,
      vary: (event, index) =>
        vary(random.next() < WITH_EMAIL ? event : { ...event, eventKey: 'order.paid' }, index),
      afterwards,
    });
    const inflicted = await inflictUntil(load.done, context);
    return { faults: inflicted.length, ...countEach(inflicted) };
  },
  afterDrain: (_, ledgers) => ({ unknown_attempts: summarise(ledgers).unknownAttempts }),
};
