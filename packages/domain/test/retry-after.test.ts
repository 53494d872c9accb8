import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { parseHttpDate, parseRetryAfter } from '../src/index.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);

describe('Retry-After', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['no seconds', '0', 0],
    ['white space around', ' 2 ', 2_000],
    ['seconds beyond any clock', '9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['a date', 'Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['a date that is past', 'Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['a date of RFC 850', 'Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
    ['a date of asctime', 'Sat Nov 21 12:00:30 2026', 30_000],
  ])('is understood as %s', (_, header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected);
  });

  it.each([
    undefined,
    null,
    '',
    '-1',
    '1.5',
    '1e3',
    'soon',
    '0x10',
    '2026-11-21T12:00:30Z',
    'Sat, 21 Nov 2026 12:00:30 CET',
    'Sat, 31 Nov 2026 12:00:30 GMT',
    'Sat, 21 Nov 2026 24:00:30 GMT',
    'sat, 21 nov 2026 12:00:30 gmt',
    '120, 240',
  ])('is null for %j', (header) => {
    expect(parseRetryAfter(header, NOW)).toBeNull();
  });
});

describe('an HTTP-date', () => {
  it('is parsed as JavaScript formats it', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(parseHttpDate(date.toUTCString(), NOW)).toBe(Math.floor(date.getTime() / 1_000) * 1_000);
      }),
    );
  });

  it.each([
    ['Sunday, 06-Nov-94 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['Sunday, 06-Nov-76 08:49:37 GMT', Date.UTC(2076, 10, 6, 8, 49, 37)],
    ['Sunday, 06-Nov-77 08:49:37 GMT', Date.UTC(1977, 10, 6, 8, 49, 37)],
    ['Sun Nov  6 08:49:37 1994', Date.UTC(1994, 10, 6, 8, 49, 37)],
    ['Thu, 29 Feb 2024 00:00:00 GMT', Date.UTC(2024, 1, 29)],
    ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
  ])('%s is parsed in every form', (text, expected) => {
    expect(parseHttpDate(text, NOW)).toBe(expected);
  });

  it('interprets a two-digit year as in the next century if that is near', () => {
    expect(parseHttpDate('Friday, 01-Jan-05 00:00:00 GMT', Date.UTC(2095, 0))).toBe(Date.UTC(2105, 0));
  });

  it.each([
    'Thu, 29 Feb 2023 00:00:00 GMT',
    'Sat, 00 Jan 2026 00:00:00 GMT',
    'Sat, 21 Nov 2026 12:60:00 GMT',
  ])('refuses %s', (text) => {
    expect(parseHttpDate(text, NOW)).toBeNull();
  });
});
