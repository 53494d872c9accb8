import { type JsonObject, LOCALE_PATTERN, mergePatch } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { type Invalid, PLAIN_TEXT_PATTERN, type ValidateBody, type Validated } from '../validation/body.ts';

/** The values of a schema for bodies, which must be written `as const`; any object for a schema of type `SchemaObject`. */
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

/** The same schemas without their defaults, for responses, which have every field. */
export const withoutDefaults = <Fields extends Readonly<Record<string, object>>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(
      ([name, { default: _default, ...schema }]: [string, { default?: unknown }]) => [name, schema],
    ),
  ) as { readonly [Name in keyof Fields]: Omit<Fields[Name], 'default'> };

/** A name given by people: 1 to 255 characters on one line. */
export const NAME_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: PLAIN_TEXT_PATTERN,
  description: 'A display name.',
} as const satisfies SchemaObject;

/** A language of templates. */
export const LOCALE_SCHEMA = {
  type: 'string',
  pattern: LOCALE_PATTERN,
  description: 'A language, with script and region where they matter (BCP 47), such as `fr` or `fr-CA`.',
  examples: ['fr-CA'],
} as const satisfies SchemaObject;

/**
 * Merges a patch into the current state of a resource and validates the result by the rules of creation (RFC 7396).
 * Call it with the locked row, so that two concurrent patches cannot produce an invalid result together.
 */
export function applyPatch<Body>(
  current: JsonObject,
  patch: JsonObject,
  validate: ValidateBody<Body>,
): Validated<Body> | Invalid {
  return validate(mergePatch(current, patch));
}

function orNull(schema: SchemaObject): SchemaObject {
  const types: unknown[] = [schema.type].flat();
  if (types.includes('null')) return schema;
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return { ...schema, ...values, type: [...types, 'null'] };
}

function partial(schema: SchemaObject): SchemaObject {
  return schema.type === 'object' ? patchSchema(schema) : schema;
}

function partialFields(schema: SchemaObject, immutable: readonly string[]): SchemaObject {
  const required: readonly string[] = schema.required ?? [];
  const fields = Object.entries<SchemaObject>(schema.properties)
    .filter(([name]) => !immutable.includes(name))
    .map(([name, { default: _default, ...field }]) => [
      name,
      required.includes(name) ? partial(field) : orNull(partial(field)),
    ]);
  return Object.fromEntries(fields);
}

/**
 * The schema of a merge patch for bodies of `schema`, which must be an object at each level: every field is optional,
 * null removes an optional field, and fields in `immutable` are unknown.
 */
export function patchSchema(schema: SchemaObject, immutable: readonly string[] = []): SchemaObject {
  const { required: _required, properties, additionalProperties, title, ...rest } = schema;
  return {
    ...(title === undefined ? {} : { title: `${title.replace(/ input$/, '')} change` }),
    ...rest,
    ...(properties === undefined ? {} : { properties: partialFields(schema, immutable) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object'
              ? orNull(partial(additionalProperties))
              : additionalProperties,
        }),
  };
}
