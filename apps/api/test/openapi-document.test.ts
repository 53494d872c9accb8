import { ALL_SCOPES } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { CANCEL_BODY_SCHEMA } from '../src/delivery-runs/schema.ts';
import { EVENT_BODY_SCHEMA } from '../src/events/schema.ts';
import { MESSAGE_FILTERS } from '../src/messages/list.ts';
import { REPLAY_BODY_SCHEMA } from '../src/messages/replay.ts';
import { createOpenApiDocument } from '../src/openapi/document.ts';
import { isManagement } from '../src/openapi/operation.ts';
import { pascalCase, type Schema } from '../src/openapi/schema.ts';
import { OPERATIONS, RESOURCES } from '../src/resources.ts';
import { issuesAgainst } from './openapi-conformance.ts';

type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };

const document = createOpenApiDocument(RESOURCES);

/** Every media type object of the document, with the path to it. */
function mediaOf(value: unknown, at = ''): [string, Media][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]): [string, Media][] =>
    key === 'application/json' ? [[at, part as Media]] : mediaOf(part, `${at}/${key}`),
  );
}

function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part] : refsOf(part),
  );
}

/** A schema with its references resolved and without titles, with the keywords of a schema in one order. */
function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, title, mapping: _mapping, ...rest } = value as Record<string, unknown>;
  if (typeof $ref === 'string')
    return withoutNames(document.components.schemas[$ref.split('/').at(-1) ?? '']);
  const entries = Object.entries(title !== undefined && typeof title !== 'string' ? { ...rest, title } : rest)
    .map(([key, part]) => [key === 'x-default' ? 'default' : key, withoutNames(part)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

/** They have a second form, which several operations have. */
const REPEATED_PARAMETERS = ['Idempotency-Key', 'limit', 'event_key'];

/** Every list of types within a value. */
function typesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const { type } = value as { type?: unknown };
  return [...(Array.isArray(type) ? [type as string[]] : []), ...Object.values(value).flatMap(typesOf)];
}

describe('the OpenAPI document', () => {
  it('gives the choices of a list without duplicates a schema of their own, without which clients for Java do not compile', () => {
    const unnamed = (value: unknown, at: string): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      const { uniqueItems, items } = value as { uniqueItems?: boolean; items?: { enum?: unknown } };
      const inside = Object.entries(value).flatMap(([key, part]) => unnamed(part, `${at}/${key}`));
      return uniqueItems && items?.enum ? [at, ...inside] : inside;
    };
    expect(unnamed(document.components.schemas, '')).toEqual([]);
  });

  it('names no schema like a type that generated clients for Java import', () => {
    const imported = [
      'ApiClient',
      'ApiException',
      'ApiResponse',
      'Consumer',
      'Duration',
      'HttpRequest',
      'HttpResponse',
    ];
    const more = [
      'InputStream',
      'List',
      'Map',
      'OffsetDateTime',
      'Pair',
      'Set',
      'StringJoiner',
      'URI',
      'UUID',
    ];
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => [...imported, ...more].includes(name))).toEqual([]);
  });

  it('is valid by the published schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));

    expect(result).toEqual({ valid: true });
  });

  it('survives JSON unchanged', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('contains no broken references', () => {
    const { headers, parameters, responses, schemas } = document.components;
    const known = new Set([
      ...Object.keys(responses as object).map((name) => `#/components/responses/${name}`),
      ...Object.keys(parameters as object).map((name) => `#/components/parameters/${name}`),
      ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(headers as object).map((name) => `#/components/headers/${name}`),
    ]);

    expect(refsOf(document).filter((ref) => !known.has(ref))).toEqual([]);
  });

  it('writes a parameter once if several operations have it, under a name that no schema has', () => {
    const { parameters, schemas } = document.components;
    const written = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods) as { parameters?: { name?: string }[] }[])
      .flatMap((operation) => operation.parameters ?? [])
      .filter(({ name }) => name !== undefined && !REPEATED_PARAMETERS.includes(name))
      .map((parameter) => JSON.stringify(parameter));

    expect(written.filter((parameter, index) => written.indexOf(parameter) < index)).toEqual([]);
    expect(Object.keys(parameters as object).filter((name) => name in schemas)).toEqual([]);
  });

  it('has unique operations, tags and component schemas', () => {
    const schemas = RESOURCES.flatMap(({ schemas }) => Object.keys(schemas));
    const operationIds = OPERATIONS.map(({ operationId }) => operationId);
    const tags = (document.tags as { name: string }[]).map(({ name }) => name);

    for (const names of [schemas, operationIds, tags]) expect(names).toEqual([...new Set(names)]);
  });

  it('contains the schemas that validate requests', () => {
    const shown = mediaOf(document.paths)
      .filter(([at]) => at.includes('requestBody'))
      .map(([, media]) => withoutNames(media.schema));

    const validating = OPERATIONS.flatMap(({ body }) => body?.schema ?? []);
    expect(validating).toEqual(
      expect.arrayContaining([EVENT_BODY_SCHEMA, REPLAY_BODY_SCHEMA, CANCEL_BODY_SCHEMA]),
    );
    const sorted = (schemas: unknown[]) => schemas.map((schema) => JSON.stringify(schema)).sort();
    expect(sorted(shown)).toEqual(sorted(validating.map(withoutNames)));
  });

  it('has a name and a mapping for each schema below a discriminator, as generators need', () => {
    const discriminated = Object.values(document.components.schemas).filter(
      (schema) => schema.discriminator !== undefined,
    ) as { discriminator: { mapping: Record<string, string> }; oneOf: { $ref: string }[] }[];

    expect(discriminated.length).toBeGreaterThan(0);
    for (const { discriminator, oneOf } of discriminated) {
      expect(Object.values(discriminator.mapping)).toEqual(oneOf.map(({ $ref }) => $ref));
    }
    expect(JSON.stringify(document.paths)).not.toContain('discriminator');
  });

  it('has no schema with a name that generators give to a part of another schema', () => {
    const { schemas } = document.components;
    const derived = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Schema>)
        .filter(([, schema]) => schema.$ref === undefined)
        .map(([property]) => `${name}${pascalCase(property)}`),
    );

    expect(derived.filter((name) => name in schemas)).toEqual([]);
  });

  it('has one type for each value, besides null', () => {
    const unions = typesOf(document).filter((types) => types.filter((type) => type !== 'null').length > 1);

    expect(unions).toEqual([]);
  });

  it('describes every parameter of the message list', () => {
    const list = OPERATIONS.find(({ operationId }) => operationId === 'listMessages');

    expect(list?.parameters.map(({ name }) => name)).toEqual([
      'limit',
      'cursor',
      ...Object.keys(MESSAGE_FILTERS),
    ]);
  });

  const parts = [document.paths, document.components.responses, document.webhooks];
  const examples = parts
    .flatMap((part) => mediaOf(part))
    .flatMap(([at, media]) => {
      const named = Object.entries(media.examples ?? {}).map(([name, { value }]) => [name, value] as const);
      const only = media.example === undefined ? [] : [['example', media.example] as const];
      return [...named, ...only].map(([name, value]) => ({ at, name, value, schema: media.schema }));
    });

  it.each(examples)('has an example that matches its schema: $at $name', ({ schema, value }) => {
    expect(issuesAgainst(schema, value)).toEqual([]);
  });

  it('has an example for every body', () => {
    const without = mediaOf(document.paths).filter(([, media]) => !media.example && !media.examples);

    expect(without.map(([at]) => at)).toEqual([]);
  });

  it('names the scope of each operation in its security, and none for a preflight', () => {
    const stated = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { security?: object[] }>).map(([method, { security }]) => ({
        operation: `${method} ${path}`,
        security,
      })),
    );
    const declared = OPERATIONS.map((operation) => ({
      operation: `${operation.method} ${operation.path}`,
      security: (isManagement(operation)
        ? ['operatorToken', 'operatorSession']
        : ['environmentToken', 'integratorSession']
      ).map((scheme) => ({ [scheme]: [operation.scope] })),
    }));

    expect(stated).toHaveLength(declared.length + 1);
    expect(stated).toEqual(
      expect.arrayContaining([...declared, { operation: 'options /api/v1/events', security: [] }]),
    );
  });

  it('has a table of the scopes, with each operation in the row of its scope', () => {
    const { description } = document.info as { description: string };
    const rows = [...description.matchAll(/^\| `([a-z-]+:[a-z]+)` \| .* \| (.*) \|$/gm)];
    const listed = rows.flatMap(([, scope, operations = '']) =>
      operations
        .split(' ')
        .filter(Boolean)
        .map((operation) => `${scope} ${operation.replaceAll('`', '')}`),
    );

    expect(rows.map(([, scope]) => scope)).toEqual(ALL_SCOPES);
    expect(listed.sort()).toEqual(
      OPERATIONS.map(({ scope, operationId }) => `${scope} ${operationId}`).sort(),
    );
  });
});
