import { type ErrorCode, MANAGED_RESOURCES, type NotFoundCode } from '@postrider/domain';
import { LISTENER_ERRORS } from '@postrider/listener';

/** The documentation of an error code, for the OpenAPI document. */
interface ErrorAdvice {
  /** What the code means. */
  readonly meaning: string;
  /** What a client should do. */
  readonly action: string;
}

interface ErrorRow extends ErrorAdvice {
  readonly status: number;
  /** The text of `error.message` if the refusal has no more precise one. */
  readonly message: string;
}

/** Advice for codes that need more than the general one of unknown ids. */
const ADVICE: Partial<Record<NotFoundCode, ErrorAdvice>> = {
  plan_not_found: {
    meaning: 'There is no plan with this code.',
    action: 'List the plans and check the code.',
  },
  token_not_found: {
    meaning: 'There is no token with this id.',
    action: 'Check the id: it begins with `tok_`, and is not the token itself.',
  },
  channel_not_found: {
    meaning: 'There is no channel with this id, or it was deleted.',
    action: 'Check the id: it begins with `chn_`.',
  },
  event_type_not_found: {
    meaning: 'The environment has no event type with this key.',
    action: 'Check the event key, or add it as an event type.',
  },
  role_not_found: {
    meaning: 'There is no role with this code.',
    action: 'List the roles and check the code.',
  },
  stream_not_found: {
    meaning: 'The environment has no paused stream with this name.',
    action: 'List the paused streams and check the name.',
  },
  replay_batch_not_found: {
    meaning: 'There is no bulk replay with this id.',
    action: 'Check the id.',
  },
};

function notFound({ name, idPrefix, label }: (typeof MANAGED_RESOURCES)[number]): [NotFoundCode, ErrorRow] {
  const code: NotFoundCode = `${name}_not_found`;
  const row = {
    status: 404,
    message: `There is no such ${label}.`,
    meaning: `There is no ${label} with this id.`,
    action: idPrefix === null ? 'Check the id.' : `Check the id: it begins with \`${idPrefix}_\`.`,
  };
  return [code, { ...row, ...ADVICE[code] }];
}

const NOT_FOUND = Object.fromEntries(MANAGED_RESOURCES.map(notFound)) as Record<NotFoundCode, ErrorRow>;

