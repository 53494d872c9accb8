import { isDeepStrictEqual } from 'node:util';
import { ALL_SCOPES, BUILT_IN_ROLES, ERROR_CODES, SCOPES, withReads } from '@postrider/domain';
import { bodyUseOf } from '../http/admission.ts';
import { ERRORS } from '../http/errors.ts';
import {
  concernsInstallation,
  isManagement,
  type OperationDescription,
  type Parameter,
  type Resource,
} from './operation.ts';
import { ACTOR, idempotencyKey, type PathParameter, REASON, REQUEST_ID } from './parameters.ts';
import { ERROR_SCHEMAS, errorResponsesOf, RESPONSE_HEADERS, responsesOf } from './responses.ts';
import { pascalCase, ref, type Schema, type Schemas } from './schema.ts';
import { DELIVERY_WEBHOOK } from './webhook.ts';

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples', 'required']);

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value under a keyword of data is the schema of a property with that name. */
const isSchema = (value: unknown) => isObject(value) && ('type' in value || '$ref' in value);

/** The values of the discriminator's property, each with the reference to its schema. */
function mappingOf(property: string, branches: readonly Schema[], named: Readonly<Record<string, Schema>>) {
  return Object.fromEntries(
    branches.flatMap(({ $ref }): [string, string][] => {
      const { properties } = named[String($ref).split('/').at(-1) ?? ''] ?? {};
      const { const: value, enum: values = [value] } = (properties as Record<string, Schema>)[property] ?? {};
      return (values as string[]).map((each) => [each, String($ref)]);
    }),
  );
}

/**
 * Gives every schema that has a `title` a name under `#/components/schemas`, which code generators name their types
 * after; they accept a `discriminator` only over named schemas. Returns a function that replaces the schemas within a
 * part of the document by references and adds their definitions to `named`. The function throws if two different
 * schemas have the same title.
 */
function createNaming(named: Record<string, Schema>): (part: unknown) => unknown {
  function define(title: string, schema: Schema): Schema {
    const name = pascalCase(title);
    const known = named[name];
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`Two different schemas have the title ${title}.`);
    }
    named[name] = schema;
    return ref(name);
  }

  return function name(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(name);
    if (!isObject(part)) return part;
    const { title, ...schema } = Object.fromEntries(
      Object.entries(part).map(([key, value]) => {
        if (!DATA.has(key) || isSchema(value)) return [key, name(value)];
        // With such a default, the Java code of openapi-generator does not compile.
        return [key === 'default' && isObject(value) ? 'x-default' : key, value];
      }),
    );
    const { propertyName } = (schema.discriminator ?? {}) as { propertyName?: string };
    if (propertyName !== undefined) {
      schema.discriminator = {
        propertyName,
        mapping: mappingOf(propertyName, schema.oneOf as Schema[], named),
      };
    }
    if (typeof title === 'string') return define(title, schema);
    return title === undefined ? schema : { ...schema, title };
  };
}

/** The version of the interface, not of the program. It changes only when clients can notice. */
export const INTERFACE_VERSION = '1.0.0';

/** An OpenAPI 3.1 document. */
type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly [part: string]: unknown;
  };
  readonly [part: string]: unknown;
};

/**
 * The OpenAPI document of the public and the management API: docs/specification.md in machine-readable form.
 * Request schemas are the objects that validate requests; statuses come from the error table.
 */
export function createOpenApiDocument(resources: readonly Resource[]): OpenApiDocument {
  const operations = resources.flatMap((resource) => resource.operations);
  const schemas: Record<string, Schema> = Object.assign(
    {},
    ERROR_SCHEMAS,
    ...resources.map((resource) => resource.schemas),
  );
  const named = createNaming(schemas);
  Object.assign(schemas, named({ ...schemas }));
  const parameters = sharedParameters(operations);
  const paths = named(pathsOf(resources, parameters, schemas)) as OpenApiDocument['paths'];
  return {
    openapi: '3.1.0',
    info: { title: 'Postrider', version: INTERFACE_VERSION, description: introduction(operations) },
    servers: [{ url: '/', description: 'The server of this document.' }],
    tags: tagsOf(resources),
    paths,
    webhooks: { delivery: named(DELIVERY_WEBHOOK) },
    components: {
      securitySchemes: {
        environmentToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token of one environment, such as `pr_dev_…`. Everything it creates belongs to that environment.',
        },
        operatorToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'For `/admin/v1/`: a token of an operator or a machine, such as `po_…`, with the scopes and bounds that it was ' +
            'issued with, or the ADMIN_TOKEN of the installation, which has all scopes and can be switched off.',
        },
        operatorSession: sessionScheme('`/admin/v1/`, with the scopes of the operator'),
        integratorSession: sessionScheme('`/api/v1/`, for the environment and with the scopes of its token'),
      },
      parameters: named(parameters),
      headers: RESPONSE_HEADERS,
      responses: errorResponsesOf(operations),
      schemas,
    },
  };
}

