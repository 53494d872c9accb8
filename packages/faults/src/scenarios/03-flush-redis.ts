import { setTimeout as wait } from 'node:timers/promises';
import { startLoad } from '../driver/load.ts';
import { untilNextSend } from './resume.ts';
import { type Scenario, takeAll } from './scenario.ts';
import { underLoad } from './under-load.ts';

const FLUSHES_PER_SCALE = 3;
const FLUSH_EVERY_MS = 5_000;
const BACKLOG_PER_SCALE = 1_000;
/** Deliveries of a backlog begin again this soon, per 10,000 due runs. */
const RESUME_MS = 5_000;

/** Nothing is lost, nothing is sent twice, and a backlog flows again soon after Redis has lost it. */
export const flushRedis: Scenario = {
  number: 3,
  name: 'flush-redis',
  fault: 'Redis FLUSHALL every 5 s under load, and of a whole backlog',
  treat: takeAll,
  async run(context) {
    const { stack, driver, random, scale, expect } = context;
    const flushes = FLUSHES_PER_SCALE * scale;
    const events = await underLoad(context, async () => {
      for (let count = 0; count < flushes; count += 1) {
        await wait(FLUSH_EVERY_MS);
        await stack.redis.flush();
      }
    });

    await Promise.all(stack.workers.map((worker) => worker.stop()));
    const backlog = BACKLOG_PER_SCALE * scale;
    await startLoad({ driver, random, events: backlog, concurrency: 16 }).done;
    await Promise.all(stack.workers.map((worker) => worker.start()));
    await stack.redis.flush();
    const resumedMs = await untilNextSend(context);
    const allowed = RESUME_MS * Math.max(1, (2 * backlog) / 10_000);
    expect(resumedMs <= allowed, `a backlog flows again within ${allowed} ms; it took ${resumedMs} ms`);
    return { flushes, events, backlog, resumed_ms: resumedMs };
  },
  afterDrain({ expect }, { receivers, database }) {
    expect(receivers.length === database.runs.length, 'no run was sent more than once');
    return {};
  },
};
