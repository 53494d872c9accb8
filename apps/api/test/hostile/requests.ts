import type { OutgoingHttpHeaders } from 'node:http';
import type { SchemaObject } from 'ajv';
import fc from 'fast-check';
import { bodyUseOf } from '../../src/http/admission.ts';
import type { OperationDescription, Parameter } from '../../src/openapi/operation.ts';
import { anyBody, type Body } from './bodies.ts';
import { percentEncoded, reference } from './references.ts';
import { fromSchema } from './schemas.ts';
import { anyId, HOSTILE_STRINGS, hostileString } from './values.ts';

/** A request that has references in its path, headers and body. */
export interface HostileRequest {
  readonly operationId: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Body | null;
}

/** Segments that no id has, as they stand in a path. */
const HOSTILE_SEGMENTS = [
  'x',
  '%00',
  '%ff',
  '%',
  '%2e%2e%2fplans',
  '..',
  '.',
  '%F0%9F%8F%B3',
  'null',
  '__proto__',
  'constructor',
  'a;b=c',
  "'",
  'msg_',
  'MSG_01KB2T5RWHFFH8RKC5F0M1EK9Q',
  'msg_8zzzzzzzzzzzzzzzzzzzzzzzzz',
  'ten_00000000000000000000000000',
  'x'.repeat(4_000),
];

/** Queries that are not pairs of a name and a value. */
const HOSTILE_QUERIES = [
  '&',
  '=',
  'limit',
  'limit=',
  'limit=%00',
  'limit=1&limit=2',
  'limit[]=1',
  'limit[a]=1',
  'limit=1e1',
  'limit=99999999999999999999',
  'cursor=%ff%fe',
  'cursor=AAAA',
  'cursor=',
  '__proto__=1',
  'constructor[prototype]=1',
  '%',
  '%zz=%zz',
  'event_key=%F0%9F%8F%B3',
  'created_after=9999-12-31T23:59:59Z&created_before=0001-01-01T00:00:00Z',
  'a=1&'.repeat(200),
];

/** What Node's client takes for a header: no line breaks, and nothing beyond Latin-1. */
const HEADER_TEXTS = [
  '',
  ' ',
  'x',
  'x'.repeat(128),
  'x'.repeat(129),
  'a\tb',
  'caf\u00e9',
  '\u00ff\u00fe',
  '__proto__',
];

/** A weight of 1 for what is out of the ordinary, against `likely`. */
const mostly = <Value>(likely: number, usual: fc.Arbitrary<Value>, ...unusual: fc.Arbitrary<Value>[]) =>
  fc.oneof({ weight: likely, arbitrary: usual }, ...unusual.map((arbitrary) => ({ weight: 1, arbitrary })));

const encoded = fc.constantFrom(...HOSTILE_STRINGS).map(percentEncoded);

function segmentFor({ name, schema }: Parameter): fc.Arbitrary<string> {
  const plan = fc.nat(9).map((index) => reference('plan', index));
  // Ids that callers choose can have any character.
  const given = fromSchema(schema, name).map((value) =>
    String(value).includes('«') ? String(value) : percentEncoded(String(value)),
  );
  const fitting = name === 'code' ? plan : given;
  const foreign = fitting.map((text) => text.replace('«', '«other.'));
  return mostly(8, fitting, foreign, anyId, fc.constantFrom(...HOSTILE_SEGMENTS), encoded);
}

function queryFor(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) =>
    mostly(4, fromSchema(schema, name).map(String), hostileString).map(
      (value) => `${name}=${percentEncoded(value)}`,
    ),
  );
  const some = fc
    .tuple(...pairs.map((pair) => fc.option(pair, { freq: 2, nil: '' })))
    .map((chosen) => chosen.filter(Boolean).join('&'));
  return mostly(5, some, fc.constantFrom(...HOSTILE_QUERIES));
}

function pathFor(doc: OperationDescription): fc.Arbitrary<string> {
  const inPath = doc.parameters.filter((parameter) => parameter.in === 'path');
  const query = queryFor(doc.parameters.filter((parameter) => parameter.in === 'query'));
  return fc.tuple(fc.tuple(...inPath.map(segmentFor)), query).map(([segments, text]) => {
    const values = new Map(inPath.map(({ name }, index) => [name, segments[index] ?? '']));
    const path = doc.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values.get(name) ?? '');
    return text === '' ? path : `${path}?${text}`;
  });
}

const optional = (value: fc.Arbitrary<string>) => fc.option(value, { freq: 3, nil: undefined });

/** The token of `caller` mostly, else none, another's, or nonsense. */
function authorization(caller: 'admin' | 'environment'): fc.Arbitrary<string | undefined> {
  const bearer = (kind: string, index = 0) => `Bearer ${reference(kind, index)}`;
  return mostly<string | undefined>(
    20,
    fc.constant(bearer(caller)),
    // First those of one scope, then what the service has issued.
    fc.nat(19).map((index) => bearer('token', index)),
    fc.constantFrom(bearer('admin'), bearer('environment'), bearer('other.environment')),
    fc.constantFrom(
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic eDp5',
      'Bearer \u00ff',
      `Bearer ${'x'.repeat(4_000)}`,
    ),
  );
}

const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=latin1',
  'application/json;charset="utf-8"',
  'application/merge-patch+json',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'multipart/form-data; boundary=x',
  ';',
];

function headersFor(doc: OperationDescription): fc.Arbitrary<OutgoingHttpHeaders> {
  const odd = fc.constantFrom(...HEADER_TEXTS);
  const key = mostly(6, fc.uuid(), fc.constant('0d4cc4a5-6b0f-4a53-9a52-6a3f6d2f9b11'), odd);
  const isPublic = doc.path.startsWith('/api/');
  const needsKey = doc.traits?.idempotency.key === 'required';
  return fc
    .record({
      authorization: authorization(isPublic ? 'environment' : 'admin'),
      'content-type': mostly<string | undefined>(
        12,
        fc.constant('application/json'),
        fc.constantFrom(...CONTENT_TYPES),
        fc.constant(undefined),
      ),
      'content-encoding': mostly<string | undefined>(
        40,
        fc.constant(undefined),
        fc.constantFrom('gzip', 'identity', 'x'),
      ),
      'idempotency-key': needsKey ? mostly(30, key, fc.constant('')) : optional(key),
      'x-request-id': optional(odd),
      'x-actor': optional(odd),
      traceparent: optional(
        fc.constantFrom('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-00', 'x'),
      ),
      accept: optional(fc.constantFrom('*/*', 'text/html', 'application/xml;q=1', '\u00e9')),
      origin: optional(fc.constantFrom('https://app.example', 'null', '')),
    })
    .map((headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)));
}

const UPPER = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** A request to an operation: what its description allows, and what it does not. */
export function requestFor(doc: OperationDescription): fc.Arbitrary<HostileRequest> {
  const schema = bodyUseOf(doc) === 'ignored' ? null : ((doc.body?.schema ?? {}) as SchemaObject);
  return fc.record({
    operationId: fc.constant(doc.operationId),
    method: mostly<string>(
      60,
      fc.constant(UPPER[doc.method]),
      fc.constantFrom('PUT', 'DELETE', 'OPTIONS', 'PURGE'),
    ),
    path: pathFor(doc),
    headers: headersFor(doc),
    body: anyBody(schema),
  });
}
