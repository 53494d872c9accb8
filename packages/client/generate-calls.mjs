const ADMIN_PREFIX = '/admin/v1/';
const PUBLIC_PREFIX = '/api/v1/';

/** Operations of the management API that a token calls for its environment: `createOwnChannel` is `createChannel` there. */
const OWN = /^([a-z]+)Own(?=[A-Z])/;

/** Single operations whose calls are written by hand, because their keys are kept over retries, or they are two calls. */
const OPERATIONS_BY_HAND = new Set([
  'createReplayBatch',
  'createEnvironmentEvent',
  'cancelEnvironmentDeliveryRun',
  'getEnvironmentDeliveryContent',
]);

/** Operations without a generated command: it is written by hand, or there is none. */
const COMMANDS_BY_HAND = new Set([
  'streamEnvironment',
  'listenToChannel',
  'answerDelivery',
  'createChannel',
  'createConsumerChannel',
  'updateChannel',
  'testChannel',
  'listChannelAttempts',
  'listConsumerDeliveries',
  'createTemplate',
  'previewTemplate',
  'previewTemplateDraft',
  'createErasure',
  'importSuppressions',
  'listAuditLog',
  'getAuditChain',
  'verifyAuditLog',
  'exportAuditLog',
  'exportConfiguration',
  'planConfiguration',
  'applyConfiguration',
  'getSecrets',
  'reencryptSecrets',
]);

/** POST operations that may be repeated: a second one changes nothing. The others are repeated only if nothing was done. */
const REPEATABLE = new Set([
  'cancelReplayBatch',
  'createErasure',
  'activateTemplate',
  'activateLayout',
  'activatePartial',
  'activateTranslation',
  'deactivateTemplate',
  'previewTemplate',
  'previewTemplateDraft',
  'planConfiguration',
  'reencryptSecrets',
]);

const isParameter = (segment) => segment.startsWith('{');
const camelCase = (text) => text.replaceAll(/-(\w)/g, (_match, letter) => letter.toUpperCase());

/** The operation with its parameters instead of references to them. */
function withParameters(operation, { parameters: shared }) {
  const parameters = (operation.parameters ?? []).map(
    (given) => shared[given.$ref?.split('/').at(-1)] ?? given,
  );
  return { ...operation, parameters };
}

/** The operations under a prefix, with the parts of their paths. */
function operationsOf({ paths, components }, prefix) {
  return Object.entries(paths).flatMap(([path, methods]) => {
    if (!path.startsWith(prefix)) return [];
    const segments = path.slice(prefix.length).split('/');
    const ids = segments.filter(isParameter).map((segment) => segment.slice(1, -1));
    return Object.entries(methods).map(([method, operation]) => ({
      ...{ path, method, segments, ids },
      operation: withParameters(operation, components),
    }));
  });
}

const inManagement = (operationId) => operationId.replace(OWN, '$1');

/** By each path of self-service, the path of the management API with the same bodies, queries and successes. */
export function managementTwins(document) {
  const paths = new Map();
  for (const { path, operation } of operationsOf(document, ADMIN_PREFIX))
    paths.set(operation.operationId, path);
  return new Map(
    operationsOf(document, PUBLIC_PREFIX).flatMap(({ path, operation: { operationId } }) =>
      OWN.test(operationId) ? [[path, paths.get(inManagement(operationId))]] : [],
    ),
  );
}

/** The segments that name a resource: what a parameter follows somewhere, and what a path begins with. */
function resourceSegments(operations) {
  const names = new Set();
  for (const { segments } of operations) {
    segments.forEach((segment, index) => {
      if (index === 0 || isParameter(segments[index + 1] ?? '')) names.add(segment);
    });
  }
  return names;
}

/** The entry of the page that a list responds with: the name of its schema. */
function entryOf(document, operation) {
  const name = (schema) => schema.$ref.split('/').at(-1);
  const page = name(operation.responses[200].content['application/json'].schema);
  return name(document.components.schemas[page].properties.data.items);
}

/** Whether what an operation responds with is a page of a list. */
function isPage(document, operation) {
  const { $ref } = operation.responses[200]?.content['application/json']?.schema ?? {};
  const { properties = {} } = document.components.schemas[$ref?.split('/').at(-1)] ?? {};
  return 'data' in properties && 'next_cursor' in properties;
}

function init(parts) {
  return parts.length === 0 ? 'init' : `{ ...init, ${parts.join(', ')} }`;
}

const pathOf = (ids) => (ids.length > 0 ? [`path: { ${ids.join(', ')} }`] : []);

/** A list of what its path names: `of` for that of a resource itself, else by its `name`, such as `blockedKeys` of a channel. */
function listCall(document, { path, operation, ids }, name = 'of') {
  const params = [...pathOf(ids), 'query'];
  const list =
    `pagedList<QueryOf<'${inManagement(operation.operationId)}'>, components['schemas']['${entryOf(document, operation)}']>(` +
    `(query, options) =>\n        perform((init) => http.GET('${path}', ${init([`params: { ${params.join(', ')} }`])}), options),\n      )`;
  if (ids.length > 0) return `${name}: (${ids.map((id) => `${id}: string`).join(', ')}) =>\n        ${list},`;
  return name === 'of' ? `...${list},` : `${name}: ${list},`;
}