/** How a session of the console is sent. */
const sessionScheme = (where: string) => ({
  type: 'apiKey',
  in: 'cookie',
  name: 'postrider_session',
  description:
    `A session of the console (\`POST /console/session\`) on ${where}. Requests that change something also need ` +
    '`X-CSRF-Token`.',
});

const schemesOf = (doc: OperationDescription) =>
  isManagement(doc) ? ['operatorToken', 'operatorSession'] : ['environmentToken', 'integratorSession'];

const WEBHOOKS_TAG = { name: 'Webhooks', description: 'Requests that the service sends to you.' };

/** Each tag once; several resources may share one. */
function tagsOf(resources: readonly Resource[]): Resource['tag'][] {
  const byName = new Map(resources.map(({ tag }) => [tag.name, tag]));
  return [...byName.values(), WEBHOOKS_TAG];
}

function pathsOf(
  resources: readonly Resource[],
  shared: Readonly<Record<string, Parameter>>,
  schemas: Schemas,
): Record<string, Record<string, unknown>> {
  const result: Record<string, Record<string, unknown>> = {};
  const bodyNames = new Map<Schema, string>();
  for (const { tag, operations } of resources) {
    for (const doc of operations) {
      const described = {
        ...operation(doc, tag.name, bodyNames, shared),
        responses: responsesOf(doc, schemas),
      };
      result[doc.path] = { ...result[doc.path], [doc.method]: described };
    }
  }
  return { ...result, '/api/v1/events': { ...result['/api/v1/events'], options: PREFLIGHT } };
}

/** A parameter without the facts that only the router needs. */
function shown(parameter: Parameter | PathParameter): Parameter {
  if (!('parse' in parameter)) return parameter;
  const { parse: _parse, owner: _owner, notFound: _notFound, ...rest } = parameter;
  return rest;
}

function parametersOf(doc: OperationDescription): Parameter[] {
  return [...doc.parameters.map(shown), ...headersOf(doc)];
}

/**
 * The name of a parameter that is shared. Generators make types of these names, so they differ from those of schemas, and those of
 * `channel_id` of a query from those of `channelId` of a path.
 */
const sharedName = ({ name, in: place }: Parameter) =>
  `${pascalCase(name)}${place === 'query' && name.endsWith('_id') ? 'Filter' : ''}Parameter`;

/** `#/components/parameters`: of each name, the first parameter that several operations have in the same form. */
function sharedParameters(operations: readonly OperationDescription[]): Record<string, Parameter> {
  const shared: Record<string, Parameter> = {};
  const seen: Parameter[] = [];
  for (const parameter of operations.flatMap(parametersOf)) {
    if (seen.some((other) => isDeepStrictEqual(other, parameter)))
      shared[sharedName(parameter)] ??= parameter;
    else seen.push(parameter);
  }
  return shared;
}

function headersOf(doc: OperationDescription): Parameter[] {
  const reason = doc.method === 'get' ? [] : [REASON];
  const actor = isManagement(doc) ? [ACTOR, ...reason] : [];
  const key = doc.traits?.idempotency.key ?? 'ignored';
  return key === 'ignored'
    ? [...actor, REQUEST_ID]
    : [...actor, idempotencyKey(key === 'required'), REQUEST_ID];
}

/** The body with a title, from which its schema gets a name. Operations with the same schema share the name. */
function bodyOf(
  { operationId, body }: OperationDescription,
  names: Map<Schema, string>,
): OperationDescription['body'] {
  if (body === undefined) return undefined;
  const title = names.get(body.schema) ?? `${operationId}Request`;
  names.set(body.schema, title);
  return { schema: { title, ...body.schema }, examples: body.examples };
}

