import { describe, expect, it } from '@postrider/testing';
import { parseJson, typedField } from '../src/ui/format.ts';

/** Node.js 20 and browsers older than 2025 do not pass the source of a number to the reviver. */
const hasSource = JSON.parse('1', (_key, _value, context?: object) => context !== undefined);

describe('JSON that is typed in the console', () => {
  it.each(['{"id":9007199254740993}', '[1,[123456789012345678901]]', '-12345678901234567.5'])(
    'is refused if a number would lose digits: %s',
    (text) => {
      const parse = () => parseJson(text);
      if (hasSource) {
        expect(parse).toThrow(/^the number -?[\d.]{16,} would lose digits/);
        expect(typedField(text)).toBe(text);
      } else expect(parse()).toEqual(JSON.parse(text));
    },
  );

  it.each(['{"id":"9007199254740993"}', '[9007199254740992,1e22,0.1,100000000000000000000.0]', 'null'])(
    'keeps %s',
    (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    },
  );
});
