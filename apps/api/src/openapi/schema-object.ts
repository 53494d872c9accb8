/** A JSON Schema 2020-12, as OpenAPI 3.1 embeds it. */
export type Schema = { readonly [keyword: string]: unknown };

/** A schema under `#/components/schemas`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object of exactly these properties, all of them present; `description` says what it is. */
export function record(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** The schema's value, or null. */
export function nullable(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

export function list(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...(description === undefined ? {} : { description }) };
}
