import { setTimeout as wait } from 'node:timers/promises';
import type { EventToSend } from '../driver/client.ts';
import { startLoad } from '../driver/load.ts';
import { lateness } from './lateness.ts';
import { type Context, type Scenario, takeAll } from './scenario.ts';

const RUNS = { short: 300, long: 100_000 };
/** Sent at once before the others, to see how many this machine accepts in a second. */
const PROBES = { short: 100, long: 2_000 };
const REQUESTS_IN_FLIGHT = 32;
/** How much longer than measured the acceptance may take, and at least. */
const MARGIN = 2;
const LEAST_MARGIN_MS = 2_000;

/** Events that are accepted in a second. */
async function measureRate({ driver, random, amount }: Context): Promise<number> {
  const events = amount(PROBES.short, PROBES.long);
  const began = performance.now();
  await startLoad({ driver, random, events, concurrency: REQUESTS_IN_FLIGHT }).done;
  return events / ((performance.now() - began) / 1_000);
}

/** However many runs fall due in one second: all are sent, none early. How late the last one is, is reported. */
export const sameSecond: Scenario = {
  number: 14,
  name: 'same-second',
  fault: 'many runs scheduled for the same second',
  isMeasuring: true,
  rounds: 'scheduled_runs',
  measured: ['accepted_per_second', 'median_lateness_ms', 'longest_lateness_ms'],
  stack: { email: false },
  treat: takeAll,
  async run(context) {
    const { driver, random, amount, expect } = context;
    const events = amount(RUNS.short, RUNS.long);
    const rate = await measureRate(context);
    const aheadMs = LEAST_MARGIN_MS + MARGIN * (events / rate) * 1_000;
    const scheduleAt = new Date(Math.ceil((Date.now() + aheadMs) / 1_000) * 1_000);
    const vary = (event: EventToSend) => ({ ...event, scheduleAt });
    const began = performance.now();
    await startLoad({ driver, random, events, concurrency: REQUESTS_IN_FLIGHT, vary }).done;
    const seconds = (performance.now() - began) / 1_000;
    const leftMs = scheduleAt.getTime() - Date.now();
    expect(leftMs > 0, `all events are accepted before their time; ${-leftMs} ms were missing`);
    await wait(Math.max(0, leftMs));
    return { accepted_per_second: Math.round(events / seconds) };
  },
  afterDrain: (_, ledgers) => lateness(ledgers),
};
