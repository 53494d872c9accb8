import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { type AuthorIn, byAuthors } from '../target/author.ts';
import { type Call, callAll, callApi, isFitting } from '../target/post-event.ts';
import { eventOf } from './deliveries.ts';

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** A schema in which each definition refers to the next one twice: 2^30 paths. */
function doublingRefs(): object {
  const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
  const definitions = names.map((name, index) => {
    const next = { $ref: `#/$defs/${names[index + 1] ?? name}` };
    return [name, index === 29 ? { type: 'string' } : { anyOf: [next, next] }];
  });
  return { $defs: Object.fromEntries(definitions), properties: { text: { $ref: '#/$defs/d0' } } };
}

/** Schemas that are refused, or that cost little with any payload; each with its worst payload. */
const SCHEMAS: readonly (readonly [object, object])[] = [
  [{ properties: { text: { pattern: '^(a+)+$' } } }, { text: `${'a'.repeat(60)}!` }],
  [{ properties: { text: { pattern: '^(a|aa)+$' } } }, { text: `${'a'.repeat(200)}!` }],
  [{ properties: { text: { pattern: '(.*,){20}x' } } }, { text: 'a,'.repeat(5_000) }],
  [{ patternProperties: { '^(x+x+)+y$': {} } }, { ['x'.repeat(60)]: 1 }],
  [
    { properties: { list: { uniqueItems: true } } },
    { list: Array.from({ length: 20_000 }, (_, at) => [at]) },
  ],
  [doublingRefs(), { text: 1 }],
  [{ $ref: '#' }, { a: 1 }],
  [{ allOf: [{ $ref: '#' }] }, { a: 1 }],
  [JSON.parse(`${'{"not":'.repeat(30)}{}${'}'.repeat(30)}`), { a: 1 }],
  [{ properties: { text: { enum: Array.from({ length: 5_000 }, (_, at) => `v${at}`) } } }, { text: 'x' }],
];

async function useSchemas({ target, amount }: AttackContext, authorIn: AuthorIn): Promise<Outcome> {
  const environment = await target.addEnvironment({ settings: { unmatchedEvents: 'store' } });
  const author = await authorIn(environment);
  const violations: string[] = [];
  let accepted = 0;
  for (const [index, [schema, payload]] of SCHEMAS.entries()) {
    const eventKey = `schema.${index}`;
    const put = await callApi(target, {
      method: 'PUT',
      path: author.path(`event-types/${eventKey}`),
      token: author.token,
      body: JSON.stringify({ payload_schema: schema }),
    });
    if (!isFitting(put.status)) violations.push(`schema ${index} was answered ${put.status}`);
    if (put.status === 200 || put.status === 201) accepted += 1;
    const event = eventOf(eventKey, payload);
    const events = repeated(amount(10, 200), {
      path: '/api/v1/events',
      body: event,
      what: `schema ${index}`,
    });
    violations.push(...(await callAll(target, environment.token, events)).violations);
  }
  return { figures: { schemas: SCHEMAS.length, accepted }, violations };
}

const repeated = (times: number, call: Call): Call[] => Array.from({ length: times }, () => call);

const inPayload = (json: string) =>
  `{"event_key":"order.shipped","recipient":{"email":"ada@example.com"},"payload":${json}}`;
const MOST = 250_000;

/** Valid or nearly valid JSON that is expensive for a careless parser. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'nested lists': inPayload(`{"a":${nested('[', ']', 100_000)}}`),
  'nested objects': inPayload(`${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`),
  'lists never closed': '['.repeat(MOST),
  'a number of 250,000 digits': inPayload(`{"a":${'9'.repeat(MOST)}}`),
  'an exponent of 250,000 digits': inPayload(`{"a":1e${'9'.repeat(MOST)}}`),
  'one name 20,000 times': inPayload(`{${'"a":1,'.repeat(20_000)}"a":2}`),
  'many names': inPayload(`{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join()}}`),
  'names that look like hashes of one another': inPayload(
    `{${Array.from({ length: 15_000 }, (_, at) => `"${at * 65_536}":1`).join()}}`,
  ),
  '__proto__ and constructor': inPayload(
    '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
  ),
  'escapes alone': inPayload(`{"a":"${'\\u0041'.repeat(40_000)}"}`),
  'lone surrogates': inPayload(`{"a":"${'\\ud800'.repeat(40_000)}"}`),
  'NUL as an escape': inPayload('{"a":"\\u0000"}'),
  'a list of empty lists': inPayload(`{"a":[${'[],'.repeat(80_000)}[]]}`),
};

const MIB = 1024 * 1024;

/** The same for a batch, whose body may be larger. */
const BATCHES: Readonly<Record<string, string>> = {
  'a batch of nested lists': `{"events":${nested('[', ']', MIB / 2 - 10)}}`,
  'a batch of lists never closed': '['.repeat(MIB),
  'a batch of NUL and nested lists': `{"events":["\\u0000",${nested('[', ']', MIB / 2 - 20)}]}`,
};

async function sendDocuments({ target, amount }: AttackContext): Promise<Outcome> {
  const { token } = target.attacker;
  const violations: string[] = [];
  const sent = { '/api/v1/events': DOCUMENTS, '/api/v1/events/batch': BATCHES };
  for (const [path, documents] of Object.entries(sent)) {
    for (const [name, body] of Object.entries(documents)) {
      const calls = repeated(amount(8, 200), { path, body, what: name });
      violations.push(...(await callAll(target, token, calls)).violations);
    }
  }
  return {
    figures: { documents: Object.keys(DOCUMENTS).length + Object.keys(BATCHES).length },
    violations,
  };
}

export const DOCUMENT_ATTACKS: readonly Attack[] = [
  ...byAuthors({ name: 'hostile payload schemas', needed: 'event-types:write', run: useSchemas }),
  { name: 'hostile JSON', run: sendDocuments },
];
