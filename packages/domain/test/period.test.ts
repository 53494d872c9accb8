import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { periodOf } from '../src/index.ts';

describe('the usage period', () => {
  it.each([
    ['2026-11-21T02:00:00.000Z', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['2026-10-31T23:30:00.000-02:00', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ])('of %s is the calendar month in UTC', (date, start, end) => {
    expect(periodOf(new Date(date))).toEqual({ start: new Date(start), end: new Date(end) });
  });

  it('contains its date, and ends where the next one begins', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9000-01-01'), noInvalidDate: true }), (date) => {
        const { start, end } = periodOf(date);
        expect(start.getTime()).toBeLessThanOrEqual(date.getTime());
        expect(date.getTime()).toBeLessThan(end.getTime());
        expect(periodOf(end).start).toEqual(end);
      }),
    );
  });
});