/** The type of what a call resolves with, where its schemas have names. Written down, it is the same in the declarations. */
function resultOf({ responses }) {
  const refs = [responses[200], responses[201]].map(
    (response) => response?.content?.['application/json']?.schema.$ref,
  );
  const names = refs.flatMap((ref) => (ref ? [`components['schemas']['${ref.split('/').at(-1)}']`] : []));
  return names.length > 0 ? `: Promise<${[...new Set(names)].join(' | ')}>` : '';
}

/** The parameter of a call for what its operation reads of the query; undefined where that is nothing. */
function queryOf({ operationId, parameters }) {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return undefined;
  const isRequired = inQuery.some(({ required }) => required);
  return `query: QueryOf<'${inManagement(operationId)}'>${isRequired ? '' : ' = {}'}`;
}

function call({ path, method, operation, ids }, name) {
  const { operationId, requestBody } = operation;
  const body =
    requestBody && `body: BodyOf<'${inManagement(operationId)}'>${requestBody.required ? '' : ' = {}'}`;
  const query = queryOf(operation);
  const signature = [...ids.map((id) => `${id}: string`), ...(body ? [body] : []), ...(query ? [query] : [])];
  const params = [...pathOf(ids), ...(query ? ['query'] : [])];
  const parts = [
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(body ? ['body'] : []),
  ];
  const isStream = 'text/event-stream' in (operation.responses[200]?.content ?? {});
  if (isStream) {
    // Its one header is where to go on from.
    const params = `params: { path: { ${ids.join(', ')} }, header }`;
    return (
      `${name}: (${[...signature, 'options: StreamOptions = {}'].join(', ')}) =>\n` +
      `        follow((init, header) => http.GET('${path}', ${init([params, "parseAs: 'stream'"])}), options),`
    );
  }
  const isRepeatable = REPEATABLE.has(inManagement(operationId));
  const options = method === 'post' && !isRepeatable ? 'once(options)' : 'options';
  return (
    `${name}: (${[...signature, 'options?: CallOptions'].join(', ')})${resultOf(operation)} =>\n` +
    `        perform((init) => http.${method.toUpperCase()}('${path}', ${init(parts)}), ${options}),`
  );
}

/** The action at the end of a path, such as `rotate-secret`, or `filter-test` of `filter/test`; empty without one. */
function actionOf(segments, resources) {
  const last = segments.findLastIndex((segment) => isParameter(segment) || resources.has(segment));
  return segments.slice(last + 1).join('-');
}

/** Calls with a name of their own. */
const NAMES = { getSecrets: 'keys' };

/** What another call is named by: the action at the end of its path, or the verb of its operation. */
function nameOf({ operation, segments }, resources) {
  const action = actionOf(segments, resources);
  const { operationId } = operation;
  return NAMES[operationId] ?? (action === '' ? operationId.match(/^[a-z]+/)[0] : camelCase(action));
}

/** The schema that a reference names, or the schema itself. */
const resolve = ({ components }, schema) =>
  schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema;

/** The schema without the null that it may be. */
function typesOf(schema) {
  const types = [schema.type ?? schema.anyOf?.map(({ type }) => type)].flat(2);
  return { type: types.find((type) => type !== 'null'), isNullable: types.includes('null') };
}

function fieldOf(document, name, schema, isRequired) {
  const { type, isNullable } = typesOf(schema);
  const kinds = { string: 'text', integer: 'integer', number: 'number', boolean: 'boolean', array: 'list' };
  const kind = kinds[type] ?? 'json';
  const isJson = kind === 'list' && resolve(document, schema.items)?.type !== 'string';
  return {
    ...{ name, kind: isJson ? 'json' : kind, isRequired, isNullable, about: schema.description ?? '' },
    ...(schema.enum && { choices: schema.enum.filter((value) => value !== null) }),
  };
}

const PAGING = ['limit', 'cursor'];

function columnsOf(document, operation) {
  const { properties = {} } = document.components.schemas[entryOf(document, operation)];
  const isPlain = (schema) => !['object', 'array', undefined].includes(typesOf(schema).type);
  return Object.keys(properties).filter((name) => isPlain(properties[name]));
}

function describeCall(document, described, { name, isPaged, action }) {
  const { operation, segments } = described;
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  const filters = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && !PAGING.includes(parameter.name),
  );
  const schema = resolve(document, operation.requestBody?.content['application/json'].schema);
  return {
    name,
    summary: operation.summary,
    parameters: parameters.map((parameter) => ({ name: parameter.name, about: parameter.description })),
    isOnOne: isParameter(segments.at(-1)) || action !== '' || ownerOf(described) !== undefined,
    body: schema
      ? Object.entries(schema.properties ?? {}).map(([name, field]) =>
          fieldOf(document, name, resolve(document, field), (schema.required ?? []).includes(name)),
        )
      : null,
    filters: filters.map(({ name, schema, description }) => ({
      ...fieldOf(document, name, resolve(document, schema), false),
      about: description,
    })),
    columns: isPaged ? columnsOf(document, operation) : null,
  };
}

