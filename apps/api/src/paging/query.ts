import type { Page } from '@postrider/db';
import {
  type Detail,
  type DetailCode,
  formatTime,
  type IdPrefix,
  isUuid,
  type JsonObject,
  parseId,
  parseTimestamp,
  timeOfUuid,
} from '@postrider/domain';
import type { Parameter as DocumentedParameter } from '../openapi/operation.ts';
import type { Schema } from '../openapi/schema.ts';

/** Rows on a page of any list: docs/specification.md, "Lists". */
export const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

/** A query parameter: `parse` returns null for an invalid value, and `message` says what is valid. */
export interface Parameter<Value> {
  readonly parse: (text: string) => Value | null;
  readonly code: DetailCode;
  readonly message: string;
}

/** A query parameter with its description and schema in the OpenAPI document. */
export type DescribedParameter<Value> = Parameter<Value> & {
  readonly description: string;
  readonly schema: Schema;
  readonly required?: true;
  readonly example?: unknown;
};

/** Describes a parameter. Its values have a schema of their own if the parser has none. */
export const described = <Value>(
  description: string,
  parameter: Parameter<Value> & { readonly schema?: Schema },
  schema: Schema = parameter.schema ?? {},
): DescribedParameter<Value> => ({ ...parameter, description, schema });

/** The parameters as the OpenAPI document has them. */
export const documented = (
  parameters: Readonly<Record<string, DescribedParameter<unknown>>>,
): DocumentedParameter[] =>
  Object.entries(parameters).map(([name, { description, schema, required, example }]) => ({
    name,
    in: 'query',
    description,
    schema,
    ...(required && { required, example }),
  }));

type QueryOf = Record<string, Parameter<unknown> & { readonly required?: true }>;

export type Values<Parameters extends QueryOf> = {
  readonly [Name in keyof Parameters]:
    | Exclude<ReturnType<Parameters[Name]['parse']>, null>
    | (Parameters[Name] extends { readonly required: true } ? never : undefined);
};

export type ParsedQuery<Parameters extends QueryOf> =
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
    return repeated ? [{ path: `/${name}`, code: 'duplicate', message: 'must be given only once' }] : [];
  });
}

/** Parses a query. Reports all unknown, repeated, missing and malformed parameters at once. Absent ones are undefined. */
export function parseQuery<Parameters extends QueryOf>(
  query: URLSearchParams,
  parameters: Parameters,
): ParsedQuery<Parameters> {
  const issues = unexpected(query, parameters);
  const values = Object.entries(parameters).map(([name, { parse, code, message, required }]) => {
    const text = query.get(name);
    const value = text === null ? undefined : parse(text);
    if (value === null) issues.push({ path: `/${name}`, code, message });
    if (text === null && required)
      issues.push({ path: `/${name}`, code: 'required', message: 'is required' });
    return [name, value];
  });
  return issues.length > 0
    ? { outcome: 'invalid', issues }
    : { outcome: 'valid', values: Object.fromEntries(values) };
}

const parseLimit = (text: string) =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT ? Number(text) : null;

/** Base64url. The empty text is not a cursor: the first page has no parameter. */
const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$';

/** The cursors of one list. */
export interface Cursors {
  readonly parameter: DescribedParameter<string>;
  /** An opaque cursor for the position after the row with this key. It contains the key and the name of the list. */
  readonly format: (key: string) => string;
}

/**
 * Defines the cursors of a list, which no other list takes: its position would skip or repeat rows there.
 * @param list a name that no other list has
 * @param isKey whether a text can be a key of the list; by default the UUID of a row
 */
export function cursorsOf(list: string, isKey: (text: string) => boolean = isUuid): Cursors {
  const format = (key: string) => Buffer.from(`${list} ${key}`).toString('base64url');
  const parse = (text: string) => {
    const key = Buffer.from(text, 'base64url').toString().slice(`${list} `.length);
    return isKey(key) && format(key) === text ? key : null;
  };
  const parameter = described<string>(
    'The `next_cursor` of the previous page, with the same filters.',
    { parse, code: 'invalid_value', message: 'must be a next_cursor of this list' },
    { type: 'string', pattern: CURSOR_PATTERN },
  );
  return { parameter, format };
}

/** The paging parameters of a list with these cursors. */
export const paging = (
  { parameter }: Cursors,
  { entries = 'Entries per page.', defaultLimit = DEFAULT_LIMIT } = {},
) => ({
  limit: described<number>(
    entries,
    { parse: parseLimit, code: 'invalid_value', message: `must be a whole number from 1 to ${MAX_LIMIT}` },
    { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: defaultLimit },
  ),
  cursor: parameter,
});

/** The start and the length of a page. */
export function positionOf({ limit = DEFAULT_LIMIT, cursor }: Partial<Values<ReturnType<typeof paging>>>) {
  return { after: cursor ?? null, limit };
}

export const TIME: Parameter<Date> & { readonly schema: Schema } = {
  schema: { type: 'string', format: 'date-time' },
  parse: parseTimestamp,
  code: 'invalid_format',
  message: 'must be an RFC 3339 time with offset',
};

/** One of these values. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
): Parameter<Value> & { readonly schema: Schema } {
  return {
    schema: { type: 'string', enum: [...values] },
    parse: (text) => values.find((value) => value === text) ?? null,
    code: 'invalid_value',
    message: `must be one of ${values.join(', ')}`,
  };
}

/** `true` or `false`. */
export const FLAG: Parameter<boolean> = {
  ...oneOf(['true', 'false']),
  parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : null),
};

/** A text that `isValid` accepts. */
export const textThat = (isValid: (text: string) => boolean, message: string): Parameter<string> => ({
  parse: (text) => (isValid(text) ? text : null),
  code: 'invalid_format',
  message,
});

/** A public id; its value is the UUID. */
export function idParameter(prefix: IdPrefix): Parameter<string> {
  return {
    parse: (text) => parseId(prefix, text),
    code: 'invalid_format',
    message: `must be an id that begins with ${prefix}_`,
  };
}

/** The body of every list: `{data, has_more, next_cursor}` (docs/specification.md, "Lists"). */
export function presentPage<Row>(
  { rows, nextAfter }: Page<Row>,
  present: (row: Row) => JsonObject,
  { format }: Cursors,
): JsonObject {
  return {
    data: rows.map(present),
    has_more: nextAfter !== null,
    next_cursor: nextAfter && format(nextAfter),
  };
}

/** How far back a search has looked whose page ends at this position, which begins with the UUID of a message. */
export const searchedBackTo = (nextAfter: string | null): string | null =>
  nextAfter && formatTime(new Date(timeOfUuid(nextAfter)));
