import type { SchemaObject } from 'ajv';
import { presentFields, type RecordName, recordName } from './present.ts';
import type { IdPrefix } from './resources/registry.ts';
import type { JsonObject } from './storable-json.ts';

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

/** The schema of a flag that can be left out. */
export const option = (byDefault: boolean, description: string) =>
  ({ type: 'boolean', default: byDefault, description }) as const;

/** The schema of a whole number that can be left out. */
export const wholeNumber = (minimum: number, maximum: number, byDefault: number, description: string) =>
  ({ type: 'integer', minimum, maximum, default: byDefault, description }) as const;

/** The schema of an object with these fields and no others. {@link BodyOf} is its type. */
export const closedObject = <
  const Required extends readonly (keyof Fields & string)[],
  const Fields extends Readonly<Record<string, SchemaObject>>,
>(
  required: Required,
  properties: Fields,
) =>
  ({
    type: 'object',
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    properties,
  }) as {
    readonly type: 'object';
    readonly required: Required;
    readonly additionalProperties: false;
    readonly properties: Fields;
  };

/** The type of the bodies that fulfil a schema, which must be written `as const`; any object for a schema of type `SchemaObject`. */
export type BodyOf<Schema> = string extends keyof Schema
  ? JsonObject
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value | (Schema extends { readonly type: readonly string[] } ? NullIn<Schema['type']> : never)
    : Schema extends { readonly type: readonly (infer Type)[] }
      ? ValueOf<Type, Schema>
      : Schema extends { readonly type: infer Type }
        ? ValueOf<Type, Schema>
        : unknown;

type NullIn<Types extends readonly string[]> = 'null' extends Types[number] ? null : never;

type ValueOf<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'integer' | 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'array'
        ? readonly BodyOf<Schema extends { readonly items: infer Item } ? Item : never>[]
        : Type extends 'object'
          ? ObjectOf<Schema>
          : null;

type ObjectOf<Schema> = Schema extends { readonly properties: infer Fields }
  ? Schema extends { readonly additionalProperties: true }
    ? JsonObject
    : {
        readonly [Name in keyof Fields & RequiredOf<Schema>]: BodyOf<Fields[Name]>;
      } & {
        readonly [Name in Exclude<keyof Fields, RequiredOf<Schema>>]?: BodyOf<Fields[Name]>;
      }
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? Readonly<Record<string, BodyOf<Value>>>
    : JsonObject;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** The values of a body by the names of a record, each of which is set. */
export type SettingsOf<Schemas> = {
  readonly [Name in keyof Schemas & string as RecordName<Name>]: BodyOf<Schemas[Name]>;
};

/** The defaults of fields in requests, by the names of a record. */
export const defaultsOf = <Fields extends Readonly<Record<string, { readonly default: unknown }>>>(
  fields: Fields,
) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [recordName(name), schema.default])) as {
    readonly [Name in keyof Fields & string as RecordName<Name>]: Fields[Name]['default'];
  };