/**
 * The documentation and the HTTP status of every error code (docs/specification.md, "Error codes"). Its type makes it
 * exhaustive. A test compares it with the OpenAPI document.
 */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = {
  ...NOT_FOUND,
  malformed_request: {
    ...LISTENER_ERRORS.malformed_request,
    meaning:
      'The request is not well-formed HTTP, has no `Host` or two, or sends its body in far more pieces than its ' +
      'size needs. Or feedback does not have the form that its provider sends.',
    action: 'Correct the client, or the proxy in front of it. The connection is closed.',
  },
  idempotency_key_required: {
    status: 400,
    message: 'The Idempotency-Key header is required: send a UUID of your own for each event.',
    meaning: 'The request has no Idempotency-Key.',
    action: 'Send a UUID of your own, one for each event, and the same one when you retry that event.',
  },
  idempotency_key_invalid: {
    status: 400,
    message: 'The Idempotency-Key header must be a UUID, or another key that the environment accepts.',
    meaning:
      'The Idempotency-Key is not a UUID (versions 1 to 8; not the nil or max UUID). Where the environment takes any key, it is ' +
      'not 1 to 255 visible ASCII characters.',
    action: 'Send a UUID, in upper or lower case, bare or in double quotes.',
  },
  invalid_json: {
    status: 400,
    message: 'The body is not JSON that can be stored.',
    meaning:
      'The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels (a batch: 64).',
    action: 'Correct the named problem, and send it again.',
  },
  unauthorized: {
    status: 401,
    message: 'A valid token is required.',
    meaning:
      'The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them.',
    action:
      'Send `Authorization: Bearer` with a valid environment token, or to `/admin/v1/` with the admin token.',
  },
  portal_link_invalid: {
    status: 401,
    message: 'This link cannot be used: ask for another one.',
    meaning:
      'The link to the portal is unknown, used, expired or of another environment, or its consumer or issuer no ' +
      'longer has access; the response is the same for all of them.',
    action: 'Create another session of the portal.',
  },
  quota_exceeded: {
    status: 402,
    message: 'The event quota of the current period is used up.',
    meaning: 'The plan’s events of this calendar month are used up. `details` has limit, used and resets_at.',
    action: 'Do not retry before `resets_at`. Upgrade the plan or wait.',
  },
  payment_required: {
    status: 402,
    message: 'The account is not in good standing.',
    meaning: 'The tenant is suspended, or past due and its grace period is over.',
    action: 'Do not retry; settle the account. Reads and cancels still work.',
  },
  forbidden: {
    status: 403,
    message: 'This is not allowed.',
    meaning:
      'The caller lacks the scope that the message and `WWW-Authenticate` name, or is bound to some tenants and ' +
      'asks for something of the whole installation. Or a request in a console session lacks a valid ' +
      '`X-CSRF-Token`, or a sign-in comes from another origin.',
    action:
      'Use a token with the scope, or ask an administrator for a role with it. In a console session, read the ' +
      'session again (`GET /console/session`) and send its `csrf_token`.',
  },
  token_scope_missing: {
    status: 403,
    message: 'The token does not have the required scope.',
    meaning:
      'The event asks for something, such as `ignore_suppression`, that only tokens with a scope for it may ask for.',
    action: 'Leave the field out, or have an operator issue a token with the scope that the message names.',
  },
  route_not_found: {
    status: 404,
    message: 'There is no such path.',
    meaning: 'There is nothing at this path.',
    action: 'Check the path and its version.',
  },
  message_not_found: {
    status: 404,
    message: 'There is no such message.',
    meaning:
      'The token’s environment has no such message. A message of another environment gets the same response.',
    action: 'Check the id and the token’s environment.',
  },
  delivery_run_not_found: {
    status: 404,
    message: 'There is no such delivery run.',
    meaning:
      'The token’s environment has no such delivery run. A run of another environment gets the same response.',
    action: 'Check the id and the token’s environment.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method: see the Allow header.',
    meaning: 'The path does not support this method. `Allow` lists those that it supports.',
    action: 'Use one of them.',
  },
  request_timeout: {
    ...LISTENER_ERRORS.request_timeout,
    meaning: 'The headers did not arrive within 10 s, or the body not within 30 s.',
    action: 'Send the same request with the same key again, on a new connection.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another request in the last 24 hours.',
    meaning: 'The key was used with another request within the last 24 hours.',
    action: 'Use a new key for a new request. To repeat a request, send the same bytes.',
  },
  idempotency_key_repeated: {
    status: 409,
    message: 'An earlier event of this batch has this idempotency key.',
    meaning: 'Two events of one batch have the same key. Only the first counts.',
    action: 'Give each event its own key. If both are the same event, use the result of the first.',
  },
  batch_aborted: {
    status: 409,
    message: 'Nothing was stored, because another event of this atomic batch was refused.',
    meaning: 'Another event of the atomic batch was refused, so this one was not stored either.',
    action: 'Fix what the other results say, and send the batch again with the same keys.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key has not finished yet.',
    meaning: 'The first request with this key did not finish within 2 seconds.',
    action: 'Send the same request again after `Retry-After`.',
  },
  delivery_run_not_cancellable: {
    status: 409,
    message: 'Only a scheduled delivery run can be cancelled.',
    meaning: 'The run is no longer `scheduled`. `details` has its current status.',
    action: 'Do not retry: it was sent, is being sent, or has ended.',
  },
  already_exists: {
    status: 409,
    message: 'This name or code is already taken: see details.',
    meaning: 'This name or code is taken. `details` names the field.',
    action: 'Choose another one, or change the existing resource.',
  },
  conflict: {
    status: 409,
    message: 'The current state of the resource does not allow this.',
    meaning: 'The state of the resource does not allow this; `message` says why.',
    action: 'Read the resource and decide again.',
  },
  configuration_changed: {
    status: 409,
    message: 'Something has changed since the plan: plan again.',
    meaning: 'Applying the document would no longer make the changes that its `hash` stands for.',
    action: 'Plan the document again, and apply it with the new hash.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is too large.',
    meaning: 'The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`).',
    action: 'Send less, for example links instead of contents.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be sent as application/json.',
    meaning: 'The body is not declared as `application/json` in UTF-8, or is compressed.',
    action: 'Send `Content-Type: application/json`, uncompressed.',
  },
  expectation_failed: {
    ...LISTENER_ERRORS.expectation_failed,
    meaning: 'The request has an `Expect` header other than `100-continue`.',
    action: 'Leave the header out.',
  },
  validation_failed: {
    status: 422,
    message: 'The request is not valid: see details.',
    meaning: 'The request is well-formed but not valid. `details` lists every error at once.',
    action: 'Correct all of them, and send it again. Nothing was stored.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests: retry after the time in Retry-After.',
    meaning:
      'The environment sends requests faster than the plan allows, too many bytes of its tenant’s requests and ' +
      'responses are in flight, or the tenant’s own reads use its connections to the database.',
    action: 'Wait for `Retry-After`, then send the same request again.',
  },
  headers_too_large: {
    ...LISTENER_ERRORS.headers_too_large,
    meaning: 'There are more than 200 headers, or more than 16 KiB of them.',
    action: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    message: 'The service failed to process this request.',
    meaning: 'The service failed. You do not know whether an event was accepted.',
    action: 'Send the same request with the same key again; it cannot create a second message.',
  },
  service_unavailable: {
    status: 503,
    message:
      'The service is not available at the moment: send the same request again, with its Idempotency-Key if it has one.',
    meaning:
      'The service cannot reach its database, has too many bytes in flight, or all connections to the database are ' +
      'in use. Nothing was accepted, unless the connection broke during the commit.',
    action: 'Send the same request with the same key again after `Retry-After`.',
  },
};
