import type { Service } from '@postrider/local-stack/testing';
import { type EventToSend, startLoad } from '@postrider/rig';
import { lateness } from './answers.ts';
import { acceptAll, type Scenario } from './scenario.ts';

const HOUR_MS = 3_600_000;
const EVENTS = { short: 60, long: 3_000 };
/** How far ahead events are scheduled. */
const AHEAD_MS = { least: 1_000, most: 5_000 };

/** Computed from the process's own start time; it has started within the last minutes. */
async function clockOffsetHours(service: Service): Promise<number> {
  const startedAtS = await service.metric('process_start_time_seconds');
  return Math.round((startedAtS * 1_000 - Date.now()) / HOUR_MS);
}

/** Schedules follow the database's clock, not the processes' clocks: no run is early. */
export const wrongClocks: Scenario = {
  number: 8,
  name: 'wrong-clocks',
  fault: 'clocks of the processes an hour ahead and behind, with scheduled events',
  measured: ['earliest_ms', 'median_lateness_ms', 'longest_lateness_ms'],
  isExactlyOnce: true,
  stack: { clockOffsetsMs: [HOUR_MS, -HOUR_MS] },
  treat: acceptAll,
  async run({ stack, driver, random, amount, expect }) {
    for (const kind of [stack.apis, stack.workers]) {
      const offsets = await Promise.all(kind.map(clockOffsetHours));
      expect(
        offsets.join() === '1,-1',
        `clocks are an hour ahead and behind; they are ${offsets.join()} off`,
      );
    }
    const events = amount(EVENTS.short, EVENTS.long);
    const vary = (event: EventToSend) => ({
      ...event,
      scheduleAt: new Date(Date.now() + random.between(AHEAD_MS.least, AHEAD_MS.most)),
    });
    await startLoad({ driver, random, events, concurrency: 16, vary }).done;
    return {};
  },
  afterDrain({ expect }, { database }) {
    // Events that are accepted after their time are not scheduled.
    const figures = lateness(database.runs);
    expect(Number(figures.scheduled_runs) > 0, 'runs were accepted before their time');
    return figures;
  },
};
