import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  findInexact,
  InvalidJsonError,
  type JsonValue,
  parseJson,
  parseStorableJson,
  whyUnstorable,
} from '../src/index.ts';
import { examineJson } from '../src/json-text.ts';

/** The value, or the reason of the error. */
function parsed(
  bytes: Uint8Array,
  maxDepth?: number,
  parser: (bytes: Uint8Array, limits?: { maxDepth: number }) => JsonValue = parseStorableJson,
) {
  try {
    const value = maxDepth === undefined ? parser(bytes) : parser(bytes, { maxDepth });
    return { ok: true as const, value };
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    const { message: reason, inexact } = error;
    return { ok: false as const, reason, ...(inexact ? { inexact } : {}) };
  }
}
const parse = (text: string) => parsed(Buffer.from(text, 'utf8'));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('storable JSON', () => {
  it.each([
    ['an object', '{"a":[1,2.5,true,null,"x"]}', { a: [1, 2.5, true, null, 'x'] }],
    ['a scalar', '"text"', 'text'],
    ['white space around', ' \n{}\t', {}],
    ['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
    ['an escaped surrogate pair', '"\\ud83d\\ude00"', '😀'],
    ['other control characters', '"\\u0001\\u007f"', '\u0001\u007f'],
    ['the largest double', '1.7976931348623157e308', Number.MAX_VALUE],
    ['an empty key', '{"":0}', { '': 0 }],
    ['32 levels', nested(32), JSON.parse(nested(32))],
  ])('accepts %s', (_, text, value) => {
    expect(parse(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['no bytes', '', /empty/],
    ['white space alone', ' \n', /empty/],
    ['a cut object', '{"a":', /not valid JSON/],
    ['two documents', '{} {}', /not valid JSON/],
    ['a comment', '{} // no', /not valid JSON/],
    ['NaN', 'NaN', /not valid JSON/],
    ['a raw control character', '"\u0001"', /not valid JSON/],
    ['NUL in a string', '{"a":["\\u0000"]}', /NUL/],
    ['NUL in a key', '{"a\\u0000":1}', /NUL/],
    ['a lone high surrogate', '["\\ud83d"]', /surrogate/],
    ['a lone low surrogate', '["\\ude00x"]', /surrogate/],
    ['surrogates the wrong way round', '["\\ude00\\ud83d"]', /surrogate/],
    ['a lone surrogate in a key', '{"\\ud83d":1}', /surrogate/],
    ['a number beyond a double', '{"a":1e400}', /too large/],
    ['a negative number beyond a double', '[-1e400]', /too large/],
    [
      'exponents that stand for many zeros',
      `[${Array.from({ length: 900 }, () => '-1.5E+300').join()}]`,
      /zeros/,
    ],
    ['small exponents of that kind', `[${Array.from({ length: 900 }, () => '1e-0300').join()}]`, /zeros/],
    ['33 levels', nested(33), /deeper than 32/],
    ['33 levels of objects', '{"a":'.repeat(33).concat('1', '}'.repeat(33)), /deeper than 32/],
  ])('refuses %s', (_, text, reason) => {
    expect(parse(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it.each([
    ['a stray continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0x80, 0x22]],
    ['a surrogate in three bytes', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a cut character', [0x22, 0xe2, 0x82]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s, which is not UTF-8', (_, bytes) => {
    expect(parsed(Uint8Array.from(bytes))).toEqual({
      ok: false,
      reason: expect.stringMatching(/UTF-8/),
    });
  });

  it.each([
    ['a string that looks like an escape of NUL', '"\\\\u0000"'],
    ['an escaped quote before a bracket', `"\\"${'['.repeat(40)}"`],
    ['brackets in a key', `{"${'{'.repeat(40)}":1}`],
    ['many short levels beside each other', `[${'[],'.repeat(100)}[]]`],
    ['400 digits after the point', `0.${'1'.repeat(400)}`],
    ['an exponent with leading zeros', '1e0000000000000000000000000000000001'],
    ['a long negative exponent', '1e-4000'],
    [
      'a large body of small probabilities',
      `[${Array.from({ length: 13_000 }, () => '1.234567e-20').join()}]`,
    ],
    ['an integer beyond 2^53 that a double keeps', '[1152921504606847000,-9007199254740992]'],
    [
      'a double in the forms that languages write',
      '[1e22,1E+22,1.152921504606847e+18,100000000000000000000.0]',
    ],
    ['digits in a text', '{"id":"9007199254740993"}'],
    ['a long fraction', '3.14159265358979323846'],
  ])('accepts %s', (_, text) => {
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it.each([
    ['400 digits', '9'.repeat(400)],
    ['2^53 + 1', '9007199254740993'],
    ['a pair cut by an escape', '"\\ud83d\\n\\ude00"'],
    ['a pair cut by a letter', '"\\ud83dx"'],
    ['two halves of the same kind', '"\\ud83d\\ud83d\\ude00"'],
    ['NUL with digits after it', '"\\u00000"'],
  ])('refuses %s', (_, text) => {
    expect(parse(text).ok).toBe(false);
  });

  it('gives the same result for a text as for its value', () => {
    const unit = fc.constantFrom(
      '\\u0000',
      '\\ud83d',
      '\\ude00',
      '\\u0041',
      '\\\\',
      '\\"',
      'u',
      '0',
      '[',
      '😀',
    );
    const string = fc.array(unit, { maxLength: 6 }).map((units) => `"${units.join('')}"`);
    const number = fc.constantFrom(
      '1e400',
      '-1e999',
      '1e308',
      '1.5E+2',
      '-0',
      `1${'0'.repeat(310)}`,
      '1e-400',
    );
    const { text } = fc.letrec<{ text: string; list: string; object: string }>((tie) => ({
      list: fc.array(tie('text'), { maxLength: 3 }).map((items) => `[ ${items.join(', ')}]`),
      object: fc.tuple(string, tie('text')).map(([key, value]) => `{${key}:${value} }`),
      text: fc.oneof({ maxDepth: 5 }, string, number, tie('list'), tie('object')),
    }));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 4 }), (json, maxDepth) => {
        const ofText = parsed(Buffer.from(json), maxDepth);
        const ofValue = whyUnstorable(JSON.parse(json) as JsonValue, maxDepth);
        expect(ofText.ok).toBe(ofValue === null);
      }),
      { numRuns: 2_000 },
    );
  });

  it('terminates for a body of brackets only', () => {
    expect(parse(nested(128 * 1_024))).toEqual({ ok: false, reason: expect.stringMatching(/deeper/) });
  });

  it('finds many zeros in a value, too, but not in one with as many digits as its text', () => {
    const list = (count: number, number: number) => Array.from({ length: count }, () => number);
    expect(whyUnstorable([list(450, 1e300), list(450, -1e-300)])).toMatch(/zeros/);
    expect(whyUnstorable([list(40_000, 123456), list(800, 1e300)])).toBeNull();
  });

  it('treats __proto__ as a plain key', () => {
    const own = parse('{"__proto__":{"polluted":true}}');
    expect(own.ok && JSON.stringify(own.value)).toBe('{"__proto__":{"polluted":true}}');
    expect({}).not.toHaveProperty('polluted');
  });

  it('does not quote the body in the reason', () => {
    expect(JSON.stringify(parse('{"email": secret@example.com}'))).not.toContain('secret');
  });

  it('takes another depth', () => {
    expect(parsed(Buffer.from('[[1]]'), 1).ok).toBe(false);
    expect(parsed(Buffer.from('[1]'), 1).ok).toBe(true);
    expect(parsed(Buffer.from('1'), 0).ok).toBe(true);
  });

  it('parses what cannot be stored, up to a depth', () => {
    const text = `["\\u0000",1e400,${nested(2)},{"[[[[\\"[":[1]}]`;
    expect(parsed(Buffer.from(text), 3, parseJson)).toEqual({ ok: true, value: JSON.parse(text) });
    expect(parsed(Buffer.from(text), 2, parseJson)).toEqual({
      ok: false,
      reason: 'The body is nested deeper than 2 levels.',
    });
  });

  it('returns any JSON of well-formed text without NUL unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('\\u0000') && !/\\ud[89a-f]/.test(text));
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('accepts nothing that would change when stored and read', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
        const parsed = parse(text);
        if (parsed.ok) expect(JSON.stringify(parsed.value)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
    );
  });

  it('says where a text stops being JSON, without repeating it', () => {
    const reasonOf = (text: string) => {
      const parsed = parse(text);
      return parsed.ok ? null : parsed.reason;
    };
    expect(reasonOf('{\n  "password": "geheim",\n  "a": tru\n}')).toBe(
      'The body is not valid JSON at line 3, column 8.',
    );
    expect(reasonOf('{"a":1,}')).toBe('The body is not valid JSON at line 1, column 8.');
    expect(reasonOf('{"a":"x')).toBe('The body is not valid JSON: it ends too early, at line 1, column 8.');
  });

  it('finds an error exactly where JSON.parse fails', () => {
    const isJson = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const piece = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', 'a', '\\', '\\u00', '41', '\n', ' ', '\u0001', '\u00a0'],
      ...['-', '0', '1', '.', 'e', '+', 'true', 'null', 'nul', '"a"', '"a":', '{"a":[1,2]}', '/', '😀'],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((pieces) => pieces.join('')),
          fc.json(),
        ),
        (text) => {
          const { errorAt } = examineJson(text);
          expect(errorAt === null).toBe(isJson(text));
          // Whatever comes before the error can still become JSON; the character at it cannot follow.
          if (errorAt !== null && errorAt < text.length)
            expect(examineJson(text.slice(0, errorAt + 1)).errorAt).toBe(errorAt);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('names every number beyond 2^53 that would lose digits', () => {
    const text = '{"a/b":[0,{"id":9007199254740993}],"amount":-12345678901234567.89,"ok":9007199254740991}';
    expect(findInexact(Buffer.from(text))).toEqual(['/a~1b/1/id', '/amount']);
    expect(parse(text)).toEqual({
      ok: false,
      reason: expect.stringContaining('/a~1b/1/id, /amount is beyond 2^53'),
      inexact: ['/a~1b/1/id', '/amount'],
    });
    expect(parse(`${text}}`)).toMatchObject({ ok: false, reason: expect.stringContaining('not valid JSON') });
  });

  it('keeps the value of every double that it accepts', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger()),
        (number) => {
          expect(parse(JSON.stringify(number))).toEqual({
            ok: true,
            value: JSON.parse(JSON.stringify(number)),
          });
        },
      ),
    );
    fc.assert(
      fc.property(fc.bigInt(), (number) => {
        const parsed = parse(String(number));
        if (parsed.ok) expect(JSON.stringify(parsed.value)).toBe(String(number));
        else expect(JSON.stringify(Number(number))).not.toBe(String(number));
      }),
    );
  });
});
