import { readFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';

const BANNER = `/**
 * Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
 */

`;

/** The types of an OpenAPI document, as the text of src/generated.ts. `path` is that of the document. */
export async function generateTypes(path) {
  const document = JSON.parse(await readFile(path, 'utf8'));
  return BANNER + astToString(await openapiTypescript(document));
}
