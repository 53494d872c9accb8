import type { ErrorCode } from '@postrider/domain';

export type ErrorAdvice = {
  /** What the code says about the request. */
  readonly meaning: string;
  /** What a client does about it. */
  readonly action: string;
};

/**
 * What each code means and asks of the client (docs/specification.md, "Error codes"): the text of the OpenAPI
 * document and of docs/errors.md, which a test holds together. Its status stands in the error table alone.
 */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  malformed_request: {
    meaning:
      'The request is not well-formed HTTP, has no Host, or sends its body in far more pieces than its size needs.',
    action: 'Repair the client or the proxy before it. The connection is closed.',
  },
  idempotency_key_required: {
    meaning: 'The request has no Idempotency-Key.',
    action: 'Send a UUID of your own, one for each event, and the same one when you retry that event.',
  },
  idempotency_key_invalid: {
    meaning: 'The Idempotency-Key is not a UUID (versions 1 to 8; not the nil or max UUID).',
    action: 'Send a UUID, in upper or lower case.',
  },
  invalid_json: {
    meaning:
      'The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels.',
    action: 'Correct the body. The same key can be used again.',
  },
  unauthorized: {
    meaning:
      'The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them.',
    action:
      'Send `Authorization: Bearer` with a valid environment token, or to `/admin/v1/` with the admin token.',
  },
  quota_exceeded: {
    meaning: 'The plan’s events of this calendar month are used up. `details` has limit, used and resets_at.',
    action: 'Do not retry before `resets_at`. Upgrade the plan or wait.',
  },
  payment_required: {
    meaning: 'The tenant is suspended, or past due and its grace period is over.',
    action: 'Do not retry; settle the account. Reads and cancels still work.',
  },
  forbidden: {
    meaning: 'The token is known but may not do this. No operation of this version responds with it.',
    action: 'Use a token with access.',
  },
  route_not_found: {
    meaning: 'There is nothing at this path.',
    action: 'Check the path and its version. Without ADMIN_TOKEN the service has no management API.',
  },
  message_not_found: {
    meaning:
      'The token’s environment has no such message. A message of another environment gets the same response.',
    action: 'Check the id and the token’s environment.',
  },
  delivery_run_not_found: {
    meaning:
      'The token’s environment has no such delivery run. A run of another environment gets the same response.',
    action: 'Check the id and the token’s environment.',
  },
  plan_not_found: {
    meaning: 'There is no plan with this code.',
    action: 'List the plans and check the code.',
  },
  tenant_not_found: {
    meaning: 'There is no tenant with this id.',
    action: 'Check the id: it begins with `ten_`.',
  },
  environment_not_found: {
    meaning: 'There is no environment with this id.',
    action: 'Check the id: it begins with `env_`.',
  },
  token_not_found: {
    meaning: 'There is no token with this id.',
    action: 'Check the id: it begins with `tok_`, and is not the token itself.',
  },
  channel_not_found: {
    meaning: 'There is no channel with this id, or it was deleted.',
    action: 'Check the id: it begins with `chn_`.',
  },
  template_not_found: {
    meaning: 'There is no template version with this id.',
    action: 'Check the id: it begins with `tpl_`.',
  },
  event_type_not_found: {
    meaning: 'The environment has no event type with this key.',
    action: 'Check the key, or describe it with PUT.',
  },
  replay_batch_not_found: {
    meaning: 'There is no bulk replay with this id.',
    action: 'Check the id.',
  },
  erasure_not_found: {
    meaning: 'There is no erasure with this id.',
    action: 'Check the id: it begins with `era_`.',
  },
  method_not_allowed: {
    meaning: 'The path does not support this method. `Allow` lists those that it does.',
    action: 'Use one of them.',
  },
  request_timeout: {
    meaning: 'The headers did not arrive within 10 s, or the body not within 30 s.',
    action: 'Send the same request with the same key again, on a new connection.',
  },
  idempotency_conflict: {
    meaning: 'The key was used with another request within the last 24 hours.',
    action: 'Use a new key for a new request. To repeat a request, send the same bytes.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this key did not finish within 2 seconds.',
    action: 'Send the same request again after `Retry-After`.',
  },
  delivery_run_not_cancellable: {
    meaning: 'The run is no longer `scheduled`. `details` has its current status.',
    action: 'Do not retry: it was sent, is being sent, or has ended.',
  },
  already_exists: {
    meaning: 'This name or code is taken. `details` names the field.',
    action: 'Choose another, or change the existing one.',
  },
  conflict: {
    meaning: 'The state of the resource does not allow this; `message` says why.',
    action: 'Read the resource and decide again.',
  },
  payload_too_large: {
    meaning: 'The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`).',
    action: 'Send less, for example links instead of contents.',
  },
  unsupported_media_type: {
    meaning: 'The body is not declared as `application/json` in UTF-8, or is compressed.',
    action: 'Send `Content-Type: application/json`, uncompressed.',
  },
  expectation_failed: {
    meaning: 'The request has an `Expect` header other than `100-continue`.',
    action: 'Leave the header out.',
  },
  validation_failed: {
    meaning: 'The request is well-formed but not valid. `details` lists every error at once.',
    action: 'Correct all of them. Nothing was stored: the same key can be used again.',
  },
  rate_limited: {
    meaning:
      'The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and ' +
      'responses are in flight.',
    action: 'Wait for `Retry-After`, then send the same request again.',
  },
  headers_too_large: {
    meaning: 'The headers have more than 16 KiB, or are more than 200.',
    action: 'Send fewer or shorter headers.',
  },
  internal_error: {
    meaning: 'The service failed. You do not know whether an event was accepted.',
    action: 'Send the same request with the same key again; it cannot create a second message.',
  },
  service_unavailable: {
    meaning:
      'The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the ' +
      'connection broke during the commit.',
    action: 'Send the same request with the same key again after `Retry-After`.',
  },
};
