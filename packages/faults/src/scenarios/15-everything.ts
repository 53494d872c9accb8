import { setTimeout as wait } from 'node:timers/promises';
import { type Context, type Scenario, takeSlowly } from './scenario.ts';
import { underLoad } from './under-load.ts';

const SECONDS_PER_SCALE = 60;
const LONGEST_OUTAGE_MS = 3_000;

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

/** One random fault after the other, 2 to 5 s apart: nothing lost, nothing invented, every duplicate attributed. */
export const everything: Scenario = {
  number: 15,
  name: 'everything',
  fault: 'every kind of fault, one every 2 to 5 s, under load',
  treat: takeSlowly,
  async run(context) {
    const { random, scale } = context;
    const inflicted = new Map<string, number>();
    const until = performance.now() + SECONDS_PER_SCALE * 1_000 * scale;
    const events = await underLoad(context, async () => {
      while (performance.now() < until) {
        await wait(random.between(2_000, 5_000));
        const name = random.pick(Object.keys(FAULTS));
        await FAULTS[name]?.(context);
        inflicted.set(name, (inflicted.get(name) ?? 0) + 1);
      }
    });
    return { events, ...Object.fromEntries(inflicted) };
  },
};
