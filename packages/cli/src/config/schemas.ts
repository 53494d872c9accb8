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
  components: OpenApiDocument['components']['schemas'],
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

/** The JSON Schemas of the files in a folder: those of the service's own requests. */
export class FolderSchemas {
  readonly #components: OpenApiDocument['components']['schemas'];
  readonly #parameters: OpenApiDocument['components']['parameters'];
  readonly #operations: ReadonlyMap<string, Operation>;
  /** By the names of their files. */
  readonly files = new Map<string, Schema>();

  constructor({ paths, components }: OpenApiDocument) {
    this.#components = components.schemas;
    this.#parameters = components.parameters;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    this.#operations = new Map(operations.map((operation) => [operation.operationId, operation]));
  }

  /** The name of the schema of a resource; null if the service has none. */
  nameFor({ operation }: Section, item: JsonObject): string | null {
    const described = this.#operations.get(operation);
    const name = this.#componentOf(described?.requestBody?.content['application/json']?.schema, item);
    const component = name === null ? undefined : this.#components[name];
    if (!described || name === null || !component) return null;
    if (!this.files.has(name)) this.files.set(name, this.#schemaOf(component, described));
    return name;
  }

  /** The component of a body; of several that a field tells apart that of the resource. */
  #componentOf(schema: Schema | undefined, item: JsonObject): string | null {
    const { $ref } = schema ?? {};
    if (typeof $ref !== 'string') return null;
    const name = $ref.slice(COMPONENTS.length);
    const { discriminator } = this.#components[name] ?? {};
    const { propertyName, mapping } = (discriminator ?? {}) as {
      propertyName?: string;
      mapping?: Record<string, string>;
    };
    const chosen = mapping?.[String(item[propertyName ?? ''])];
    return chosen === undefined ? name : chosen.slice(COMPONENTS.length);
  }

  #schemaOf(component: Schema, { parameters = [] }: Operation): Schema {
    const { properties, required, ...others } = adapted(component);
    const keys = this.#keysIn(parameters);
    const needed = [...Object.keys(keys), ...((required as string[] | undefined) ?? [])];
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...others,
      properties: { ...keys, ...(properties as JsonObject) },
      ...(needed.length > 0 && { required: needed }),
      $defs: Object.fromEntries(definitionsOf(component, this.#components)),
    };
  }

  /** The key of an event type is in the path of its operation. */
  #keysIn(parameters: readonly Parameter[]): JsonObject {
    return Object.fromEntries(
      parameters.flatMap((given) => {
        const { name, schema } = this.#parameters[given.$ref?.split('/').at(-1) ?? ''] ?? given;
        return name === 'eventKey' && schema ? [['event_key', adapted(schema)]] : [];
      }),
    );
  }
}
