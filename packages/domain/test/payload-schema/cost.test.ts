import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/index.ts';
import { checkPayloadSchema, compilePayloadSchema } from '../../src/payload-schema/index.ts';

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const under = (schema: JsonObject): JsonObject => ({ properties: { a: schema } });

/** Payloads of 256 KiB with as many values, texts, keys or levels as possible. */
const ITEMS: JsonObject = { a: times(131_000, () => 1) };
const TEXT: JsonObject = { a: 'ab'.repeat(131_000) };
const TEXTS: JsonObject = { a: times(1_000, () => 'ab'.repeat(125)) };
const KEYS: JsonObject = { a: Object.fromEntries(times(26_000, (index) => [`k${index}`, 1])) };
const TREE: JsonObject = { a: tree(15) };

function tree(levels: number): JsonValue {
  return levels === 0 ? 1 : [tree(levels - 1), tree(levels - 1)];
}

describe('an expensive payload schema', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'many schemas for each item',
      under({ items: { allOf: times(490, () => ({ type: 'number' })) } }),
      ITEMS,
    ],
    [
      'a search that nothing is reported of',
      under({ allOf: times(160, () => ({ not: { contains: { type: 'string' } } })) }),
      ITEMS,
    ],
    ['a long list of allowed values', under({ items: { not: { enum: times(5_000, String) } } }), ITEMS],
    [
      'an expression that backtracks',
      under({ items: { not: { pattern: '^(a|ab|b|ba)*(ab|a|b)*(a+b*)+$' } } }),
      { a: times(1_000, () => `${'ab'.repeat(125)}!`) },
    ],
    [
      'an expression of many states',
      under({ pattern: '^[ab]*a[ab]{400}c$' }),
      { a: `${'ab'.repeat(9_000)}c` },
    ],
    ['a text read many times', under({ allOf: times(240, () => ({ maxLength: 999_999 })) }), TEXT],
    ['keys read many times', under({ allOf: times(240, () => ({ propertyNames: { minLength: 1 } })) }), KEYS],
    [
      'keys against many patterns',
      under({ patternProperties: Object.fromEntries(times(99, (index) => [`a{90}${index}`, true])) }),
      KEYS,
    ],
    [
      'what was evaluated, handed on',
      { ...evaluations(), unevaluatedProperties: false },
      KEYS.a as JsonObject,
    ],
    [
      'recursion that doubles at each level',
      {
        $defs: { n: { anyOf: [{ items: { $ref: '#/$defs/n' } }, { items: { $ref: '#/$defs/n' } }, false] } },
        ...under({ allOf: times(60, () => ({ $ref: '#/$defs/n' })) }),
      },
      TREE,
    ],
  ])('stops at the limit of steps: %s', (_, schema, payload) => {
    expect(checkPayloadSchema(schema)).toEqual([]);
    const validate = compilePayloadSchema(schema);
    const checked = validate(payload);
    expect(checked.outcome).toBe('too_costly');
    // The next payload gets all steps again.
    expect(validate({}).outcome).toBe('valid');
  });

  it('finds equal items without comparing each with every other', () => {
    const unique = compilePayloadSchema(under({ uniqueItems: true }));
    expect(unique({ a: times(40_000, (index) => index) }).outcome).toBe('valid');
    expect(unique(TEXTS).outcome).toBe('invalid');
  });
});

function evaluations(): JsonObject {
  return { allOf: times(150, (index) => ({ anyOf: [{ properties: { [`p${index}`]: {} } }] })) };
}

/** Schemas with nesting, referencing and expensive keywords, and references to any place. */
const { schema: anySchema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const keyed = fc.dictionary(fc.constantFrom('a', 'b', '^a', '(a+)+$', '__proto__'), tie('schema'), {
    maxKeys: 3,
  });
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.boolean(),
      fc.record(
        {
          type: fc.constantFrom('object', 'array', 'string', 'nonsense'),
          $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/properties/a', '#x', '%', 'other'),
          $anchor: fc.constantFrom('x', '1'),
          $dynamicRef: fc.constant('#x'),
          $id: fc.constant('http://x.example/'),
          pattern: fc.constantFrom('^a*$', '(a+)+$', '(', '\\p{L}', '(?!a)', 'a{999}'),
          format: fc.constantFrom('date', 'uri', 'regex', 'nonsense'),
          enum: fc.array(fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>, { maxLength: 3 }),
          uniqueItems: fc.boolean(),
          allOf: list,
          anyOf: list,
          oneOf: list,
          not: tie('schema'),
          if: tie('schema'),
          // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
          then: tie('schema'),
          items: tie('schema'),
          contains: tie('schema'),
          prefixItems: list,
          unevaluatedItems: tie('schema'),
          $defs: keyed,
          properties: keyed,
          patternProperties: keyed,
          additionalProperties: tie('schema'),
          unevaluatedProperties: tie('schema'),
          propertyNames: tie('schema'),
          dependentSchemas: keyed,
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonValue>,
    ),
  };
});

describe('any payload schema', () => {
  it('is either refused or validates any payload, and never throws', () => {
    const anyObject = fc.dictionary(fc.string(), anySchema, { maxKeys: 0 });
    const root = fc.oneof(
      anySchema.filter((schema) => typeof schema === 'object'),
      anyObject,
    ) as fc.Arbitrary<JsonObject>;
    const anyPayload = fc.dictionary(
      fc.constantFrom('a', 'b', 'aaaa', '__proto__'),
      fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
    );
    fc.assert(
      fc.property(root, anyPayload, (schema, payload) => {
        if (checkPayloadSchema(schema).length > 0) return;
        const checked = compilePayloadSchema(schema)(payload as JsonObject);
        expect(['valid', 'invalid', 'too_costly']).toContain(checked.outcome);
      }),
      { numRuns: 300 },
    );
  });
});
