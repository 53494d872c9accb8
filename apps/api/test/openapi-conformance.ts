import { isTimezone } from '@postrider/domain';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Response } from 'supertest';
import { createOpenApiDocument } from '../src/openapi/document.ts';
import type { Schema } from '../src/openapi/schema.ts';
import { RESOURCES } from '../src/resources.ts';

type DocumentedResponse = {
  readonly headers?: Record<string, { $ref?: string; required?: boolean; schema?: Schema }>;
  /** The examples of an error response are named after its codes. */
  readonly content?: Record<
    string,
    { readonly schema: Schema; readonly examples?: Readonly<Record<string, unknown>> }
  >;
};
type DocumentedOperation = {
  readonly responses: Record<string, DocumentedResponse | { readonly $ref: string }>;
};

/** The response of an operation, also if it refers to one under `#/components/responses`. */
export function documentedResponse(
  response: DocumentedResponse | { readonly $ref: string } | undefined,
): DocumentedResponse | undefined {
  if (response === undefined || !('$ref' in response)) return response;
  const shared = document.components.responses as Record<string, DocumentedResponse>;
  return shared[response.$ref.split('/').at(-1) ?? ''];
}

const DOCUMENT_URL = 'postrider:openapi.json';

/** Keywords that apply further schemas to the same value. */
const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas'];

/** Clients must take fields that they do not know; the service must not send any that are not documented. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]));
  const isClosable =
    schema.type === 'object' && 'properties' in schema && !('additionalProperties' in schema);
  if (!isClosable) return schema;
  // Both mean the same where no other schema names properties of the value; this one compiles faster.
  const isAlone = !IN_PLACE.some((keyword) => keyword in schema);
  return { ...schema, [isAlone ? 'additionalProperties' : 'unevaluatedProperties']: false };
}

const document = createOpenApiDocument(RESOURCES);
// The document's own test checks the schemas. Each is used a few times, which does not pay for better code.
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
});
addFormats.default(ajv);
ajv.addFormat('time-zone', isTimezone);
ajv.addSchema({ $id: DOCUMENT_URL, components: closed(document.components) });

const compiled = new WeakMap<Schema, ValidateFunction>();
/** Most operations have a few schemas in common, such as those of errors. */
const compiledByText = new Map<string, ValidateFunction>();

function compile(schema: Schema): ValidateFunction {
  const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', `"${DOCUMENT_URL}#/components/`);
  const validate = compiledByText.get(text) ?? ajv.compile(JSON.parse(text) as Schema);
  compiledByText.set(text, validate);
  return validate;
}

/** Reports every issue of a value against a schema of the document, as text; none when it conforms. */
export function issuesAgainst(schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message}`);
}

/** The paths of the document, those without parameters first. */
const PATTERNS = Object.keys(document.paths)
  .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));

function operationOf(method: string, path: string): DocumentedOperation | undefined {
  const template = PATTERNS.find(({ pattern }) => pattern.test(path))?.path;
  if (template === undefined) return undefined;
  return document.paths[template]?.[method.toLowerCase()] as DocumentedOperation | undefined;
}

/** An answer of the API, wherever it was read. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

function headerIssues(answer: Answer, documented: DocumentedResponse): string[] {
  const shared = document.components.headers as Record<string, { required?: boolean; schema: Schema }>;
  return Object.entries(documented.headers ?? {}).flatMap(([name, entry]) => {
    const header = entry.$ref === undefined ? entry : shared[name];
    const text = answer.headers[name.toLowerCase()];
    if (text === undefined) return header?.required ? [`the header ${name} is missing`] : [];
    const value = header?.schema?.type === 'integer' ? Number(text) : text;
    return issuesAgainst(header?.schema ?? {}, value).map((issue) => `the header ${name}: ${issue}`);
  });
}

/** The error code of a body, also of problem details. */
function codeOf(body: unknown): string | undefined {
  const { error, code = error?.code } = (body ?? {}) as { error?: { code?: string }; code?: string };
  return code;
}

/**
 * Names every way in which an answer differs from what the OpenAPI document says of its operation: the status, its
 * headers, and a body of its schema without undocumented fields. Null for paths that are not operations, and for methods
 * that a path does not have. `path` is without a query.
 */
export function issuesOfAnswer(method: string, path: string, answer: Answer): string[] | null {
  const operation = operationOf(method, path);
  if (operation === undefined) return null;
  const documented = documentedResponse(operation.responses[String(answer.status)]);
  if (documented === undefined) return ['the status is not documented'];
  const contentType = String(answer.headers['content-type'] ?? '').startsWith('application/problem+json')
    ? 'application/problem+json'
    : 'application/json';
  const schema = documented.content?.[contentType]?.schema;
  const codes = Object.keys(documented.content?.['application/json']?.examples ?? {});
  const code = codeOf(answer.body);
  return [
    ...(answer.status >= 400 && code !== undefined && !codes.includes(code)
      ? [`the code ${code} is not documented for ${answer.status}`]
      : []),
    ...headerIssues(answer, documented),
    ...(schema === undefined ? [] : issuesAgainst(schema, answer.body)),
  ];
}

/**
 * Throws unless a real response is one that the OpenAPI document describes, by `issuesOfAnswer`. For supertest:
 * `.expect(isDocumented)`. What is no operation passes.
 */
export function isDocumented(response: Response): void {
  const { method, url } = response.request as unknown as { method: string; url: string };
  const issues = issuesOfAnswer(method, new URL(url).pathname, response) ?? [];
  if (issues.length > 0) throw new Error(`${method} ${url} ${response.status}: ${issues.join('; ')}`);
}
