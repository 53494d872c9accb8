import { readFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { adminResources } from './generate-admin.mjs';

const BANNER = `/**
 * Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
 */
import { type AdminCalls, once, type ResourceDescription } from './admin/calls.ts';
import { pagedList } from './pages.ts';
import type { StreamOptions } from './stream.ts';
import type { CallOptions } from './transport.ts';
import type { BodyOf, QueryOf } from './types.ts';

`;

/**
 * The types of an OpenAPI document and the client's calls of its management operations, as the text of
 * src/generated.ts. `path` is that of the document.
 */
export async function generateTypes(path) {
  const document = JSON.parse(await readFile(path, 'utf8'));
  // A field with a default may be left out of a request.
  const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
  return `${BANNER}${types}\n${adminResources(document)}`;
}
