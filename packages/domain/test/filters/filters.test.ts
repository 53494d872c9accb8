import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { compileCondition } from '../../src/filters/evaluate.ts';
import {
  compileFilter,
  FILTER_LIMITS,
  FilterMeter,
  filterMeter,
  MAX_FILTER_STEPS,
} from '../../src/filters/index.ts';
import { parseFilter } from '../../src/filters/parse.ts';
import type { JsonObject, JsonValue } from '../../src/storable-json.ts';
import { matches } from './plain-interpreter.ts';

const eventOf = (payload: JsonObject) => ({
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com' },
  payload,
});

function compiled(filter: JsonValue) {
  const result = compileFilter(filter);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.filter;
}

const meter = () => new FilterMeter(MAX_FILTER_STEPS);
const holds = (filter: JsonValue, payload: JsonObject) => compiled(filter).holds(eventOf(payload), meter());

const nested = (depth: number): JsonValue => (depth === 0 ? 1 : { a: nested(depth - 1) });

const NAMES = ['a', 'b', '__proto__', 'constructor'];
const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'b', 'é', '\u{1F600}'),
  fc.constantFrom(0, -0, 1, 2.5),
  fc.boolean(),
  fc.constant(null),
);
const objectOf = (value: fc.Arbitrary<unknown>, maxLength: number, names = NAMES) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), value), { maxLength, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries));

const { json } = fc.letrec((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('json'), { maxLength: 3 }), objectOf(tie('json'), 3)),
}));

const order = fc.oneof(fc.constantFrom('a', 'ab', ''), fc.constantFrom(0, 1, 2));
const text = fc.constantFrom('', 'a', 'ab');
const COMPARISONS: Record<string, fc.Arbitrary<unknown>> = {
  $eq: json,
  $neq: json,
  $gt: order,
  $gte: order,
  $lt: order,
  $lte: order,
  $in: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  $nin: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  $startsWith: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 2 })),
  $endsWith: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 2 })),
  $exist: fc.boolean(),
};
const comparison = fc
  .constantFrom(...Object.keys(COMPARISONS))
  .chain((name) => (COMPARISONS[name] ?? scalar).map((operand) => ({ [name]: operand })));

const { condition } = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    scalar,
    comparison,
    fc.array(tie('condition'), { minLength: 1, maxLength: 2 }),
    objectOf(tie('condition'), 2),
    fc.tuple(comparison, objectOf(tie('condition'), 1)).map(([one, other]) => ({ ...one, ...other })),
    fc
      .constantFrom('$or', '$and')
      .chain((name) =>
        fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((parts) => ({ [name]: parts })),
      ),
    tie('condition').map((part) => ({ $not: part })),
  ),
}));

