import { describe, expect, it } from '@postrider/testing';
import { endOfUuid, formatId, keysOf } from '../src/index.ts';

describe('the business ids of a payload', () => {
  it('are short texts and numbers at declared paths', () => {
    const payload = {
      order: { id: ' A-1 ' },
      n: 42,
      long: 'x'.repeat(129),
      list: ['a'],
      lines: 'a\nb',
      none: null,
    };
    const paths = ['/order/id', '/n', '/long', '/list', '/lines', '/none', '/missing/path', '/order'];
    expect(keysOf(paths, payload)).toEqual([
      { name: '/order/id', value: 'A-1' },
      { name: '/n', value: '42' },
    ]);
  });
});

describe('the end of an id', () => {
  it('is that of its UUID, from six characters on', () => {
    const uuid = '01955c2e-7c9a-7e3f-8a11-d3f0a1b2c3d4';
    const id = formatId('msg', uuid);
    for (const length of [6, 7, 9, 12]) {
      const end = endOfUuid(id.slice(-length)) ?? '-';
      expect(end.length).toBeGreaterThanOrEqual(7);
      expect(uuid.endsWith(end)).toBe(true);
    }
    expect(endOfUuid(id.slice(-5))).toBeNull();
    expect(endOfUuid('iloveu')).toBeNull();
  });
});
