/** Generates the types of the clients in Python and Go from the OpenAPI document. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const isObject = (value) => typeof value === 'object' && value !== null;
const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
const pascal = (name) => name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first) => first.toUpperCase());

/** The components that a value refers to, as `Message`. */
function referencesIn(value) {
  if (!isObject(value)) return [];
  const own = typeof value.$ref === 'string' ? [value.$ref.split('/').at(-1)] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

/** Whether generators make a type with a name of an inline schema. */
const isNamed = (schema) => isObject(schema.properties);

/**
 * A schema without examples, whose objects within it have titles that begin with its name. Generators name types by them:
 * without a title two objects under properties of one name would be told apart by numbers.
 */
function forGenerators(schema, name, isWithin = false) {
  if (!isObject(schema)) return schema;
  /** Alternatives are numbered, unless only one of them is an object. */
  const alternatives = (list) =>
    list.map((each, index) =>
      forGenerators(each, list.filter(isNamed).length > 1 ? `${name}${index + 1}` : name, true),
    );
  const fields = Object.entries(schema)
    .filter(([key]) => !/^examples?$/.test(key))
    .map(([key, value]) => {
      if (key === 'properties')
        return [key, mapValues(value, (each, field) => forGenerators(each, `${name}${pascal(field)}`, true))];
      if (key === 'items' || key === 'additionalProperties') return [key, forGenerators(value, name, true)];
      return [key, /^(?:any|one|all)Of$/.test(key) ? alternatives(value) : value];
    });
  const title = isWithin && isNamed(schema) ? { title: name } : {};
  return { ...title, ...Object.fromEntries(fields) };
}

/**
 * The schemas of the operations below `/api/v1`, as an OpenAPI document without operations. The body of a webhook is the
 * schema `DeliveryWebhook`.
 */
function schemasOfTokens({ openapi, info, paths, webhooks, components }) {
  const { parameters, responses, ...others } = components;
  const DeliveryWebhook = webhooks.delivery.post.requestBody.content['application/json'].schema;
  const schemas = { ...others.schemas, DeliveryWebhook };
  const used = new Set(['DeliveryWebhook']);
  const open = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/api/v1/') ? referencesIn(methods) : [],
  );
  open.push(...referencesIn(DeliveryWebhook));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    open.push(...referencesIn(schemas[name] ?? responses[name] ?? parameters[name]));
  }
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return {
    openapi,
    info,
    paths: {},
    components: { schemas: mapValues(Object.fromEntries(kept), (each, name) => forGenerators(each, name)) },
  };
}

/** Runs a generator on the schemas in a folder of its own, and returns the file that it writes there. */
async function generated(document, output, start) {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-types-'));
  try {
    await writeFile(join(directory, 'openapi.json'), JSON.stringify(schemasOfTokens(document)));
    const [command, args] = await start(directory);
    await execute(command, args, { cwd: directory, maxBuffer: 2 ** 26 });
    return await readFile(join(directory, output), 'utf8');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const MADE_BY =
  'Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.';

export const PYTHON_REQUIREMENTS = fileURLToPath(
  new URL('../client-python/requirements.txt', import.meta.url),
);

/**
 * With datamodel-code-generator: its TypedDicts are types of plain JSON, in one file. So an answer with a field or a value
 * that is newer than the client is read unchanged.
 */
export const PYTHON = {
  file: 'packages/client-python/src/postrider/types.py',
  generate: (document, programs) =>
    generated(document, 'types.py', () => [
      join(programs, 'datamodel-codegen'),
      [
        ...['--input', 'openapi.json', '--input-file-type', 'openapi', '--output', 'types.py'],
        ...['--output-model-type', 'typing.TypedDict', '--no-use-closed-typed-dict'],
        ...['--target-python-version', '3.11', '--enum-field-as-literal', 'all', '--use-title-as-name'],
        ...['--use-schema-description', '--use-field-description', '--use-single-line-docstring'],
        ...['--formatters', 'builtin', '--custom-file-header', `# ${MADE_BY}\n# ruff: noqa`],
      ],
    ]),
};

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

/** With oapi-codegen, only types: with the calls of all operations the file would be eight times as long. */
export const GO = {
  file: 'packages/client-go/types/types.gen.go',
  generate: (document, go) =>
    generated(document, 'types.gen.go', async (directory) => {
      const config = { package: 'types', generate: { models: true }, output: 'types.gen.go' };
      const options = { ...config, 'output-options': { 'skip-prune': true } };
      await writeFile(join(directory, 'config.json'), JSON.stringify(options));
      return [go, ['run', OAPI_CODEGEN, '-config', 'config.json', 'openapi.json']];
    }),
};
