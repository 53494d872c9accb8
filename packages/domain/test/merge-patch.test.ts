import { describe, expect, it } from '@postrider/testing';
import { type JsonObject, mergePatch } from '../src/index.ts';

describe('a merge patch', () => {
  // RFC 7396, appendix A, where target and patch are objects.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ] as [JsonObject, JsonObject, JsonObject][])('of %j with %j gives %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it('changes neither the target nor the patch', () => {
    const target = { a: { b: 1 }, c: 2 };
    const patch = { a: { d: 3 }, c: null };
    mergePatch(target, patch);
    expect([target, patch]).toEqual([
      { a: { b: 1 }, c: 2 },
      { a: { d: 3 }, c: null },
    ]);
  });

  it('treats __proto__ like any other name', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(merged)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
