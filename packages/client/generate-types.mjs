import { readFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { adminResources } from './generate-admin.mjs';

const MADE_BY = `/**
 * Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
 */
`;

const CLIENT_IMPORTS = `import { type AdminCalls, once } from './admin/calls.ts';
import { pagedList } from './pages.ts';
import type { StreamOptions } from './stream.ts';
import type { CallOptions } from './transport.ts';
import type { BodyOf, QueryOf } from './types.ts';

`;

const COMMAND_IMPORTS = `import type { ResourceDescription } from './resource-description.ts';

`;

/** Operations, responses, and parameters that the calls of the client take by other names: editors show none of them. */
const isInternal = (part) => 'operationId' in part || 'headers' in part || /^(path|header)$/.test(part.in);

/** A part of the document without what would only lengthen the types: examples, response headers, and texts that no editor shows. */
function withoutUnread(part) {
  if (Array.isArray(part)) return part.map(withoutUnread);
  if (typeof part !== 'object' || part === null) return part;
  const isUnread = ([name, value]) =>
    (/^examples?$/.test(name) && value?.type === undefined) ||
    (/^(summary|description)$/.test(name) && typeof value === 'string' && isInternal(part)) ||
    (name === 'headers' &&
      Object.values(value).some((each) => each?.$ref?.startsWith('#/components/headers/')));
  return Object.fromEntries(
    Object.entries(part)
      .filter((entry) => !isUnread(entry))
      .map(([name, value]) => [name, withoutUnread(value)]),
  );
}

const withTabs = (text) => text.replaceAll(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4));

/**
 * Generates from the OpenAPI document at `path`. `client`: its types and the calls of its management operations, the text
 * of src/generated.ts. `commands`: what the command line makes commands from, the text of its src/generated.ts.
 */
export async function generateTypes(path) {
  const document = JSON.parse(await readFile(path, 'utf8'));
  // A field with a default may be left out of a request.
  const types = withTabs(
    astToString(await openapiTypescript(withoutUnread(document), { defaultNonNullable: false })),
  );
  const { calls, descriptions } = adminResources(document);
  return {
    client: `${MADE_BY}${CLIENT_IMPORTS}${types}\n${calls}`,
    commands: `${MADE_BY}${COMMAND_IMPORTS}${descriptions}`,
  };
}