function operation(
  doc: OperationDescription,
  tag: string,
  bodyNames: Map<Schema, string>,
  shared: Readonly<Record<string, Parameter>>,
): Record<string, unknown> {
  const body = bodyOf(doc, bodyNames);
  return {
    operationId: doc.operationId,
    tags: [tag],
    summary: doc.summary,
    description: doc.description,
    // Since 3.1, schemes of every type list what a caller needs.
    security: schemesOf(doc).map((scheme) => ({ [scheme]: [doc.scope] })),
    ...(!isManagement(doc) && doc.forConsumers ? { 'x-consumer': true } : {}),
    ...(isManagement(doc) && concernsInstallation(doc) ? { 'x-without-bounds': true } : {}),
    parameters: parametersOf(doc).map((parameter) =>
      isDeepStrictEqual(shared[sharedName(parameter)], parameter)
        ? { $ref: `#/components/parameters/${sharedName(parameter)}` }
        : parameter,
    ),
    ...(body && {
      requestBody: { required: bodyUseOf(doc) === 'required', content: { 'application/json': body } },
    }),
  };
}

const PREFLIGHT = {
  operationId: 'preflightEvents',
  tags: ['Events'],
  summary: 'Send a CORS preflight',
  description: 'Responds to a CORS preflight without a token. Every path of the interface supports it.',
  security: [],
  responses: {
    '204': {
      description: 'The methods and headers that pages of the allowed origins may use.',
      headers: {
        'Access-Control-Allow-Origin': { schema: { type: 'string' } },
        'Access-Control-Allow-Methods': { schema: { type: 'string' } },
        'Access-Control-Allow-Headers': { schema: { type: 'string' } },
        'Access-Control-Max-Age': { schema: { type: 'integer' } },
        'X-Trace-ID': { $ref: '#/components/headers/X-Trace-ID' },
      },
    },
  },
};

/** A row for each scope: what it allows, which built-in roles have it, and the operations that need it. */
function scopeRows(operations: readonly OperationDescription[]): string[] {
  const roles = Object.entries(BUILT_IN_ROLES).map(([role, scopes]) => [role, withReads(scopes)] as const);
  return ALL_SCOPES.map((scope) => {
    const having = roles.filter(([, scopes]) => scopes.has(scope)).map(([role]) => role);
    const opened = operations.filter((each) => each.scope === scope).map((each) => `\`${each.operationId}\``);
    return `| \`${scope}\` | ${SCOPES[scope]} | ${having.join(', ')} | ${opened.join(' ')} |`;
  });
}

function introduction(operations: readonly OperationDescription[]): string {
  const rows = ERROR_CODES.map((code) => {
    const { meaning, action } = ERRORS[code];
    return `| ${ERRORS[code].status} | \`${code}\` | ${meaning} | ${action} |`;
  });
  return `Send an event; Postrider delivers it by email and webhook, at least once, and reports the status of \
each delivery.

**Try it here:** press *Authorize*, paste an environment token, open an operation and press *Execute*. \
Leave the example of \`Idempotency-Key\` unchanged, and this page generates a fresh key for each request; enter \
your own key to see how a repeated request behaves.

**Common rules.** JSON in UTF-8 with \`snake_case\` names. Times are RFC 3339; in responses in UTC with \
milliseconds. A body has at most 256 KiB and 32 levels, and unknown fields of a body are refused. An id of \
another environment gets the same response as one that does not exist.

**Order of the checks.** Token (401), size and type of the body (413, 415), idempotency (400, 409, or the \
stored response), quota and payment (402), rate (429), then the body itself (400, 422) and the operation. A \
request with several errors gets the response of the first check.

**Management** (\`/admin/v1/\`) takes the token of an operator or a machine, or the admin token, has no idempotency \
keys, quota or rate limit, and is for servers and command lines: pages of other origins cannot call it. A PATCH \
is a JSON Merge Patch (RFC 7396): fields that are left out stay, null removes one, and the result must be \
valid for a POST. The audit log has every change, under the name in \`X-Actor\`.

### Errors

| Status | Code | Meaning | What to do |
|---|---|---|---|
${rows.join('\n')}

### Scopes

\`security\` of an operation names its scope. A scope of an area includes the area’s \`read\`.

| Scope | Allows to | Roles | Operations |
|---|---|---|---|
${scopeRows(operations).join('\n')}
`;
}
