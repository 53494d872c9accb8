import { describe, expect, it } from '@postrider/testing';
import { ATTEMPT_ERROR_CODES, DETAIL_CODES, ERROR_CODES, MANAGED_RESOURCE_NAMES } from '../src/index.ts';

describe.each([
  ['error codes', ERROR_CODES],
  ['detail codes', DETAIL_CODES],
  ['attempt error codes', ATTEMPT_ERROR_CODES],
])('%s', (_, codes) => {
  it('are unique and snake_case', () => {
    expect(new Set<string>(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
  });
});

describe('attempt error codes', () => {
  it('are those of docs/specification.md, "Attempt error codes"', () => {
    expect([...ATTEMPT_ERROR_CODES].sort()).toEqual(
      [
        'scheduled_cancelled webhook_http_error webhook_timeout webhook_connection_failed webhook_dns_failed',
        'webhook_tls_failed webhook_redirect_refused webhook_address_blocked webhook_endpoint_gone',
        'smtp_connection_failed smtp_auth_failed smtp_temporary_rejection smtp_permanent_rejection',
        'smtp_outcome_unknown template_render_failed channel_disabled worker_lost',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    );
  });
});

describe('error codes', () => {
  it('are those of docs/specification.md, "Error codes", of the HTTP layer, and what management adds', () => {
    expect([...ERROR_CODES].sort()).toEqual(
      [
        'idempotency_key_required idempotency_key_invalid invalid_json unauthorized quota_exceeded',
        'payment_required forbidden route_not_found message_not_found delivery_run_not_found',
        'method_not_allowed idempotency_conflict idempotency_in_progress delivery_run_not_cancellable',
        'payload_too_large unsupported_media_type validation_failed rate_limited internal_error',
        'service_unavailable',
        ...MANAGED_RESOURCE_NAMES.map((name) => `${name}_not_found`),
        'already_exists conflict',
        'malformed_request request_timeout expectation_failed headers_too_large',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    );
  });
});
