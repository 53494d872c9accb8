import { describe, expect, it } from '@postrider/testing';
import { RE2JS } from 're2js';
import { type JsonObject, MAX_PAYLOAD_SCHEMA_LENGTH } from '../../src/index.ts';
import { checkPayloadSchema } from '../../src/payload-schema/index.ts';

const nested = (levels: number): JsonObject =>
  levels === 0 ? {} : { properties: { a: nested(levels - 1) } };

/** Each definition references the next twice, so 2^n of them apply to a value. */
function doubling(n: number): JsonObject {
  const $defs: JsonObject = { [`d${n}`]: { type: 'object' } };
  for (let i = 0; i < n; i += 1) {
    $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
  }
  return { $ref: '#/$defs/d0', $defs };
}

describe('checking a payload schema', () => {
  it.each<[string, JsonObject]>([
    ['an ordinary one', { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }],
    ['an empty one', {}],
    [
      'the dialect named',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://x.example/s' },
    ],
    ['recursion where the data is', { properties: { children: { type: 'array', items: { $ref: '#' } } } }],
    [
      'a reference by name',
      { $defs: { a: { $anchor: 'A', type: 'string' } }, properties: { x: { $ref: '#A' } } },
    ],
    ['a reference to true', { $defs: { any: true }, properties: { x: { $ref: '#/$defs/any' } } }],
    ['a reference into an escaped key', { $defs: { 'a/b%': {} }, $ref: '#/$defs/a~1b%25' }],
    [
      'properties named like keywords',
      { properties: { $ref: { type: 'string' }, pattern: { minLength: 1 } } },
    ],
    ['keywords that are annotations', { $async: true, nullable: true, 'x-mine': { $ref: '#/nowhere' } }],
    ['a known format', { properties: { at: { type: 'string', format: 'date-time' } } }],
    ['a linear pattern', { properties: { sku: { pattern: '^[A-Z]{3}-\\d+$' } } }],
  ])('finds no issue in %s', (_, schema) => {
    expect(checkPayloadSchema(schema)).toEqual([]);
  });

  it.each<[string, JsonObject, string, RegExp]>([
    ['no JSON Schema', { type: 'objekt' }, '/type', /allowed values/],
    ['a list of items of older drafts', { items: [{}] }, '/items', /object,boolean/],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema', /2020-12/],
    ['a reference to another document', { $ref: 'https://example.com/s.json' }, '/$ref', /into this schema/],
    ['a reference to nothing', { $ref: '#/$defs/none' }, '/$ref', /into this schema/],
    ['a reference into an annotation', { 'x-a': { b: {} }, $ref: '#/x-a/b' }, '/$ref', /into this schema/],
    ['a reference that is no text of a URI', { $ref: '#/%zz' }, '/$ref', /into this schema/],
    ['a reference to itself', { $ref: '#' }, '', /refers to itself/],
    [
      'a circle through a choice',
      { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } },
      '/$defs/a',
      /refers to itself/,
    ],
    [
      'an id inside',
      { properties: { a: { $id: 'https://x.example/a' } } },
      '/properties/a/$id',
      /only allowed at the root/,
    ],
    ['a dynamic reference', { $dynamicRef: '#x' }, '/$dynamicRef', /not supported/],
    ['an anchor given twice', { $defs: { a: { $anchor: 'A' }, b: { $anchor: 'A' } } }, '', /cannot be used/],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }, '/properties/a/pattern', /ECMA-262/],
    ['a pattern with look-ahead', { pattern: '^(?=a)' }, '/pattern', /linear time/],
    ['a pattern with a back-reference', { pattern: '(a)\\1' }, '/pattern', /linear time/],
    ['a pattern that is too large', { pattern: '(a{30}b{30}){17}' }, '/pattern', /instructions/],
    [
      'a pattern of a key',
      { patternProperties: { '(?=/)': {} } },
      '/patternProperties/(?=~1)',
      /linear time/,
    ],
    ['a format that is not known', { format: 'emial' }, '/format', /must be one of date-time/],
    [
      'a property that the library passes over',
      { properties: Object.fromEntries([['__proto__', { type: 'string' }]]) },
      '/properties/__proto__',
      /payloads cannot have/,
    ],
    ['too many subschemas', { anyOf: Array.from({ length: 500 }, () => ({})) }, '', /500 subschemas/],
    ['too many levels', nested(17), '', /32 levels/],
    ['references that double', doubling(15), '', /too complex/],
    ['references in a row without end in sight', doubling(30), '', /in a row/],
    ['more text than is allowed', { title: 'x'.repeat(MAX_PAYLOAD_SCHEMA_LENGTH) }, '', /characters/],
  ])('refuses %s, with its position', (_, schema, path, message) => {
    expect(checkPayloadSchema(schema)).toEqual(
      expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
    );
  });

  it('refuses many large patterns that would be accepted individually', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`p${index}`, { pattern: `a{${900 + index}}` }]),
    );
    expect(checkPayloadSchema({ properties })).toEqual([
      { path: '/properties/p11/pattern', message: expect.stringMatching(/10000 instructions/) },
    ]);
  });

  it('does not compile patterns of more than 1,000 characters, however small the result', () => {
    const least = (characters: number) => ({ pattern: `[${'a'.repeat(characters - 2)}]` });
    expect(checkPayloadSchema(least(1_000))).toEqual([]);
    expect(checkPayloadSchema(least(1_001))).toEqual([
      { path: '/pattern', message: 'must be at most 1000 characters' },
    ]);
  });

  it('compiles no pattern after one that is refused', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [
        `p${index}`,
        { pattern: `${'(a{9}){9}'.repeat(13)}${index}` },
      ]),
    );
    expect(checkPayloadSchema({ properties })).toEqual([
      { path: '/properties/p0/pattern', message: expect.stringMatching(/^compiles to/) },
    ]);
  });

  it('does not show the message of a bug as what is wrong with a pattern', () => {
    const { programSize } = RE2JS.prototype;
    RE2JS.prototype.programSize = () => {
      throw new TypeError('a bug');
    };
    try {
      expect(() => checkPayloadSchema({ pattern: 'a' })).toThrow('a bug');
    } finally {
      RE2JS.prototype.programSize = programSize;
    }
  });

  it('reports at most 50 issues at once, only one of them about patterns', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`p${index}`, { pattern: '(', format: 'x', $ref: '#/y' }]),
    );
    expect(checkPayloadSchema({ properties: { a: properties.p0 as JsonObject } })).toHaveLength(3);
    expect(checkPayloadSchema({ properties })).toHaveLength(50);
  });
});
