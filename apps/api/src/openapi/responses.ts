import { DETAIL_CODES, ERROR_CODES, type ErrorCode, groupBy } from '@postrider/domain';
import { ERRORS } from '../http/errors.ts';
import { PROBLEM_JSON } from '../http/reply.ts';
import { completeExample, DETAIL_EXAMPLES } from './examples.ts';
import { errorCodesOf, type OperationDescription, type SuccessDescription } from './operation.ts';
import { list, oneOf, pascalCase, record, ref, type Schema, type Schemas, text, titled } from './schema.ts';

type Response = {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
};
type Responses = Record<string, Response | { $ref: string }>;

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const headers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, header(name)]));

const CORRELATION = ['X-Request-ID', 'X-Trace-ID'];
const RATE = ['RateLimit-Policy', 'RateLimit'];

/** Headers of error statuses besides those of every response. */
const HEADERS_OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
/** Headers of responses of the public API after the rate limit. */
const HEADERS_OF_PUBLIC_STATUS: Readonly<Record<number, readonly string[]>> = {
  404: RATE,
  409: ['Retry-After'],
  422: RATE,
  429: RATE,
};

function codesByStatus(doc: OperationDescription): Map<number, ErrorCode[]> {
  const byStatus = groupBy(errorCodesOf(doc), (code) => ERRORS[code].status);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** The headers of an error response depend on the API, so its responses have names of their own there. */
function errorResponseName(doc: OperationDescription, status: number, codes: readonly ErrorCode[]): string {
  const hasOwnHeaders = doc.traits && HEADERS_OF_PUBLIC_STATUS[status] !== undefined;
  return `${codes.map(pascalCase).join('Or')}${hasOwnHeaders ? 'WithRate' : ''}`;
}

/**
 * All responses of an operation: its success, and a reference to an error response per status of its codes.
 * @param schemas those of `#/components/schemas`
 */
export function responsesOf(doc: OperationDescription, schemas: Schemas): Responses {
  const successes = [doc.success, doc.alternative].flatMap((success) => success ?? []);
  return {
    ...Object.fromEntries(successes.map((success) => [success.status, successOf(doc, success, schemas)])),
    ...Object.fromEntries(
      [...codesByStatus(doc)].map(([status, codes]) => [
        status,
        { $ref: `#/components/responses/${errorResponseName(doc, status, codes)}` },
      ]),
    ),
  };
}

/** `#/components/responses`: the error responses of these operations. */
export function errorResponsesOf(operations: readonly OperationDescription[]): Record<string, Response> {
  return Object.fromEntries(
    operations.flatMap((doc) =>
      [...codesByStatus(doc)].map(([status, codes]) => [
        errorResponseName(doc, status, codes),
        errorResponse(doc, status, codes),
      ]),
    ),
  );
}

function successOf(doc: OperationDescription, success: SuccessDescription, schemas: Schemas): Response {
  if (success.status === 204) return { description: 'Done.', headers: headers(...CORRELATION) };
  const rate = doc.traits ? RATE : [];
  const replayed = doc.traits && doc.traits.idempotency.key !== 'ignored' ? ['Idempotent-Replayed'] : [];
  const { contentType = 'application/json', schema } = success;
  return {
    description: success.status === 201 ? 'Created.' : 'As requested.',
    headers: headers(...CORRELATION, ...rate, ...replayed),
    content: { [contentType]: { schema, example: completeExample(schema, success.example, schemas) } },
  };
}

function errorResponse(doc: OperationDescription, status: number, codes: readonly ErrorCode[]): Response {
  const ofPublic = doc.traits ? (HEADERS_OF_PUBLIC_STATUS[status] ?? []) : [];
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: headers(...CORRELATION, ...(HEADERS_OF_STATUS[status] ?? []), ...ofPublic),
    content: {
      'application/json': {
        schema: ref('Error'),
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
      [PROBLEM_JSON]: { schema: ref('Problem') },
    },
  };
}

function errorExample(code: ErrorCode): unknown {
  const details = DETAIL_EXAMPLES[code];
  const { message } = ERRORS[code];
  return {
    error: { code, message, request_id: 'checkout-7731', ...(details === undefined ? {} : { details }) },
  };
}

/** `#/components/headers` (docs/specification.md, "Common rules", "Error codes" and "Request pipeline"). */
export const RESPONSE_HEADERS = {
  'X-Request-ID': {
    description: 'Your X-Request-ID, if you sent a valid one.',
    schema: { type: 'string' },
  },
  'X-Trace-ID': {
    description: 'The W3C trace id of the request, from your `traceparent` if you sent one.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  'RateLimit-Policy': {
    description:
      'The bucket of the environment: `q` requests in `w` seconds. Absent on a plan without a limit.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
    example: '"default";q=100;w=2',
  },
  RateLimit: {
    description: 'The remaining `r` requests of the bucket, which is full again in `t` seconds.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=99;t=1',
  },
  'Retry-After': {
    description:
      'Whole seconds after which the same request may succeed. With 409 only for `idempotency_in_progress`.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Idempotent-Replayed': {
    description: 'Present if this is the stored response of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': {
    description: 'The required scheme.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
};

const ERROR_CODE = titled(
  'Error code',
  oneOf(ERROR_CODES, 'Stable, for programs. The table at the top of this page lists all codes.'),
);

const PROBLEM_FIELDS = {
  type: text('`urn:postrider:error:` and the code.'),
  title: text('A description of the code.'),
  status: { type: 'integer', description: 'The status of the response.' },
  detail: text('The error of this request as text for readers.'),
  code: ERROR_CODE,
  request_id: text('As in Error.'),
};

/** Schemas of errors (docs/specification.md, "Error details"). `details` is the only optional field. */
export const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  ErrorDetail: {
    ...record(
      'One issue of the request, or one fact about the refusal. Further fields are facts that belong to the code, such as ' +
        '`limit`, `used` and `resets_at` of a quota: a text, an integer or null.',
      {
        path: text('A JSON Pointer into the body, or `/` and the name of a query parameter.'),
        code: oneOf(DETAIL_CODES, 'Stable; for programs.'),
        message: text('The error as text for readers. Its wording may change.'),
      },
    ),
    // Without a type, because generators have none for "text, number or null".
    additionalProperties: true,
  },
  Problem: {
    type: 'object',
    description:
      'The same as problem details (RFC 9457), for requests whose `Accept` names `application/problem+json`.',
    required: Object.keys(PROBLEM_FIELDS),
    properties: {
      ...PROBLEM_FIELDS,
      details: list(ref('ErrorDetail'), 'As in Error.'),
    },
  },
  Error: record('Every error response has this form.', {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: ERROR_CODE,
        message: text('A text for readers. Its wording may change.'),
        request_id: text('Your X-Request-ID; `unknown` if you sent none, or an invalid one.'),
        details: list(
          ref('ErrorDetail'),
          'Present with 402 `quota_exceeded`, 409 `delivery_run_not_cancellable`, 409 `already_exists` and 422.',
        ),
      },
    },
  }),
};
