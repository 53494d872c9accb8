import { describe, expect, it } from '@postrider/testing';
import {
  COMMON_ATTEMPT_ERROR_CODES,
  DETAIL_CODES,
  ERROR_CODES,
  MANAGED_RESOURCE_NAMES,
} from '../src/index.ts';

describe.each([
  ['error codes', ERROR_CODES],
  ['detail codes', DETAIL_CODES],
  ['common attempt error codes', COMMON_ATTEMPT_ERROR_CODES],
])('%s', (_, codes) => {
  it('are unique and snake_case', () => {
    expect(new Set<string>(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
  });
});

describe('error codes', () => {
  it('are those of docs/specification.md, "Error codes"', () => {
    expect([...ERROR_CODES].sort()).toEqual(
      [
        'idempotency_key_required idempotency_key_invalid invalid_json unauthorized quota_exceeded',
        'payment_required forbidden token_scope_missing portal_link_invalid route_not_found message_not_found delivery_run_not_found',
        'method_not_allowed idempotency_conflict idempotency_in_progress delivery_run_not_cancellable',
        'payload_too_large unsupported_media_type validation_failed rate_limited internal_error',
        'service_unavailable',
        ...MANAGED_RESOURCE_NAMES.map((name) => `${name}_not_found`),
        'already_exists conflict configuration_changed',
        'malformed_request request_timeout expectation_failed headers_too_large',
        'idempotency_key_repeated batch_aborted',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    );
  });
});
