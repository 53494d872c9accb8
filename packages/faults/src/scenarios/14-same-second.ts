import { setTimeout as wait } from 'node:timers/promises';
import { type EventToSend, startLoad } from '@postrider/rig';
import { lateness } from './answers.ts';
import { acceptAll, type Context, type Scenario } from './scenario.ts';

const RUNS = { short: 300, long: 100_000 };
/** Events sent first, to measure how many this machine accepts per second; due after that. */
const PROBES = { short: 100, long: 2_000 };
const PROBES_AHEAD_MS = 3_000;
const REQUESTS_IN_FLIGHT = 32;
/** A safety factor for the time that the acceptance is expected to take. */
const MARGIN = 1.5;

/** Measures accepted events per second. */
async function measureRate({ driver, random, amount }: Context): Promise<number> {
  const events = amount(PROBES.short, PROBES.long);
  const vary = (event: EventToSend) => ({ ...event, scheduleAt: new Date(Date.now() + PROBES_AHEAD_MS) });
  const probe = async () => {
    const began = performance.now();
    await startLoad({ driver, random, events, concurrency: REQUESTS_IN_FLIGHT, vary }).done;
    return events / ((performance.now() - began) / 1_000);
  };
  // Warms up: a process that has just started is slow.
  await probe();
  return probe();
}

/** Many runs are due in one second: all are sent and none is early. The lateness of the last one is reported. */
export const sameSecond: Scenario = {
  number: 14,
  name: 'same-second',
  fault: 'many runs scheduled for the same second',
  isMeasuring: true,
  rounds: 'scheduled_runs',
  measured: ['accepted_per_second', 'median_lateness_ms', 'longest_lateness_ms'],
  isExactlyOnce: true,
  stack: { email: false },
  treat: acceptAll,
  async run(context) {
    const { driver, random, amount, expect } = context;
    const events = amount(RUNS.short, RUNS.long);
    const rate = await measureRate(context);
    const aheadMs = PROBES_AHEAD_MS + MARGIN * (events / rate) * 1_000;
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
  afterDrain({ amount, expect }, { database }) {
    const times = database.runs.map(({ scheduledAt }) => scheduledAt ?? 0);
    const last = times.reduce((latest, time) => Math.max(latest, time), 0);
    const figures = lateness(database.runs.filter(({ scheduledAt }) => scheduledAt === last));
    const events = amount(RUNS.short, RUNS.long);
    expect(
      figures.scheduled_runs === events,
      `each of ${events} events is taken up once; ${figures.scheduled_runs} were`,
    );
    return figures;
  },
};
