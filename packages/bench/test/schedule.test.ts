import { describe, expect, it } from '@jest/globals';
import { createArrivalSchedule } from '../src/load/schedule.ts';

describe('constant arrival', () => {
  it('sends as many events as the rate makes in the time, evenly', () => {
    const schedule = createArrivalSchedule(200, 1_000);
    expect(schedule.count).toBe(200);
    expect([0, 1, 199].map(schedule.dueMs)).toEqual([0, 5, 995]);
  });

  it('never finds an event due before its time, and after a stall all that came meanwhile', () => {
    const schedule = createArrivalSchedule(100, 1_000);
    expect([0, 9.99, 10, 500].map(schedule.dueBy)).toEqual([1, 1, 2, 51]);
  });

  it('ends with the last event, however late it is looked at', () => {
    expect(createArrivalSchedule(100, 1_000).dueBy(1e6)).toBe(100);
  });

  it('sends at least one event', () => {
    expect(createArrivalSchedule(0.1, 1_000).count).toBe(1);
  });
});
