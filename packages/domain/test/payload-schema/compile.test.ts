import { describe, expect, it } from '@postrider/testing';
import type { JsonObject } from '../../src/index.ts';
import { compilePayloadSchema, type PayloadCheck } from '../../src/payload-schema/index.ts';

const issuesOf = (checked: PayloadCheck) =>
  checked.outcome === 'invalid'
    ? checked.errors.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
    : checked.outcome;

const validate = (schema: JsonObject, payload: JsonObject) => issuesOf(compilePayloadSchema(schema)(payload));

describe('a compiled payload schema', () => {
  it('validates any number of payloads', () => {
    const validate = compilePayloadSchema({ required: ['a'], properties: { a: { type: 'string' } } });
    const payloads: JsonObject[] = [{ a: 'x' }, {}, { a: 1 }, { a: 'y' }];
    const results = payloads.map((payload) => issuesOf(validate(payload)));
    expect(results).toEqual(['valid', [' required'], ['/a type'], 'valid']);
  });

  it('reports every issue of a payload', () => {
    const schema = {
      required: ['a', 'b'],
      properties: { c: { type: 'string' } },
      additionalProperties: false,
    };
    expect(validate(schema, { c: 1, d: 1 })).toEqual([
      ' required',
      ' required',
      ' additionalProperties',
      '/c type',
    ]);
  });

  it.each<[string, JsonObject, JsonObject, unknown]>([
    ['a pattern', { properties: { a: { pattern: '^[A-Z]{2}\\d+$' } } }, { a: 'ab1' }, ['/a pattern']],
    ['a pattern of keys', { patternProperties: { '^x_': { type: 'number' } } }, { x_a: 'y' }, ['/x_a type']],
    [
      'a pattern with characters beyond 16 bits',
      { properties: { a: { pattern: '^.$' } } },
      { a: '😀' },
      'valid',
    ],
    ['a format', { properties: { a: { format: 'date' } } }, { a: '2026-02-30' }, ['/a format']],
    ['a length in characters', { properties: { a: { maxLength: 1 } } }, { a: '😀' }, 'valid'],
    ['a dynamic choice', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, 'valid'],
    [
      'properties that nothing has evaluated',
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      [' unevaluatedProperties'],
    ],
    [
      'recursion',
      { $defs: { n: { type: 'object', properties: { n: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' },
      { n: { n: { n: 1 } } },
      ['/n/n/n type'],
    ],
  ])('knows %s', (_, schema, payload, expected) => {
    expect(validate(schema, payload)).toEqual(expected);
  });

  it.each<[unknown[], boolean]>([
    [[1, 2, 3], true],
    [[1, 1.0], false],
    [[1, '1', true, null, [], {}], true],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
    [
      [
        [1, [2]],
        [1, [2]],
      ],
      false,
    ],
    [[['a,b'], ['a', 'b']], true],
  ])('compares the items of %j by their values', (items, unique) => {
    const checked = validate({ properties: { a: { uniqueItems: true } } }, { a: items } as JsonObject);
    expect(checked).toEqual(unique ? 'valid' : ['/a uniqueItems']);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'distinguishes own properties from inherited ones: %s',
    (name) => {
      const having = Object.fromEntries([[name, 'x']]);
      const described = { properties: Object.fromEntries([[name, { type: 'string' }]]) };
      const demanding = { dependentRequired: Object.fromEntries([[name, ['other']]]) };
      expect(validate({ required: [name] }, {})).toEqual([' required']);
      expect(validate({ required: [name] }, having)).toBe('valid');
      expect(validate(described, {})).toBe('valid');
      expect(validate(described, having)).toBe('valid');
      expect(validate(demanding, {})).toBe('valid');
    },
  );

  it('treats unknown keywords as annotations', () => {
    const schema = { $async: true, nullable: true, properties: { a: { nullable: true, $async: true } } };
    expect(validate(schema, { a: null })).toBe('valid');
  });

  it('is refused if the check would refuse it', () => {
    expect(() => compilePayloadSchema({ $ref: '#' })).toThrow();
    expect(() => compilePayloadSchema({ pattern: '(?=a)' })).toThrow();
  });

  it('reports only the first issue if finding all would take too long', () => {
    const items = Array.from({ length: 60_000 }, () => 'x');
    expect(validate({ properties: { a: { items: { type: 'number' } } } }, { a: items })).toEqual([
      '/a/0 type',
    ]);
  });

  it('validates a large payload with a schema that describes each of its values', () => {
    const item = {
      type: 'object',
      required: ['sku', 'name', 'price'],
      additionalProperties: false,
      properties: {
        sku: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
        name: { type: 'string', minLength: 1, maxLength: 200 },
        price: { type: 'number', minimum: 0 },
      },
    };
    const payload = {
      items: Array.from({ length: 4_000 }, () => ({
        sku: 'ABC-1234',
        name: 'A pair of red shoes',
        price: 1,
      })),
    };
    expect(JSON.stringify(payload).length).toBeGreaterThan(200_000);
    expect(validate({ properties: { items: { type: 'array', items: item } } }, payload)).toBe('valid');
  });
});
