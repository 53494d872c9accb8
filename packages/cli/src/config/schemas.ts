import type { JsonObject, JsonValue } from '@postrider/domain';
import type { Section } from './sections.ts';

/** What the command line reads of an OpenAPI 3.1 document, whose schemas are JSON Schemas. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

interface Parameter {
  readonly name?: string;
  readonly schema?: Schema;
  readonly $ref?: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

type Schema = JsonObject;
type Components = OpenApiDocument['components']['schemas'];

const COMPONENTS = '#/components/schemas/';
/** What may be in a folder instead of a secret. */
const REFERENCE = { type: 'string', pattern: '^(env|file):' };
/** A version in a folder is the active one. */
const LEFT_OUT = 'activate';

/** Gives each part of a schema with a name to `change`, deepest first. */
function mapSchema(value: JsonValue, change: (object: JsonObject) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((entry) => mapSchema(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, child]) => [name, mapSchema(child, change)])),
  );
}

/** A schema as files need it: with references instead of secrets, and with definitions instead of components. */
function adapted(schema: Schema): Schema {
  return mapSchema(schema, (object) => {
    const { $ref, writeOnly, properties, description } = object;
    if (writeOnly === true) return { ...REFERENCE, ...(description !== undefined && { description }) };
    if (typeof $ref === 'string') return { ...object, $ref: $ref.replace(COMPONENTS, '#/$defs/') };
    if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return object;
    const { [LEFT_OUT]: _, ...others } = properties;
    return { ...object, properties: others };
  }) as Schema;
}

/** The components that a schema refers to, also through others. */
function definitionsOf(
  schema: Schema,
  components: Components,
  found = new Map<string, Schema>(),
): Map<string, Schema> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    const component = components[name];
    if (found.has(name) || !component) continue;
    found.set(name, adapted(component));
    definitionsOf(component, components, found);
  }
  return found;
}

/** The component of a body; of several that a field tells apart that of the resource. Null if it is none. */
function componentOf(body: Schema | undefined, item: JsonObject, components: Components): string | null {
  const { $ref } = body ?? {};
  if (typeof $ref !== 'string') return null;
  const name = $ref.slice(COMPONENTS.length);
  const { propertyName = '', mapping } = (components[name]?.discriminator ?? {}) as {
    propertyName?: string;
    mapping?: Record<string, string>;
  };
  return mapping?.[String(item[propertyName])]?.slice(COMPONENTS.length) ?? name;
}

/** Creates the JSON Schemas of the files in a folder: those of the service's own requests. */
export function createFolderSchemas({ paths, components: { schemas, parameters } }: OpenApiDocument) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  /** By the names of their files. */
  const files = new Map<string, Schema>();

  /** The key of an event type is in the path of its operation. */
  function keysOf(operation: Operation): JsonObject {
    const given = operation.parameters?.map(($) => parameters[$.$ref?.split('/').at(-1) ?? ''] ?? $);
    const key = given?.find(({ name }) => name === 'eventKey')?.schema;
    return key ? { event_key: adapted(key) } : {};
  }

  function schemaOf(component: Schema, operation: Operation): Schema {
    const { properties, required, ...others } = adapted(component);
    const keys = keysOf(operation);
    const needed = [...Object.keys(keys), ...((required as string[] | undefined) ?? [])];
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...others,
      properties: { ...keys, ...(properties as JsonObject) },
      ...(needed.length > 0 && { required: needed }),
      $defs: Object.fromEntries(definitionsOf(component, schemas)),
    };
  }

  return {
    files,
    /** The name of the schema of a resource; null if the service has none. */
    nameFor({ operation: id }: Section, item: JsonObject): string | null {
      const operation = operations.find(({ operationId }) => operationId === id);
      const name = componentOf(operation?.requestBody?.content['application/json']?.schema, item, schemas);
      const component = name === null ? undefined : schemas[name];
      if (!operation || name === null || !component) return null;
      if (!files.has(name)) files.set(name, schemaOf(component, operation));
      return name;
    },
  };
}
