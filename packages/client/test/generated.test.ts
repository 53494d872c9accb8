import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type ServiceHere, startServiceHere } from '../../../apps/api/test/support/service.ts';
import { generateTypes } from '../generate-types.mjs';

const DOCUMENT = fileURLToPath(new URL('../openapi.json', import.meta.url));
const TYPES = fileURLToPath(new URL('../src/generated.ts', import.meta.url));
const COMMANDS = fileURLToPath(new URL('../../cli/src/generated.ts', import.meta.url));

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
    const { client, commands } = await generateTypes(DOCUMENT);
    expect(await readFile(TYPES, 'utf8')).toBe(client);
    expect(await readFile(COMMANDS, 'utf8')).toBe(commands);
  });

  it('exports nothing that only the command line uses', async () => {
    expect(Object.keys(await import('../src/index.ts')).filter((name) => /^[A-Z_]+$/.test(name))).toEqual([]);
  });
});
