import { describe, expect, it } from '@postrider/testing';
import { type JsonValue, withValue } from '../src/index.ts';

describe('a value set by a path', () => {
  it('creates the objects on the way, and leaves the given value as it is', () => {
    const given = { a: { kept: true } };
    expect(withValue(given, ['a', 'b', 'c'], 1)).toEqual({ a: { kept: true, b: { c: 1 } } });
    expect(given).toEqual({ a: { kept: true } });
  });

  it('fills a list with null up to a new entry', () => {
    expect(withValue({ list: [1] }, ['list', '3'], 4)).toEqual({ list: [1, null, null, 4] });
  });

  it('replaces an entry of a list of more than ten thousand, and creates no list as long', () => {
    const long: JsonValue = Array.from({ length: 10_001 }, (_, at) => at);
    expect(withValue(long, ['10000'], 'last')).toEqual([...long.slice(0, 10_000), 'last']);
    expect(withValue([1], ['10000'], 2)).toEqual({ '10000': 2 });
  });
});
