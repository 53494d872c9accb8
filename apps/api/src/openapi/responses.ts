import type { ErrorCode } from '@postrider/domain';
import { ERROR_TABLE } from '../http/error-table.ts';
import { ERROR_GUIDE } from './error-guide.ts';
import { DETAIL_EXAMPLES } from './examples.ts';
import { errorCodesOf, type OperationDescription, type Success } from './operation.ts';

type Response = {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
};
export type Responses = Record<string, Response>;

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const headers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, header(name)]));

const CORRELATION = ['X-Request-ID', 'X-Trace-ID'];
const RATE = ['RateLimit-Policy', 'RateLimit'];

/** Headers that come with the statuses of errors besides those of every answer. */
const HEADERS_OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
/** Those that come with answers of the public API from its rate limit on. */
const HEADERS_OF_PUBLIC_STATUS: Readonly<Record<number, readonly string[]>> = {
  404: RATE,
  409: ['Retry-After'],
  422: RATE,
  429: RATE,
};

/** Every response of an operation: its success, and one for each status of the codes that it can answer. */
export function responsesOf(doc: OperationDescription): Responses {
  const codes = errorCodesOf(doc);
  const statuses = [...new Set(codes.map((code) => ERROR_TABLE[code].status))].sort((a, b) => a - b);
  return {
    [doc.success.status]: successOf(doc, doc.success),
    ...(doc.alternative ? { [doc.alternative.status]: successOf(doc, doc.alternative) } : {}),
    ...Object.fromEntries(
      statuses.map((status) => [status, errorResponse(doc, status, codesWith(status, codes))]),
    ),
  };
}

function codesWith(status: number, codes: readonly ErrorCode[]): ErrorCode[] {
  return codes.filter((code) => ERROR_TABLE[code].status === status);
}

function successOf(doc: OperationDescription, success: Success): Response {
  if (success.status === 204) return { description: 'Done.', headers: headers(...CORRELATION) };
  const rate = 'traits' in doc ? RATE : [];
  const replayed = 'traits' in doc && doc.traits.idempotency.key !== 'ignored' ? ['Idempotent-Replayed'] : [];
  return {
    description: success.status === 201 ? 'Created.' : 'As asked.',
    headers: headers(...CORRELATION, ...rate, ...replayed),
    content: { 'application/json': { schema: success.schema, example: success.example } },
  };
}

function errorResponse(doc: OperationDescription, status: number, codes: readonly ErrorCode[]): Response {
  const ofPublic = 'traits' in doc ? (HEADERS_OF_PUBLIC_STATUS[status] ?? []) : [];
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_GUIDE[code].meaning}`).join('\n\n'),
    headers: headers(...CORRELATION, ...(HEADERS_OF_STATUS[status] ?? []), ...ofPublic),
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Error',
          properties: { error: { properties: { code: { enum: [...codes] } } } },
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  };
}

function errorExample(code: ErrorCode): unknown {
  const details = DETAIL_EXAMPLES[code];
  const { message } = ERROR_TABLE[code];
  return {
    error: { code, message, request_id: 'checkout-7731', ...(details === undefined ? {} : { details }) },
  };
}
