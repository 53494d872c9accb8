import { startLoad } from '../driver/load.ts';
import { lateness } from './lateness.ts';
import { type Scenario, takeAll } from './scenario.ts';

const EVENTS_PER_SCALE = 1_500;
/** Slower than any machine accepts them, so that all are there before their time. */
const ACCEPTED_PER_SECOND = 50;

/** However many runs fall due in one second: all are sent, none early. How late the last one is, is reported. */
export const sameSecond: Scenario = {
  number: 14,
  name: 'same-second',
  fault: 'many runs scheduled for the same second',
  stack: { email: false },
  treat: takeAll,
  async run({ driver, random, scale, expect }) {
    const events = EVENTS_PER_SCALE * scale;
    const scheduleAt = new Date(Date.now() + (events / ACCEPTED_PER_SECOND) * 1_000);
    const vary = (event: { reference: string; key: string }) => ({ ...event, scheduleAt });
    await startLoad({ driver, random, events, concurrency: 32, vary }).done;
    expect(Date.now() < scheduleAt.getTime(), 'all events are accepted before their time');
    return { events };
  },
  afterDrain: (_, ledgers) => lateness(ledgers),
};
