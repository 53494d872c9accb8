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
