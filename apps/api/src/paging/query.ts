import type { Page } from '@postrider/db';
import { type DetailCode, type IdPrefix, type JsonObject, parseId, parseTimestamp } from '@postrider/domain';
import type { Detail } from '../http/reply.ts';

/** Rows on a page of any list: docs/specification.md, "Lists". */
export const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

/** How one query parameter is read: `parse` gives null for what is not legal, and `message` says what is. */
export interface Parameter<Value> {
  readonly parse: (text: string) => Value | null;
  readonly code: DetailCode;
  readonly message: string;
}

type Values<Parameters extends Record<string, Parameter<unknown>>> = {
  readonly [Name in keyof Parameters]: Exclude<ReturnType<Parameters[Name]['parse']>, null> | undefined;
};

export type ParsedQuery<Parameters extends Record<string, Parameter<unknown>>> =
  | { readonly outcome: 'valid'; readonly values: Values<Parameters> }
  | { readonly outcome: 'invalid'; readonly issues: readonly Detail[] };

/** The query of a URL or of the path in a request line. */
export function queryOf(url = ''): URLSearchParams {
  return new URLSearchParams(url.split(/\?(.*)/s, 2)[1] ?? '');
}

function unexpected(query: URLSearchParams, known: object): Detail[] {
  return [...new Set(query.keys())].flatMap((name): Detail[] => {
    if (!Object.hasOwn(known, name)) {
      return [{ path: `/${name}`, code: 'unknown_field', message: 'is not a known parameter' }];
    }
    const repeated = query.getAll(name).length > 1;
    return repeated ? [{ path: `/${name}`, code: 'duplicate', message: 'must be given once' }] : [];
  });
}

/**
 * Reads a query; unknown, repeated and malformed parameters are all named at once. Absent ones are undefined.
 */
export function parseQuery<Parameters extends Record<string, Parameter<unknown>>>(
  query: URLSearchParams,
  parameters: Parameters,
): ParsedQuery<Parameters> {
  const issues = unexpected(query, parameters);
  const values = Object.entries(parameters).map(([name, { parse, code, message }]) => {
    const text = query.get(name);
    const value = text === null ? undefined : parse(text);
    if (value === null) issues.push({ path: `/${name}`, code, message });
    return [name, value];
  });
  return issues.length > 0
    ? { outcome: 'invalid', issues }
    : { outcome: 'valid', values: Object.fromEntries(values) };
}

const parseLimit = (text: string) =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT ? Number(text) : null;

export const LIMIT: Parameter<number> = {
  parse: parseLimit,
  code: 'invalid_value',
  message: `must be a whole number from 1 to ${MAX_LIMIT}`,
};

/** Position in a list in the order of ids. */
const CURSOR: Parameter<string> = {
  parse: parseCursor,
  code: 'invalid_value',
  message: 'must be a next_cursor of this list',
};

/** What every list in the order of ids understands. */
export const PAGING_PARAMETERS = { limit: LIMIT, cursor: CURSOR };

/** Where a page begins and how long it is. */
export function positionOf({
  limit = DEFAULT_LIMIT,
  cursor = null,
}: {
  readonly limit?: number | undefined;
  readonly cursor?: string | null | undefined;
}): { readonly after: string | null; readonly limit: number } {
  return { after: cursor, limit };
}

/** Position in a list in the order of a text such as a code; `isKey` is that text's form. */
export function textCursor(isKey: (key: string) => boolean): Parameter<string> {
  return { ...CURSOR, parse: (text) => parseTextCursor(text, isKey) };
}

export const TIME: Parameter<Date> = {
  parse: parseTimestamp,
  code: 'invalid_format',
  message: 'must be an RFC 3339 time with offset',
};

/** One of a closed list. */
export function oneOf<const Value extends string>(values: readonly Value[]): Parameter<Value> {
  return {
    parse: (text) => values.find((value) => value === text) ?? null,
    code: 'invalid_value',
    message: `must be one of ${values.join(', ')}`,
  };
}

/** A public id; its value is the UUID. */
export function idParameter(prefix: IdPrefix): Parameter<string> {
  return {
    parse: (text) => parseId(prefix, text),
    code: 'invalid_format',
    message: `must be an id that begins with ${prefix}_`,
  };
}

/**
 * First byte of a cursor: the form of what follows, so that a list refuses the cursor of one with another
 * key, and forms can change without misreading an old one.
 */
const FORM = { id: 1, text: 2 } as const;
const UUID_BYTES = 16;

function format(form: number, key: Uint8Array): string {
  return Buffer.concat([Buffer.of(form), key]).toString('base64url');
}

/** The key within a cursor of this form, null for any text that {@link format} did not make. */
function parse(form: number, text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes[0] === form && bytes.toString('base64url') === text ? bytes.subarray(1) : null;
}

/** An opaque cursor for the position after a row with this UUID; it holds nothing else. */
export function formatCursor(id: string): string {
  return format(FORM.id, Buffer.from(id.replaceAll('-', ''), 'hex'));
}

/**
 * The UUID of the row that a cursor stands behind, or null when it is not one that {@link formatCursor} made.
 */
function parseCursor(text: string): string | null {
  const key = parse(FORM.id, text);
  if (key?.length !== UUID_BYTES) return null;
  return key.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** As {@link formatCursor}, for a list in the order of a text such as a code. */
export function formatTextCursor(key: string): string {
  return format(FORM.text, Buffer.from(key));
}

/**
 * The key that a cursor stands behind, or null when it is not one that {@link formatTextCursor} made of
 * something that `isKey`.
 */
function parseTextCursor(text: string, isKey: (key: string) => boolean): string | null {
  const key = parse(FORM.text, text)?.toString();
  return key !== undefined && isKey(key) ? key : null;
}

/** The body of every list: `{data, has_more, next_cursor}` (docs/specification.md, "Lists"). */
export function presentPage<Row>(
  { rows, nextAfter }: Page<Row>,
  present: (row: Row) => JsonObject,
  formatCursor: (key: string) => string,
): JsonObject {
  return {
    data: rows.map(present),
    has_more: nextAfter !== null,
    next_cursor: nextAfter && formatCursor(nextAfter),
  };
}
