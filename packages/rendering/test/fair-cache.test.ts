import { describe, expect, it } from '@postrider/testing';
import { createFairCache } from '../src/kept-contents.ts';

const aCache = () => createFairCache<string>({ maxBytes: 100, maxEntryBytes: 60 });

describe('a cache that owners share', () => {
  it('evicts the least recently used entries of the largest owner only', () => {
    const cache = aCache();
    cache.set('small', 'a', 'A', 30);
    for (const key of ['b', 'c', 'd']) cache.set('large', key, key.toUpperCase(), 20);
    cache.get('large', 'b');
    cache.set('large', 'e', 'E', 20);
    expect(['b', 'c', 'd', 'e'].map((key) => cache.get('large', key))).toEqual(['B', undefined, 'D', 'E']);
    expect(cache.get('small', 'a')).toBe('A');
    for (let index = 0; index < 100; index += 1) cache.set('large', `more ${index}`, 'x', 20);
    expect(cache.get('small', 'a')).toBe('A');
    expect(cache.get('large', 'more 99')).toBe('x');
  });

  it('has separate keys per owner', () => {
    const cache = aCache();
    cache.set('one', 'key', 'A', 10);
    cache.set('other', 'key', 'B', 10);
    expect([cache.get('one', 'key'), cache.get('other', 'key'), cache.get('third', 'key')]).toEqual([
      'A',
      'B',
      undefined,
    ]);
  });

  it('does not keep entries that are or become too large, and counts a replaced one once', () => {
    const cache = aCache();
    cache.set('one', 'huge', 'x', 61);
    expect(cache.get('one', 'huge')).toBeUndefined();
    for (let count = 0; count < 10; count += 1) cache.set('one', 'key', 'x', 50);
    cache.set('other', 'key', 'y', 50);
    expect([cache.get('one', 'key'), cache.get('other', 'key')]).toEqual(['x', 'y']);
    cache.grow('one', 'key', 11);
    expect([cache.get('one', 'key'), cache.get('other', 'key')]).toEqual([undefined, 'y']);
    cache.grow('one', 'key', 1_000);
    cache.set('third', 'key', 'z', 50);
    expect([cache.get('third', 'key'), cache.get('other', 'key')]).toEqual(['z', 'y']);
  });
});