describe('filters', () => {
  it('give the same result as a plain interpreter for every filter and payload', () => {
    let held = 0;
    fc.assert(
      fc.property(objectOf(condition, 3), objectOf(json, 4), (fields, payload) => {
        const filter = { payload: fields } as JsonObject;
        const event = eventOf(payload as JsonObject);
        const expected = matches(filter, event);
        if (expected) held += 1;
        expect(compiled(filter).holds(event, meter())).toBe(expected);
        expect(compiled(filter).failing(event, meter()) === null).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
    expect(held).toBeGreaterThan(50);
  });

  it('never take more steps than their computed bound', () => {
    fc.assert(
      fc.property(objectOf(condition, 3), objectOf(json, 4), (fields, payload) => {
        const filter = { payload: fields } as JsonObject;
        const parsed = parseFilter(filter);
        if (!parsed.ok) throw new Error('it was generated');
        const event = eventOf(payload as JsonObject);
        const { fixed, perByte } = compileCondition(parsed.condition).cost;
        const bound = fixed + perByte * Buffer.byteLength(JSON.stringify(event));
        expect(() => compiled(filter).holds(event, new FilterMeter(bound))).not.toThrow();
      }),
      { numRuns: 3_000 },
    );
  });

  it.each<[JsonValue, JsonObject, boolean]>([
    [{ payload: { amount: { $gte: 100 } } }, { amount: 100 }, true],
    [{ payload: { amount: { $gte: 100 } } }, { amount: '100' }, false],
    [{ payload: { tags: 'urgent' } }, { tags: ['support', 'urgent'] }, true],
    [{ payload: { tags: ['a', 'b'] } }, { tags: ['b', 'c', 'a'] }, true],
    [{ payload: { tags: ['a', 'd'] } }, { tags: ['b', 'c', 'a'] }, false],
    [
      { payload: { items: { sku: 'x', count: { $gt: 1 } } } },
      {
        items: [
          { sku: 'x', count: 1 },
          { sku: 'y', count: 2 },
        ],
      },
      false,
    ],
    [{ payload: { items: { sku: 'x', count: { $gt: 1 } } } }, { items: [{ sku: 'x', count: 2 }] }, true],
    [{ payload: { status: { $not: { $in: ['cancelled', 'refunded'] } } } }, { status: 'paid' }, true],
    [{ payload: { status: { $neq: 'paid' } } }, {}, false],
    [{ payload: { status: { $exist: false } } }, {}, true],
    [{ payload: { status: { $exist: false } } }, { status: null }, false],
    [{ payload: { title: { $in: 'pp' } } }, { title: 'Shipped' }, true],
    [{ payload: { tags: { $in: ['a', 'b'] } } }, { tags: ['b', 'c'] }, true],
    [{ payload: { tags: { $in: ['a', 'b'] } } }, { tags: ['c'] }, false],
    [{ payload: { tags: { $nin: ['a', 'b'] } } }, { tags: ['b', 'c'] }, false],
    [{ payload: { tags: { $nin: ['a', 'b'] } } }, { tags: ['c'] }, true],
    [{ payload: { tags: { $nin: ['a', 'b'] } } }, { tags: [] }, true],
    [{ payload: { tags: { $nin: 'a' } } }, { tags: ['c'] }, true],
    [{ payload: { tags: { $nin: ['a'] } } }, { tags: { a: 1 } }, false],
    [{ event_key: { $startsWith: ['invoice.', 'order.'] } }, {}, true],
    [{ recipient: { email: { $endsWith: '@example.com' } } }, {}, true],
    [{ $or: [{ payload: { a: 1 } }, { event_key: 'order.shipped' }] }, {}, true],
    [{ $and: [{ payload: { a: 1 } }, { event_key: 'order.shipped' }] }, {}, false],
    [{ $not: { payload: { a: 1 } } }, { a: 2 }, true],
    [{}, {}, true],
  ])('%j matches the payload %j: %s', (filter, payload, expected) => {
    expect(holds(filter, payload)).toBe(expected);
  });

  it('only read own properties', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const filter = JSON.parse(`{"payload":{"${name}":{"$exist":true}}}`) as JsonValue;
      expect(holds(filter, {})).toBe(false);
      expect(holds(filter, JSON.parse(`{"${name}":1}`))).toBe(true);
    }
  });

  it.each<[JsonValue, JsonObject, string]>([
    [{ payload: { a: 1, b: { $gte: 2, $lt: 5 } } }, { a: 1, b: 7 }, '/payload/b/$lt'],
    [{ payload: { a: { b: { c: 1 } } } }, { a: { b: {} } }, '/payload/a/b/c'],
    [{ payload: { 'a/b': 1 } }, {}, '/payload/a~1b'],
    [{ $and: [{ payload: { a: 1 } }, { event_key: 'x.y' }] }, { a: 1 }, '/$and/1/event_key'],
    [{ payload: { items: { sku: 'x' } } }, { items: [{ sku: 'y' }] }, '/payload/items'],
  ])('%j reports the condition that failed for %j: %s', (filter, payload, pointer) => {
    expect(compiled(filter).failing(eventOf(payload), meter())).toBe(pointer);
  });

  it.each<[string, JsonValue, string, string]>([
    ['a scalar', 1, '', 'invalid_type'],
    ['a list', ['a'], '', 'invalid_type'],
    ['an unknown field', { metadata: 1 }, '/metadata', 'unknown_field'],
    ['an unknown operator', { payload: { a: { $regex: 'x' } } }, '/payload/a/$regex', 'unknown_field'],
    ['a comparison of the event', { $eq: 1 }, '/$eq', 'unknown_field'],
    ['an empty $or', { $or: [] }, '/$or', 'too_few'],
    ['an $or that is no list', { payload: { $or: {} } }, '/payload/$or', 'invalid_type'],
    ['a condition of $or that is no object', { $or: [1] }, '/$or/0', 'invalid_type'],
    ['an order of a list', { payload: { a: { $gt: [] } } }, '/payload/a/$gt', 'invalid_type'],
    ['a list of lists', { payload: { a: { $in: [[]] } } }, '/payload/a/$in', 'invalid_type'],
    ['no text', { payload: { a: { $startsWith: [] } } }, '/payload/a/$startsWith', 'invalid_type'],
    ['an $exist of 1', { payload: { a: { $exist: 1 } } }, '/payload/a/$exist', 'invalid_type'],
    ['an operator without $', { payload: { amount: { gt: 1 } } }, '/payload/amount/gt', 'invalid_value'],
    [
      'one in another case',
      { payload: { a: { StartsWith: 'x' } } },
      '/payload/a/StartsWith',
      'invalid_value',
    ],
    ['one beside an operator', { payload: { a: { $gte: 1, lt: 2 } } }, '/payload/a/lt', 'invalid_value'],
    ['one in a list', { payload: { a: [{ eq: 1 }] } }, '/payload/a/0/eq', 'invalid_value'],
    [
      'one below an operator',
      { payload: { a: { $not: { in: ['x'] } } } },
      '/payload/a/$not/in',
      'invalid_value',
    ],
    ['one of the event key', { event_key: { in: ['a.b'] } }, '/event_key/in', 'invalid_value'],
    ['a list of conditions without $', { payload: { or: [{ a: 1 }] } }, '/payload/or', 'invalid_value'],
    ['a long part of a text', { payload: { a: { $in: 'x'.repeat(251) } } }, '/payload/a/$in', 'too_long'],
  ])('refuse %s', (_what, filter, path, code) => {
    expect(compileFilter(filter)).toMatchObject({ ok: false, issues: [{ path, code }] });
  });

  it('name the operator that lacks its $', () => {
    expect(compileFilter({ payload: { amount: { gt: 1 } } })).toMatchObject({
      issues: [{ message: expect.stringContaining('$gt') }],
    });
    // At the event itself, the name is also an unknown field.
    expect(compileFilter({ or: [{ payload: { a: 1 } }] })).toMatchObject({
      issues: [{ path: '/or', message: expect.stringContaining('$or') }, { path: '/or' }],
    });
  });

  it.each<[string, JsonValue, JsonValue]>([
    [
      'beside other fields',
      { address: { in: 'Kerala', city: 'Kochi' } },
      { address: { in: 'Kerala', city: 'Kochi' } },
    ],
    ['with an operator', { range: { gt: { $eq: 1 } } }, { range: { gt: 1 } }],
    ['of the payload', { gt: 1 }, { gt: 1 }],
    ['that was stored earlier', { range: { gt: 1 } }, { range: { gt: 1 } }],
  ])('compare a field with the name of an operator %s', (what, payload, matching) => {
    const compiled = compileFilter({ payload }, { isStored: what === 'that was stored earlier' });
    const event = { event_key: 'a.b', recipient: {}, payload: matching as JsonObject };
    expect(compiled.ok && compiled.filter.holds(event, filterMeter(event))).toBe(true);
  });

  it('are compiled if they were stored when their steps were counted lower', () => {
    const filter = {
      $or: Array.from({ length: 29 }, (_, at) => ({ payload: { type: { $in: [at, 'other'] } } })),
    };
    expect(compileFilter(filter)).toMatchObject({ ok: false, issues: [{ code: 'too_large' }] });
    expect(compileFilter(filter, { isStored: true }).ok).toBe(true);
  });

  it('are refused if they are too deep, too large or have too many conditions', () => {
    const codeOf = (filter: JsonValue) => {
      const result = compileFilter(filter);
      return result.ok ? null : result.issues.at(-1)?.code;
    };
    expect(codeOf({ payload: nested(FILTER_LIMITS.depth - 1) })).toBeNull();
    expect(codeOf({ payload: nested(FILTER_LIMITS.depth) })).toBe('too_large');
    expect(codeOf({ payload: nested(5_000) })).toBe('too_large');
    expect(codeOf({ payload: { a: { $in: Array.from({ length: 257 }, (_, index) => index) } } })).toBe(
      'too_many',
    );
    expect(codeOf({ payload: { a: 'x'.repeat(FILTER_LIMITS.characters) } })).toBe('too_long');
    expect(codeOf({ payload: { a: { $eq: nested(40) } } })).toBe('too_large');
  });

  it('are refused if their worst case takes too long, but may compare every field of an object', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
    expect(compileFilter({ payload: fields(200) }).ok).toBe(true);
    expect(compileFilter({ payload: { order: fields(30) } }).ok).toBe(true);
    const result = compileFilter({ payload: { a: { b: { c: { d: fields(200) } } } } });
    expect(result).toMatchObject({ ok: false, issues: [{ path: '', code: 'too_large' }] });
    const searches = Array.from({ length: 120 }, (_, index) => ({ text: { $in: `needle ${index}` } }));
    expect(compileFilter({ payload: { $or: searches } }).ok).toBe(false);
  });

  it('stop when the filters of an event have used all of its steps', () => {
    const filter = compiled({ payload: { items: { sku: 'x' } } });
    const event = eventOf({ items: Array.from({ length: 1_000 }, () => ({})) });
    expect(() => filter.holds(event, new FilterMeter(500))).toThrow('too many steps');
    expect(filter.holds(event, meter())).toBe(false);
  });

  it('pay for lists without elements', () => {
    const event = eventOf({ items: Array.from({ length: 1_000 }, () => []) });
    for (const condition of ['x', { sku: 'x' }]) {
      const filter = compiled({ payload: { items: condition } });
      expect(() => filter.holds(event, new FilterMeter(500))).toThrow('too many steps');
    }
  });

  it('count the fields of an object once, however many conditions compare it as a whole', () => {
    const filter = compiled({ payload: { $or: Array.from({ length: 60 }, () => ({ $eq: { a: 1 } })) } });
    let looks = 0;
    const payload = new Proxy<JsonObject>(
      { a: 1, b: 2 },
      {
        ownKeys(target) {
          looks += 1;
          return Reflect.ownKeys(target);
        },
      },
    );
    expect(filter.holds(eventOf(payload), meter())).toBe(false);
    expect(looks).toBe(1);
  });

  it('get fewer steps for a small event than for a large one, and a single filter always has enough', () => {
    const search = { payload: { $or: Array.from({ length: 20 }, (_, index) => ({ tags: `tag ${index}` })) } };
    const filter = compiled(search);
    const tagged = (tags: number) => eventOf({ tags: Array.from({ length: tags }, () => 1) });
    for (const tags of [1, 1_000, 100_000]) {
      const event = tagged(tags);
      expect(filter.holds(event, filterMeter(event))).toBe(false);
    }
    const small = tagged(1_300);
    const shared = filterMeter(small);
    const channels = Array.from({ length: 100 }, () => filter);
    expect(() => channels.map((each) => each.holds(small, shared))).toThrow('too many steps');
  });
});
