import { ID_PREFIXES } from '@postrider/domain';
import fc from 'fast-check';
import { anyCharacter } from '../../../../packages/domain/test/any-character.ts';
import { reference } from './references.ts';

/** Strings that have broken services: of the wrong length, of other alphabets, and of the languages behind this one. */
export const HOSTILE_STRINGS = [
  '',
  ' ',
  'a'.repeat(128),
  'a'.repeat(129),
  'x'.repeat(5_000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00tail',
  '\u202eabc',
  '\ufeff',
  '𝕌𝕟𝕚🏳️‍🌈',
  'e\u0301'.repeat(64),
  '\r\nX-Injected: 1',
  "'; DROP TABLE messages; --",
  '$1',
  '%00',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  '1e999',
  '-0',
  '{{',
  '{% for i in (1..1000000000) %}{{ i }}{% endfor %}',
  '{{ payload.__proto__.constructor }}',
  '<mjml><mj-body>',
  '{"a":',
  'infinity',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '2026-11-21T10:00:00',
  '(a+)+$',
  'a@b',
  'ada@example.com\r\nBcc: x@example.com',
  'http://169.254.169.254/',
  'file:///etc/passwd',
  'https://user:pass@example.com:99999/',
];

/** Numbers at and past the limits of what stores them. */
const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  0.1,
  1e-320,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  1e308,
  -1e308,
];

const PREFIXES: readonly string[] = ID_PREFIXES;

const BASE32 = [...'0123456789abcdefghjkmnpqrstvwxyz'];
const digits = (length: number) =>
  fc.array(fc.constantFrom(...BASE32), { minLength: length, maxLength: length }).map((all) => all.join(''));

/** An id of the documented form: any 128 bits, most of which are no UUID of RFC 9562. */
export const wellFormedId = (prefix: string) =>
  fc
    .tuple(fc.constantFrom(...BASE32.slice(0, 8)), digits(25))
    .map(([first, rest]) => `${prefix}_${first}${rest}`);

/** A text that is nearly an id of this prefix, or nothing like one. */
export const malformedId = (prefix: string) =>
  fc.oneof(
    fc.constantFrom(...PREFIXES.filter((other) => other !== prefix)).chain(wellFormedId),
    wellFormedId(prefix).map((id) => id.toUpperCase()),
    wellFormedId(prefix).map((id) => id.slice(4)),
    wellFormedId(prefix).map((id) => `${id.slice(0, 4)}8${id.slice(5)}`),
    wellFormedId(prefix).map((id) => `${id.slice(0, -1)}u`),
    wellFormedId(prefix).map((id) => `${id}\n`),
    wellFormedId(prefix).map((id) => `${id.slice(0, 10)}\u0000${id.slice(11)}`),
    fc
      .nat(40)
      .chain((length) => digits(length === 26 ? 27 : length))
      .map((text) => `${prefix}_${text}`),
    fc.uuid(),
    fc.uuid().map((uuid) => `${prefix}_${uuid}`),
    fc.constantFrom(`${prefix}_`, prefix, '%', '..', 'null', '__proto__', `${prefix}_${'z'.repeat(5_000)}`),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  );

/** An id of anything: known, another tenant's, or nobody's. */
export const anyId = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('', 'other.'), fc.constantFrom(...PREFIXES), fc.nat(9))
      .map(([whose, prefix, index]) => reference(`${whose}${prefix}`, index)),
  },
  { weight: 1, arbitrary: fc.constantFrom(...PREFIXES).chain(wellFormedId) },
);

export const hostileString = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_STRINGS) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: anyId },
);

/** Any JSON that a body may hold where it ought to hold something else. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileString,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}]),
  fc.constantFrom(...HOSTILE_NUMBERS),
  fc.array(hostileString, { maxLength: 3 }),
  fc.dictionary(hostileString, hostileString, { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);
