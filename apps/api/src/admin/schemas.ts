import { invalid, type JsonObject, mergePatch, PLAIN_TEXT_PATTERN, reject } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import type { ValidateBody } from '../validation/body.ts';

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

/**
 * Merges a patch into the current state of a resource and validates the result by the rules of creation (RFC 7396).
 * Call it with the locked row, so that two concurrent patches cannot produce an invalid result together.
 * @throws RefusedError if it is invalid
 */
export function applyPatch<Body>(current: JsonObject, patch: JsonObject, validate: ValidateBody<Body>): Body {
  const patched = validate(mergePatch(current, patch));
  return 'body' in patched ? patched.body : reject(invalid(patched.issues));
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
