import type { Expectation } from './case.ts';

/** A request of a client. Its time is in milliseconds of a monotonic clock. */
export interface Seen {
  readonly method: string;
  /** Without the query, not decoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: string;
  /** When its head arrived. */
  readonly at: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** Timers may fire this much early, in milliseconds. */
const TIMER_TOLERANCE_MS = 5;
const MAX_SHOWN = 300;

const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values that `$key` and `$key:<index of an event>` stand for: the keys of the first request. */
function keysOf(first: Seen | undefined): Readonly<Record<string, unknown>> {
  const events = (parsed(first?.body ?? '') as { events?: { idempotency_key?: string }[] } | null)?.events;
  const ofEvents = (events ?? []).map((event, index) => [`$key:${index}`, event.idempotency_key]);
  return Object.fromEntries([['$key', first?.headers['idempotency-key']], ...ofEvents]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Where a value differs from what is expected. Objects may have more fields; null is also satisfied by absence. */
function differences(
  expected: unknown,
  actual: unknown,
  keys: Readonly<Record<string, unknown>>,
  path: string,
): string[] {
  if (expected === '$uuid')
    return UUID.test(String(actual)) ? [] : [`${path}: expected a UUID, not ${shown(actual)}`];
  if (isObject(expected) && isObject(actual))
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(value, actual[name], keys, `${path}.${name}`),
    );
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const elements = expected.flatMap((value, index) =>
      differences(value, actual[index], keys, `${path}[${index}]`),
    );
    if (expected.length === actual.length) return elements;
    return [`${path}: expected ${expected.length} elements, not ${actual.length}`, ...elements];
  }
  const wanted = typeof expected === 'string' && expected in keys ? keys[expected] : expected;
  return wanted === (actual ?? null) ? [] : [`${path}: expected ${shown(wanted)}, not ${shown(actual)}`];
}

/** The problems of a property that requests share. */
function sharedProblems(
  { keys, bodies, max_body_bytes: maxBytes }: Expectation,
  seen: readonly Seen[],
): string[] {
  const problems: string[] = [];
  const sent = seen.map(({ headers }) => headers['idempotency-key'] ?? '');
  const count = new Set(sent).size;
  if (keys && !sent.every((key) => UUID.test(key))) problems.push(`not all keys are UUIDs: ${shown(sent)}`);
  if (keys === 'one' && count > 1) problems.push(`the tries of a call had ${count} idempotency keys`);
  if (keys === 'own' && count < sent.length) problems.push('two calls had the same idempotency key');
  if (bodies === 'same' && new Set(seen.map(({ body }) => body)).size > 1)
    problems.push('the tries of a call had different bytes');
  for (const [index, { body }] of seen.entries()) {
    const bytes = Buffer.byteLength(body);
    if (maxBytes !== undefined && bytes > maxBytes)
      problems.push(`requests[${index}] has ${bytes} bytes, more than ${maxBytes}`);
  }
  return problems;
}

/** What the client did otherwise than the case expects, as sentences; nothing if it passed. */
export function problemsOf(expect: Expectation, seen: readonly Seen[], outcomes: unknown): string[] {
  const problems: string[] = [];
  const keys = keysOf(seen[0]);
  const { requests, waits_ms: waits = [] } = expect;
  if (typeof requests === 'number' && requests !== seen.length)
    problems.push(`expected ${requests} requests, not ${seen.length}`);
  if (Array.isArray(requests)) {
    const given = seen.map(({ body, ...others }) => ({ ...others, body: parsed(body) }));
    problems.push(...differences(requests, given, keys, 'requests'));
  }
  problems.push(...sharedProblems(expect, seen));
  for (const [index, ms] of waits.entries()) {
    const waited = (seen[index + 1]?.at ?? 0) - (seen[index]?.at ?? 0);
    if (waited < ms - TIMER_TOLERANCE_MS)
      problems.push(`waited ${Math.round(waited)} ms after requests[${index}], less than ${ms} ms`);
  }
  if (expect.outcomes !== undefined)
    problems.push(...differences(expect.outcomes, outcomes, keys, 'outcomes'));
  return problems;
}
