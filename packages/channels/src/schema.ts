import type { SchemaObject } from 'ajv';

/** A JSON Schema 2020-12, which validates requests and is part of the OpenAPI document. */
export type JsonSchema = SchemaObject;

/** An object with exactly these properties, all required. */
export function record(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** The schema's value, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

export const text = (description: string): JsonSchema => ({ type: 'string', description });
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
export const wholeNumber = (description: string): JsonSchema => ({ type: 'integer', description });

/** The most characters of a password, or of another secret that a person or a service chose. */
const MAX_PASSWORD_LENGTH = 1_024;

/** A secret in a request, such as a password. It is stored encrypted and never shown. `isNullable` if null removes it. */
export const secretText = (
  description: string,
  { maxLength = MAX_PASSWORD_LENGTH, isNullable = true } = {},
): JsonSchema => ({
  type: isNullable ? ['string', 'null'] : 'string',
  minLength: 1,
  maxLength,
  writeOnly: true,
  description,
});
