import type { EventToSend } from '../driver/client.ts';
import { startLoad } from '../driver/load.ts';
import { lateness } from './lateness.ts';
import { type Scenario, takeAll } from './scenario.ts';

const HOUR_MS = 3_600_000;
const EVENTS = { short: 60, long: 3_000 };
/** How far ahead events are scheduled. */
const AHEAD_MS = { least: 1_000, most: 5_000 };

/** Schedules follow the database's clock, whatever time the processes believe it is: none early. */
export const wrongClocks: Scenario = {
  number: 8,
  name: 'wrong-clocks',
  fault: 'clocks of the processes an hour ahead and behind, with scheduled events',
  measured: ['earliest_ms', 'median_lateness_ms', 'longest_lateness_ms'],
  isExactlyOnce: true,
  stack: { clockOffsetsMs: [HOUR_MS, -HOUR_MS] },
  treat: takeAll,
  async run({ driver, random, amount }) {
    const events = amount(EVENTS.short, EVENTS.long);
    const vary = (event: EventToSend) => ({
      ...event,
      scheduleAt: new Date(Date.now() + random.between(AHEAD_MS.least, AHEAD_MS.most)),
    });
    await startLoad({ driver, random, events, concurrency: 16, vary }).done;
    return {};
  },
  afterDrain: (_, { database }) => lateness(database.runs),
};
