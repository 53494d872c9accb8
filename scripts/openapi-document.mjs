/**
 * Prints the OpenAPI document that the API serves; packages/client/openapi.json is this, formatted.
 * scripts/generate-client.mjs runs it as a separate process, which loads the API's sources.
 */
import { createOpenApiDocument } from '../apps/api/src/openapi/document.ts';
import { RESOURCES } from '../apps/api/src/resources.ts';

process.stdout.write(`${JSON.stringify(createOpenApiDocument(RESOURCES))}\n`);
