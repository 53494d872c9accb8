import { readFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { adminResources, managementTwins, selfServiceResources } from './generate-calls.mjs';

const MADE_BY = `/**
 * Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
 */
`;

const CLIENT_IMPORTS = `import type { Transport } from './client.ts';
import { pagedList } from './pages.ts';
import type { StreamOptions } from './stream.ts';
import { type CallOptions, once } from './transport.ts';
import type { BodyOf, OfToken, QueryOf } from './types.ts';

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

/** A header that the transport adds to every call. */
const isOfTransport = ({ in: location, name }) => location === 'header' && name.startsWith('X-');

/** What the client's types say of an operation: what a call passes, and its success. Errors are thrown as PostriderApiError. */
function usedByCalls({ parameters = [], responses, ...operation }, { parameters: shared }) {
  const resolved = (parameter) => shared[parameter.$ref?.split('/').at(-1)] ?? parameter;
  return {
    ...operation,
    parameters: parameters.filter((parameter) => !isOfTransport(resolved(parameter))),
    responses: Object.fromEntries(Object.entries(responses).filter(([status]) => status < '300')),
  };
}

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));

/** The document without what no type of the client needs, and without the paths whose types are those of a twin. */
function withUsedTypes({ paths, components, ...document }, twins) {
  const { responses: _responses, headers: _headers, ...used } = components;
  const operationsOf = (methods) => mapValues(methods, (operation) => usedByCalls(operation, components));
  return withoutUnread({
    ...document,
    paths: mapValues(
      Object.fromEntries(Object.entries(paths).filter(([path]) => !twins.has(path))),
      operationsOf,
    ),
    components: {
      ...used,
      parameters: Object.fromEntries(
        Object.entries(used.parameters).filter(([, parameter]) => !isOfTransport(parameter)),
      ),
    },
  });
}

/** What openapi-typescript writes for things that an operation does not have. */
const ABSENT =
  /^\t+\w+\?: never;\n|^\t+headers: \{\n\t+\[name: string\]: unknown;\n\t+\};\n|^\t+parameters: \{\n\t+\};\n/gm;

/** Twice: parameters are empty once theirs are gone. */
const withoutAbsent = (text) => text.replaceAll(ABSENT, '').replaceAll(ABSENT, '');

const withTabs = (text) => text.replaceAll(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4));

/** The types of the paths, which are those of the management API without the environment that a token implies. */
function selfServicePaths(twins) {
  const entries = [...twins].map(([path, twin]) => `\t"${path}": OfToken<paths["${twin}"]>;\n`);
  return `export interface selfServicePaths {\n${entries.join('')}}\n`;
}

/** Names of TypeScript's own, which an import from the client must not hide. */
const OF_THE_LANGUAGE = new Set(['Error', 'Partial']);

/** A module with a type for each schema. */
const schemaNames = ({ components: { schemas } }) =>
  Object.keys(schemas)
    .filter((name) => !OF_THE_LANGUAGE.has(name))
    .map((name) => `export type ${name} = components['schemas']['${name}'];\n`)
    .join('');

/**
 * Generates from the OpenAPI document at `path`. `client`: its types and the calls of its management and self-service operations, the text
 * of src/generated.ts. `schemas`: a type for each schema, the text of src/generated.schemas.ts. `commands`: what the command line makes commands from, the text of its src/generated.ts.
 */
export async function generateTypes(path) {
  const document = JSON.parse(await readFile(path, 'utf8'));
  const twins = managementTwins(document);
  // A field with a default may be left out of a request.
  const ast = await openapiTypescript(withUsedTypes(document, twins), { defaultNonNullable: false });
  const types = withoutAbsent(withTabs(astToString(ast)));
  const { calls, descriptions } = adminResources(document);
  return {
    client: `${MADE_BY}${CLIENT_IMPORTS}${types}\n${selfServicePaths(twins)}\n${calls}\n${selfServiceResources(document)}`,
    schemas: `${MADE_BY}import type { components } from './generated.ts';\n\n${schemaNames(document)}`,
    commands: `${MADE_BY}${COMMAND_IMPORTS}${descriptions}`,
  };
}
