import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Case } from './case.ts';

const CASES = fileURLToPath(new URL('../../conformance/cases/', import.meta.url));

const EVENT = { event_key: 'order.shipped', recipient: { email: 'ada@example.com', name: 'Ada' } };
/** The body of an accepted event. */
export const ACCEPTED = {
  message_id: 'msg_01kb2t5rwhffh8rkc5f0m1ek9q',
  status: 'pending',
  delivery_runs: [],
};

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

type Fields = Readonly<Record<string, unknown>>;

/** The value that an object with a `$` abbreviates, so that the files of cases stay short. README.md lists them. */
const ABBREVIATIONS: Readonly<Record<string, (value: never, others: Fields) => unknown>> = {
  $accepted: () => ACCEPTED,
  $event: (n: number) => ({ ...EVENT, payload: { n } }),
  $events: (count: number, others) =>
    range(0, count).map((n) => ({ event: { ...EVENT, payload: { n, ...others } } })),
  $page: (ids: readonly string[], { cursor }) => ({
    data: ids.map((id) => ({ id })),
    has_more: cursor !== null,
    next_cursor: cursor,
    searched_back_to: null,
  }),
  $repeat: ([text, count]: readonly [string, number]) => text.repeat(count),
  $sent: ([from, to]: readonly [number, number]) =>
    range(from, to).map((n) => ({ idempotency_key: '$uuid', event: { payload: { n } } })),
  $times: ([count, value]: readonly [number, unknown]) => Array(count).fill(value),
};

/** Replaces abbreviations. `{"$spread": [n, value]}` in an array are n elements. */
function expand(value: unknown): unknown {
  if (Array.isArray(value))
    return value.flatMap((each) => {
      const spread = each?.$spread as readonly [number, unknown] | undefined;
      return spread ? Array(spread[0]).fill(expand(spread[1])) : [expand(each)];
    });
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, expand(each)] as const);
  const short = fields.find(([name]) => name in ABBREVIATIONS);
  if (!short) return Object.fromEntries(fields);
  const [name, argument] = short;
  return ABBREVIATIONS[name]?.(
    argument as never,
    Object.fromEntries(fields.filter((each) => each !== short)),
  );
}

/** A case of a file: `each` makes several of it, whose fields replace those of the case. */
type Written = Case & { readonly each?: readonly Partial<Case>[] };

/** Reads all cases, with unique names. Throws if a file is not JSON. */
export function loadCases(): readonly Case[] {
  const cases = readdirSync(CASES)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const written = JSON.parse(readFileSync(join(CASES, file), 'utf8')) as readonly Written[];
      return written.flatMap(({ each = [{}], ...common }) =>
        each.map((one) => ({
          ...common,
          ...one,
          name: [`${basename(file, '.json')}: ${common.name}`, one.name].filter(Boolean).join(' '),
        })),
      );
    });
  const names = new Set(cases.map(({ name }) => name));
  if (names.size < cases.length) throw new Error('two cases have the same name');
  return expand(cases) as Case[];
}
