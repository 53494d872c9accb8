import { describe, expect, it } from '@postrider/testing';
import { createEventBodies, EVENT_KEY, referenceIn } from '../src/load/event-body.ts';
import { createArrivals } from '../src/receivers.ts';

describe('the events of a load', () => {
  it.each([307, 4_096, 65_536])('have about the given size: %d bytes', (bytes) => {
    const body = createEventBodies({ eventKey: EVENT_KEY, bytes, schedule: null })(1);
    expect(Math.abs(body.length - bytes)).toBeLessThan(60);
    expect(JSON.parse(body)).toMatchObject({ event_key: EVENT_KEY, payload: { reference: 1 } });
  });

  it('are identified by their number, also in deliveries', () => {
    const body = createEventBodies({ eventKey: EVENT_KEY, bytes: 307, schedule: null })(90_000_001);
    expect(referenceIn(JSON.stringify({ type: EVENT_KEY, data: JSON.parse(body) }))).toBe(90_000_001);
    expect(referenceIn('{}')).toBeNull();
  });

  it('are due at a constant rate', () => {
    const schedule = { fromMs: Date.UTC(2026, 10, 21), spreadMs: 1_000, firstReference: 50, events: 4 };
    const bodyOf = createEventBodies({ eventKey: EVENT_KEY, bytes: 307, schedule });
    const due = [50, 51, 52, 53].map((reference) => JSON.parse(bodyOf(reference)).schedule_at);
    expect(due).toEqual(['00.000', '00.250', '00.500', '00.750'].map((at) => `2026-11-21T00:00:${at}Z`));
  });
});

describe('the receivers', () => {
  it('distinguish first arrivals, duplicates and unexpected deliveries', () => {
    const arrivals = createArrivals();
    arrivals.expect({ firstReference: 10, events: 3 });
    for (const [reference, atMs] of [
      [10, 1],
      [12, 2],
      [10, 3],
      [9, 4],
      [13, 5],
      [null, 6],
    ] as const) {
      arrivals.note(reference, atMs);
    }
    expect(arrivals.count()).toEqual({ distinct: 2, duplicates: 1, foreign: 3, lastAtMs: 2 });
    expect([...arrivals.times()]).toEqual([1, Number.NaN, 2]);
  });
});
