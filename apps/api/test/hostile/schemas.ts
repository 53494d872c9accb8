import type { SchemaObject } from 'ajv';
import fc from 'fast-check';
import { reference } from './references.ts';

/** What a pattern says of ids, as the schemas of the document have it. */
const ID_PATTERN = /^\^([a-z]{3})_\[0-7\]/;

const LIQUID = [
  'Hello {{ recipient.name | default: "you" }}',
  '<p>{{ payload.order_id }}</p>',
  '<mjml><mj-body><mj-section><mj-column><mj-text>{{ event_key }}</mj-text></mj-column></mj-section></mj-body></mjml>',
  '{% if payload.a %}{{ payload.a | upcase }}',
  '{{ payload.missing }}',
  'plain',
];
const PAYLOAD_SCHEMAS = [
  { type: 'object' },
  { type: 'object', required: ['order_id'], properties: { order_id: { type: 'string' } } },
  { properties: { a: { pattern: '(a+)+$' } } },
  { $ref: '#' },
  { $ref: 'https://schemas.example.com/x' },
  { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
  { type: 'nonsense' },
  { allOf: Array.from({ length: 300 }, () => ({ not: {} })) },
];

const EVENT_KEYS = fc.constantFrom('order.shipped', 'order.paid', 'a.b');
const PLAN = fc.nat(9).map((index) => reference('plan', index));

/** Fields whose schema says less than what is worth trying, by name. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  event_key: EVENT_KEYS,
  eventKey: EVENT_KEYS,
  event_keys: fc.subarray(['*', 'order.*', 'order.shipped'], { minLength: 1 }),
  plan: PLAN,
  cursor: fc.nat(9).map((index) => reference('cursor', index)),
  url: fc.constantFrom('https://hooks.example.com/in', 'https://hooks.example.com:8443/a?b=c'),
  host: fc.constantFrom('smtp.example.com', 'mail.example.org'),
  subject: fc.constantFrom(...LIQUID),
  html: fc.constantFrom(...LIQUID),
  text: fc.constantFrom(...LIQUID),
  payload_schema: fc.constantFrom(...PAYLOAD_SCHEMAS),
  payload: fc.dictionary(fc.constantFrom('order_id', 'a', 'b'), fc.jsonValue({ maxDepth: 2 })),
  headers: fc.dictionary(fc.stringMatching(/^X-[A-Z][a-z]{1,8}$/), fc.stringMatching(/^[!-~]{1,20}$/), {
    maxKeys: 3,
  }),
  name: fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/),
  code: fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/),
};

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  email: fc.constantFrom('ada@example.com', 'x+y@example.org'),
  'date-time': fc
    .date({ min: new Date('2025-01-01'), max: new Date('2027-06-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  uuid: fc.uuid(),
  uri: fc.constant('https://example.com/'),
};

function aString({ pattern, format, minLength = 0, maxLength }: SchemaObject): fc.Arbitrary<unknown> {
  const [, prefix] = ID_PATTERN.exec(pattern ?? '') ?? [];
  if (prefix !== undefined) return fc.nat(9).map((index) => reference(prefix, index));
  const formatted = FORMATS[format ?? ''];
  if (formatted !== undefined) return formatted;
  if (pattern === undefined) return fc.string({ minLength, maxLength: maxLength ?? 60 });
  // Without a bound of its own only the pattern decides: a filter that nothing passes never ends.
  const accepts = (text: string) => text.length >= minLength && text.length <= (maxLength ?? text.length);
  return fc.stringMatching(new RegExp(pattern, 'u')).filter(accepts);
}

function aNumber({ type, minimum = -1_000, maximum = 1_000_000 }: SchemaObject): fc.Arbitrary<unknown> {
  return type === 'integer'
    ? fc.integer({ min: minimum, max: maximum })
    : fc.double({ min: minimum, max: maximum, noNaN: true });
}

function anObject({ properties = {}, required = [] }: SchemaObject): fc.Arbitrary<unknown> {
  const fields = Object.entries<SchemaObject>(properties).map(([name, field]) => [
    name,
    fromSchema(field, name),
  ]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
}

function ofType(schema: SchemaObject, type: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return aString(schema);
    case 'integer':
    case 'number':
      return aNumber({ ...schema, type });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return anObject(schema);
    default:
      throw new Error(`the generator does not know the type ${type}`);
  }
}

/**
 * Values that a schema allows, mostly: rules that a schema cannot say are left to chance. It knows the keywords that the
 * document's requests use, all but `uniqueItems`, and throws for a type that it does not know. `name` is that of the
 * field the schema stands at.
 */
export function fromSchema(schema: SchemaObject, name = ''): fc.Arbitrary<unknown> {
  const named = schema.const === undefined && schema.enum === undefined ? BY_NAME[name] : undefined;
  if (named !== undefined) return named;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom<unknown>(...schema.enum);
  if (schema.oneOf !== undefined) {
    return fc.oneof(...schema.oneOf.map((branch: SchemaObject) => fromSchema(branch)));
  }
  const types: string[] = [schema.type ?? []].flat();
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((type) => ofType(schema, type)));
}
