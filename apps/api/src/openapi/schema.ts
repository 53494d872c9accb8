import { fields, type JsonObject, type Schema, type Schemas } from '@postrider/domain';
import type { SchemaObject } from 'ajv';

export type { Schema, Schemas };

/** The schemas of fields in responses. */
export const { count, flag, id, idPattern, limit, list, nullable, oneOf, openObject } = fields;
export const { optionalTime, ordinal, text, time } = fields;

/** `New webhook channel` or `new_webhook_channel` as `NewWebhookChannel`. */
export const pascalCase = (text: string) =>
  text.replace(/(?:^|[ _-])(\w)/g, (_match, letter) => letter.toUpperCase());

/** A schema under `#/components/schemas`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema with a title: the document has it under `#/components/schemas` by that name. */
export const titled = <Titled extends Schema>(title: string, schema: Titled) => ({ ...schema, title });

/** An object with exactly these properties, all required. */
export function record(description: string, properties: Schemas): Schema {
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** The fields of a page that lead to the next one. */
export const NEXT_PAGE: Schemas = {
  has_more: flag('Whether there are more matches.'),
  next_cursor: nullable(text('Pass it as `cursor` to get the next page; null on the last one.')),
};

/** A page of a list (docs/specification.md, "Lists"); `entry` is the schema of an entry, or the name of one. */
export function pageOf(entry: string | Schema, description: string, more: Schemas = {}): Schema {
  return record(description, {
    data: list(typeof entry === 'string' ? ref(entry) : entry),
    ...NEXT_PAGE,
    ...more,
  });
}

/** The body of a list that examines a bounded number of entries for each page. */
export const searchedPageOf = (entry: string | Schema, description: string): Schema =>
  pageOf(entry, description, {
    searched_back_to: optionalTime(
      'The time of the oldest message that was examined, if the search stopped there: with `next_cursor` it continues. Otherwise null.',
    ),
  });

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

/** The schema of a time, which can be null or left out. */
export const timeOrNull = (description: string) =>
  ({ type: ['string', 'null'], format: 'date-time', default: null, description }) as const;

/** The schema of a flag that can be left out. */
export const option = (byDefault: boolean, description: string) =>
  ({ type: 'boolean', default: byDefault, description }) as const;

/** The schema of a whole number that can be left out. */
export const wholeNumber = (minimum: number, maximum: number, byDefault: number, description: string) =>
  ({ type: 'integer', minimum, maximum, default: byDefault, description }) as const;
