import type { SchemaObject } from 'ajv';
import fc from 'fast-check';
import { fromSchema } from './schemas.ts';
import { HOSTILE_STRINGS, hostileJson } from './values.ts';

type Json = unknown;
/** Changes a value at one place in it. `choices` are numbers from 0 to 1 that say where. */
type Change = (value: Json, choices: readonly number[]) => Json;

const FIELD_NAMES = ['__proto__', 'constructor', 'toString', 'extra', 'EVENT_KEY', '', ...HOSTILE_STRINGS];

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const pick = <Item>(items: readonly Item[], choice: number): Item | undefined =>
  items[Math.floor(choice * items.length)];

/** An object with a field of any name, `__proto__` too, as JSON has it. */
const withField = (object: Record<string, Json>, name: string, value: Json) =>
  Object.fromEntries([...Object.entries(object), [name, value]]);

function withoutField(object: Record<string, Json>, choice: number): Json {
  const gone = pick(Object.keys(object), choice);
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== gone));
}

/** Goes down to a field chosen by the first choices, and changes the value there. */
function changeWithin(value: Json, choices: readonly number[], change: Change): Json {
  const [stop = 1, which = 0, ...rest] = choices;
  const names = isObject(value) ? Object.keys(value) : [];
  const name = pick(names, which);
  if (!isObject(value) || name === undefined || stop < 0.3) return change(value, rest);
  return withField(value, name, changeWithin(value[name], rest, change));
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** Bodies that JSON.stringify would not write: no JSON at all, or JSON that readers take in different ways. */
const RAW_BODIES: readonly Uint8Array[] = [
  '',
  ' ',
  '{',
  'null',
  '[]',
  '"text"',
  '1e400',
  '{"a":1e400}',
  '{"overlap_seconds":1e400}',
  '{"name":"a","name":"b"}',
  '{"event_key":"order.shipped","event_key":1,"recipient":{},"payload":{}}',
  '{"__proto__":{"event_key":"order.shipped"},"recipient":{},"payload":{}}',
  '{"event_key":"order.shipped","recipient":{"__proto__":{"email":"x"}},"payload":{"constructor":1}}',
  '{"event_key":"order.shipped","recipient":{},"payload":{"a":"\\u0000"}}',
  '{"event_key":"order.shipped","recipient":{},"payload":{"\\ud800":"\\udfff"}}',
  '{"event_key":"order.shipped","recipient":{},"payload":{"a":12345678901234567890.5}}',
  '\ufeff{}',
  '{}//comment',
  "{'a':1}",
  '{"a":NaN}',
  nested(31),
  nested(33),
  nested(20_000),
  '['.repeat(50_000),
  `{"event_key":"order.shipped","recipient":{},"payload":${nested(30)}}`,
  `{"event_key":"order.shipped","recipient":{},"payload":{"a":"${'x'.repeat(262_000)}"}}`,
  `{"name":"${'x'.repeat(300_000)}"}`,
  `{"payload":{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":0`).join(',')}}}`,
]
  .map((text) => new TextEncoder().encode(text))
  .concat([
    Uint8Array.from([0xff, 0xfe, 0x7b, 0x7d]),
    Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    Uint8Array.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Uint8Array.from([0x1f, 0x8b, 0x08, 0x00]),
  ]);

function mutated(valid: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const choices = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 8,
    maxLength: 8,
  });
  const change: fc.Arbitrary<Change> = fc.oneof(
    hostileJson.map(
      (value): Change =>
        () =>
          value,
    ),
    fc.tuple(fc.constantFrom(...FIELD_NAMES), hostileJson).map(
      ([name, added]): Change =>
        (value) =>
          isObject(value) ? withField(value, name, added) : added,
    ),
    fc.constant<Change>((value, [which = 0]) => (isObject(value) ? withoutField(value, which) : [])),
    fc.constant<Change>((value) => [value]),
  );
  return fc.tuple(valid, change, choices).map(([value, how, where]) => changeWithin(value, where, how));
}

/** A body as text, in which references are to be put, or as bytes that are sent unchanged. */
export type Body = string | Uint8Array;

const asText = (body: Json): Body => JSON.stringify(body) ?? '';

/** Bodies for a schema: half of them are what it allows; null where the operation takes none. */
export function anyBody(schema: SchemaObject | null): fc.Arbitrary<Body | null> {
  const raw = fc.constantFrom<Body[]>(...RAW_BODIES);
  if (schema === null) {
    return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: raw });
  }
  const valid = fromSchema(schema);
  return fc.oneof(
    { weight: 10, arbitrary: valid.map(asText) },
    { weight: 6, arbitrary: mutated(valid).map(asText) },
    { weight: 1, arbitrary: hostileJson.map(asText) },
    { weight: 3, arbitrary: raw },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}
