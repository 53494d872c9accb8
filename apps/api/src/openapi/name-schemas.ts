import { isDeepStrictEqual } from 'node:util';
import { pascalCase, ref, type Schema } from './schema.ts';

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples', 'required']);

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value under a keyword of data is the schema of a property with that name. */
const isSchema = (value: unknown) => isObject(value) && ('type' in value || '$ref' in value);

/** The values of the discriminator's property, each with the reference to its schema. */
function mappingOf(property: string, branches: readonly Schema[], named: Readonly<Record<string, Schema>>) {
  return Object.fromEntries(
    branches.flatMap(({ $ref }): [string, string][] => {
      const { properties } = named[String($ref).split('/').at(-1) ?? ''] ?? {};
      const { const: value, enum: values = [value] } = (properties as Record<string, Schema>)[property] ?? {};
      return (values as string[]).map((each) => [each, String($ref)]);
    }),
  );
}

/**
 * Gives every schema that has a `title` a name under `#/components/schemas`, which code generators name their types
 * after; they accept a `discriminator` only over named schemas. Returns a function that replaces the schemas within a
 * part of the document by references and adds their definitions to `named`. The function throws if two different
 * schemas have the same title.
 */
export function createNaming(named: Record<string, Schema>): (part: unknown) => unknown {
  function define(title: string, schema: Schema): Schema {
    const name = pascalCase(title);
    const known = named[name];
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two different schemas have the title ${title}.`);
    }
    named[name] = schema;
    return ref(name);
  }

  return function name(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(name);
    if (!isObject(part)) return part;
    const { title, ...schema } = Object.fromEntries(
      Object.entries(part).map(([key, value]) => {
        if (!DATA.has(key) || isSchema(value)) return [key, name(value)];
        // With such a default, the Java code of openapi-generator does not compile.
        return [key === 'default' && isObject(value) ? 'x-default' : key, value];
      }),
    );
    const { propertyName } = (schema.discriminator ?? {}) as { propertyName?: string };
    if (propertyName !== undefined) {
      schema.discriminator = {
        propertyName,
        mapping: mappingOf(propertyName, schema.oneOf as Schema[], named),
      };
    }
    if (typeof title === 'string') return define(title, schema);
    return title === undefined ? schema : { ...schema, title };
  };
}