/** Resources that another one can have, whose calls are then calls of that one: `createChannel` of a consumer. */
const OWNERS = { channels: 'consumers', deliveries: 'consumers' };

/** The owner of the resource at the end of the path, by {@link OWNERS}; undefined for a resource of the environment. */
const ownerOf = ({ segments }) => {
  const owner = OWNERS[segments.findLast((segment) => !isParameter(segment))];
  return segments.includes(owner) ? owner : undefined;
};

const resourceOf = (described, resources) =>
  ownerOf(described) ?? described.segments.findLast((segment) => resources.has(segment));

/** `createConsumerChannel` of a consumer is `createChannel`. */
const nameOfOwned = ({ operationId }) =>
  operationId.replace(OWN, '$1').replace(/^([a-z]+)[A-Z][a-z]+(?=[A-Z])/, '$1');

/** The text and the name of a call, and whether it reads a list. */
function callOf(document, described, resources) {
  const { method, operation, segments } = described;
  const resource = resourceOf(described, resources);
  const isPaged = method === 'get' && isPage(document, operation);
  const isList = isPaged && segments.at(-1) === resource;
  const name = ownerOf(described) ? nameOfOwned(operation) : isList ? 'list' : nameOf(described, resources);
  const text = isPaged ? listCall(document, described, isList ? 'of' : name) : call(described, name);
  const comment = `      /** ${operation.summary}. ${operation.description.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /')} */\n`;
  const isSpread = isList && text.startsWith('...');
  return { isPaged, name, text: isSpread ? `      ${text}` : `${comment}      ${text}` };
}

const add = (map, key, value) => map.set(key, [...(map.get(key) ?? []), value]);

/** A function that returns the calls of resources, by their names. */
function callsFunction({ name, about, deps, members }) {
  const groups = [...members].map(
    ([resource, calls]) => `    ${camelCase(resource)}: {\n${calls.join('\n')}\n    },`,
  );
  return (
    `/** ${about} */\n` +
    `export function ${name}(${deps}) {\n` +
    `  return {\n${groups.join('\n')}\n  };\n}\n`
  );
}

/** The text of `selfServiceResources`: the calls of the management operations that a token calls for its environment. */
export function selfServiceResources(document) {
  const operations = operationsOf(document, PUBLIC_PREFIX).filter(({ operation }) =>
    OWN.test(operation.operationId),
  );
  const resources = resourceSegments(operations);
  const members = new Map();
  for (const described of operations) {
    add(members, resourceOf(described, resources), callOf(document, described, resources).text);
  }
  return callsFunction({
    name: 'selfServiceResources',
    about: 'The calls with which a token manages its own environment.',
    deps: '{ http, perform }: Transport',
    members,
  });
}

/**
 * Two texts: `calls` defines `generatedResources`, which has the calls of every resource of the management API by its name,
 * and `descriptions` defines `GENERATED_RESOURCES`, which describes those that get a command. A list is read in pages, and is
 * `of` what its path names; every other operation is a call with the parameters of its path, its body and the options.
 */
export function adminResources(document) {
  const operations = operationsOf(document, ADMIN_PREFIX);
  const resources = resourceSegments(operations);
  const members = new Map();
  const descriptions = new Map();
  for (const described of operations) {
    const { operation, segments } = described;
    const resource = resourceOf(described, resources);
    // Those on messages are written by hand: their shape does not follow from the document.
    if (resource === 'messages' || OPERATIONS_BY_HAND.has(operation.operationId)) continue;
    const { isPaged, name, text } = callOf(document, described, resources);
    add(members, resource, text);
    // Commands have no options for queries: those are written by hand.
    if (COMMANDS_BY_HAND.has(operation.operationId) || (!isPaged && queryOf(operation))) continue;
    add(descriptions, resource, {
      tag: operation.tags[0],
      call: describeCall(document, described, {
        ...{ name, isPaged },
        action: actionOf(segments, resources),
      }),
    });
  }
  const aboutTag = (name) =>
    document.tags.find((tag) => tag.name === name).description.replace(/^Management: /, '');
  const described = [...descriptions].map(([resource, calls]) => ({
    name: resource,
    member: camelCase(resource),
    about: aboutTag(calls[0].tag),
    calls: calls.map(({ call }) => call),
  }));
  return {
    calls: callsFunction({
      name: 'generatedResources',
      about: 'The calls of the management operations whose shape follows from the document.',
      deps: '{ http, perform, follow }: Transport',
      members,
    }),
    descriptions: `export const GENERATED_RESOURCES: readonly ResourceDescription[] = ${JSON.stringify(described, null, 2)};\n`,
  };
}
