import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type ServiceHere, startServiceHere } from '../../../apps/api/test/support/service.ts';
import { managementTwins } from '../generate-calls.mjs';
import { generateTypes } from '../generate-types.mjs';

const DOCUMENT = fileURLToPath(new URL('../openapi.json', import.meta.url));
const TYPES = fileURLToPath(new URL('../src/generated.ts', import.meta.url));
const SCHEMAS = fileURLToPath(new URL('../src/generated.schemas.ts', import.meta.url));
const COMMANDS = fileURLToPath(new URL('../../cli/src/generated.ts', import.meta.url));

type Media = { readonly content?: Readonly<Record<string, { readonly schema: unknown }>> };
type Parameter = {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly schema?: unknown;
};
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
};
type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
};

const schemasOf = ({ content = {} }: Media) =>
  Object.entries(content).map(([type, { schema }]) => [type, schema]);

/** By its methods, what the types of the client take from a path. */
function shapesOf({ components }: OpenApi, methods: Readonly<Record<string, Operation>> = {}) {
  return Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
    const query = parameters
      .map((given) => components.parameters[given.$ref?.split('/').at(-1) ?? ''] ?? given)
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => [name, schema]);
    const successes = Object.entries(responses).filter(([status]) => status < '300');
    return {
      method,
      query,
      body: requestBody && schemasOf(requestBody),
      successes: successes.map(([status, response]) => [status, schemasOf(response)]),
    };
  });
}

let database: TestDatabase;
let service: ServiceHere;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceHere({ database });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

describe('the generated part of the client ("npm run generate:client")', () => {
  it('has the OpenAPI document that the API serves', async () => {
    const served = await (await fetch(`${service.url}/openapi.json`)).json();

    expect(JSON.parse(await readFile(DOCUMENT, 'utf8'))).toEqual(served);
  });

  it('has the types of that document, and the command line its resources', async () => {
    const { client, schemas, commands } = await generateTypes(DOCUMENT);
    expect(await readFile(TYPES, 'utf8')).toBe(client);
    expect(await readFile(SCHEMAS, 'utf8')).toBe(schemas);
    expect(await readFile(COMMANDS, 'utf8')).toBe(commands);
  });

  it('shares the types of an operation under both APIs, whose bodies, queries and successes are the same', async () => {
    const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApi;
    const twins = managementTwins(document);

    expect(twins.size).toBeGreaterThan(0);
    for (const [path, twin] of twins) {
      const [own, managed] = [document.paths[path], document.paths[twin]];
      const shared = Object.entries(managed ?? {}).filter(([method]) => method in (own ?? {}));
      expect([path, shapesOf(document, own)]).toEqual([path, shapesOf(document, Object.fromEntries(shared))]);
    }
  });

  it('exports nothing that only the command line uses', async () => {
    expect(Object.keys(await import('../src/index.ts')).filter((name) => /^[A-Z_]+$/.test(name))).toEqual([
      'ERROR_NAMES',
      'HOLD_REASONS',
    ]);
  });
});
