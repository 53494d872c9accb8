import { readFileSync } from 'node:fs';
import { channelKinds } from '@postrider/channels';
import { ERROR_CODES, type ErrorCode } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { ERRORS } from '../src/http/errors.ts';
import { createOpenApiDocument } from '../src/openapi/document.ts';
import { errorCodesOf } from '../src/openapi/operation.ts';
import { OPERATIONS, RESOURCES } from '../src/resources.ts';
import { documentedResponse } from './openapi-conformance.ts';

type Shown = { responses: Record<string, { $ref: string }> };
type Media = { examples?: Record<string, { value: { error: { code: string } } }> };

/** Codes of single results of a batch, whose response is 200. */
const RESULTS_ONLY: readonly ErrorCode[] = ['idempotency_key_repeated', 'batch_aborted'];

/** Responses of paths and methods that are not operations, before any of them is known, or of none at all. */
const OUTSIDE_OF_OPERATIONS: readonly ErrorCode[] = [
  'portal_link_invalid',
  'route_not_found',
  'method_not_allowed',
  'malformed_request',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
];

const document = createOpenApiDocument(RESOURCES);
const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
const rowOf = (code: ErrorCode) => {
  const { meaning, action } = ERRORS[code];
  return `| ${ERRORS[code].status} | \`${code}\` | ${meaning} | ${action} |`;
};
const rowsOf = (text: string) => text.split('\n').filter((line) => /^\| \d/.test(line));

describe('the table of errors', () => {
  it('has a row for each code of the domain, and no other', () => {
    expect(Object.keys(ERRORS).sort()).toEqual([...ERROR_CODES].sort());
  });

  it('is followed in docs/errors.md by every error code of an attempt', () => {
    const codes = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);

    expect(codes.sort()).toEqual([...channelKinds.attemptErrorCodes].sort());
  });

  it('is at the top of the OpenAPI document', () => {
    const { description } = document.info as { description: string };

    expect(rowsOf(description)).toEqual(ERROR_CODES.map(rowOf));
  });

  it('matches the schema of an error', () => {
    expect(document.components.schemas.ErrorCode?.enum).toEqual([...ERROR_CODES]);
  });

  it('has only codes of operations, paths, methods and HTTP itself', () => {
    const answered = new Set(OPERATIONS.flatMap(errorCodesOf));

    expect(ERROR_CODES.filter((code) => !answered.has(code)).sort()).toEqual(
      [...OUTSIDE_OF_OPERATIONS, ...RESULTS_ONLY].sort(),
    );
  });
});

describe.each(OPERATIONS.map((doc) => [doc.operationId, doc] as const))('%s', (_name, doc) => {
  const shown = document.paths[doc.path]?.[doc.method] as Shown | undefined;
  const responses = shown?.responses ?? {};
  const examplesOf = (response: { $ref: string }) =>
    Object.entries((documentedResponse(response)?.content?.['application/json'] as Media)?.examples ?? {});
  const documented = Object.entries(responses)
    .filter(([, response]) => '$ref' in response)
    .flatMap(([status, response]) => examplesOf(response).map(([code]) => [code, Number(status)] as const));

  it('has each of its codes under the status of the table, and no other', () => {
    const expected = errorCodesOf(doc).map((code) => [code, ERRORS[code].status] as const);

    expect(new Map(documented)).toEqual(new Map(expected));
    expect(documented).toHaveLength(expected.length);
  });

  it('has an example of each of its codes', () => {
    const shown = Object.values(responses)
      .filter((response) => '$ref' in response)
      .flatMap((response) => examplesOf(response).map(([name, { value }]) => [name, value.error.code]));

    expect(shown.sort()).toEqual(
      errorCodesOf(doc)
        .map((code) => [code, code])
        .sort(),
    );
  });

  it('has its success, and a code for each other status', () => {
    const successes = [doc.success, doc.alternative].flatMap((success) => success?.status ?? []);
    const statuses = new Set([...successes, ...documented.map(([, status]) => status)]);

    expect(Object.keys(responses).map(Number).sort()).toEqual([...statuses].sort());
  });
});
