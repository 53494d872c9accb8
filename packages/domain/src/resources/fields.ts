import { presentFields, type RecordName, recordName } from '../present.ts';
import type { JsonObject } from '../storable-json.ts';
import type { IdPrefix } from './registry.ts';

/** A JSON Schema 2020-12, as OpenAPI 3.1 embeds it. */
export type Schema = { readonly [keyword: string]: unknown };

/** Schemas by their names, as components or as properties. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The property exists only in types. */
type Of<Value> = { readonly '~value'?: Value };

/**
 * The schema of a field in responses, which records have as a `Value`: ids as UUIDs, times as dates. One object with the fields of a
 * resource gives its schema, the type of its records ({@link RecordOf}) and their presentation ({@link presenterOf}).
 */
export type Field<Value> = Schema & Of<Value>;

/** The type of the records of a resource with these fields; any for fields of the type {@link Schemas}. */
export type RecordOf<Fields extends Schemas> = string extends keyof Fields
  ? Readonly<Record<string, unknown>>
  : {
      readonly [Name in keyof Fields & string as RecordName<Name>]: Fields[Name] extends Of<infer Value>
        ? Value
        : never;
    };

/**
 * Returns what presents records with these fields in the API's form.
 * @param prefix that of `id`
 */
export function presenterOf<Fields extends Schemas>(
  fields: Fields,
  prefix?: IdPrefix,
): (record: RecordOf<Fields>) => JsonObject {
  const names = Object.keys(fields).map(recordName) as (keyof RecordOf<Fields> & string)[];
  return (record) => presentFields(record, names, prefix);
}

/** The schema or null. */
export function nullable<Value>(schema: Field<Value>): Field<Value | null> {
  return { anyOf: [schema, { type: 'null' }] };
}

export function list<Value>(items: Field<Value>, description?: string): Field<readonly Value[]> {
  return { type: 'array', items, ...(description === undefined ? {} : { description }) };
}

/** The form of a public id: docs/specification.md, "Ids". */
export const idPattern = (prefix: IdPrefix) => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

/** A public id. */
export function id(prefix: IdPrefix, description: string): Field<string> {
  return { type: 'string', pattern: idPattern(prefix), description };
}

/** RFC 3339, UTC, milliseconds, `Z`: docs/specification.md, "JSON and time". */
export function time(description: string): Field<Date> {
  return {
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    description,
  };
}

export function optionalTime(description: string): Field<Date | null> {
  return nullable(time(description));
}

type Described<Type, Value> = { readonly type: Type; readonly description: string } & Of<Value>;

export const flag = (description: string): Described<'boolean', boolean> => ({
  type: 'boolean',
  description,
});

/** A number of a sequence, from 1. */
export const ordinal = (
  description: string,
): Described<'integer', number> & { readonly minimum: number } => ({
  type: 'integer',
  minimum: 1,
  description,
});

/** A count, at least 0. */
export function count(description: string): Field<number> {
  return { type: 'integer', minimum: 0, description };
}

export const text = (description: string): Described<'string', string> => ({ type: 'string', description });

/** A limit of the plan; null is unlimited. */
export function limit(description: string): Field<number | null> {
  return { type: ['integer', 'null'], minimum: 0, description: `${description} Null means unlimited.` };
}

/** A closed list of values. */
export function oneOf<Value extends string>(values: readonly Value[], description: string): Field<Value> {
  return { type: 'string', enum: [...values], description };
}

/** A JSON object with any fields. */
export function openObject(description: string): Field<JsonObject> {
  return { type: 'object', additionalProperties: true, description };
}

/** The times of a resource that can be changed. */
export const CHANGE_TIMES = {
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
};
