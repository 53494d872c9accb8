import { startLoad } from '../driver/load.ts';
import { lateness } from './lateness.ts';
import { type Scenario, takeAll } from './scenario.ts';

const HOUR_MS = 3_600_000;
const EVENTS_PER_SCALE = 300;

/** Schedules follow the database's clock, whatever time the processes believe it is: none early. */
export const wrongClocks: Scenario = {
  number: 8,
  name: 'wrong-clocks',
  fault: 'clocks of the processes an hour ahead and behind, with scheduled events',
  stack: { clockOffsetsMs: [HOUR_MS, -HOUR_MS] },
  treat: takeAll,
  async run({ driver, random, scale }) {
    const events = EVENTS_PER_SCALE * scale;
    const vary = (event: { reference: string; key: string }) => ({
      ...event,
      scheduleAt: new Date(Date.now() + random.between(1_000, 10_000)),
    });
    await startLoad({ driver, random, events, concurrency: 16, vary }).done;
    return { events };
  },
  afterDrain: (_, ledgers) => lateness(ledgers),
};
