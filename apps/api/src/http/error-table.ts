import type { ErrorCode } from '@postrider/domain';
import { LISTENER_ERRORS } from '@postrider/listener';

export interface ErrorRow {
  readonly status: number;
  /** The text of `error.message` where the refusal has nothing more precise to say. */
  readonly message: string;
}

/**
 * The only place where an error code becomes an HTTP status: docs/specification.md, "Error codes". Exhaustive
 * by its type; a test holds it, the OpenAPI document and the docs together.
 */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorRow>> = {
  ...LISTENER_ERRORS,
  idempotency_key_required: {
    status: 400,
    message: 'The Idempotency-Key header is required: send a UUID of your own for each event.',
  },
  idempotency_key_invalid: { status: 400, message: 'The Idempotency-Key header must be a UUID.' },
  invalid_json: { status: 400, message: 'The body is not JSON that can be stored.' },
  unauthorized: { status: 401, message: 'A valid token is required.' },
  quota_exceeded: { status: 402, message: 'The event quota of the current period is used up.' },
  payment_required: { status: 402, message: 'The account is not in good standing.' },
  forbidden: { status: 403, message: 'This token may not do this.' },
  route_not_found: { status: 404, message: 'There is no such path.' },
  message_not_found: { status: 404, message: 'There is no such message.' },
  delivery_run_not_found: { status: 404, message: 'There is no such delivery run.' },
  plan_not_found: { status: 404, message: 'There is no such plan.' },
  tenant_not_found: { status: 404, message: 'There is no such tenant.' },
  environment_not_found: { status: 404, message: 'There is no such environment.' },
  token_not_found: { status: 404, message: 'There is no such token.' },
  channel_not_found: { status: 404, message: 'There is no such channel.' },
  template_not_found: { status: 404, message: 'There is no such template version.' },
  event_type_not_found: { status: 404, message: 'There is no such event type.' },
  replay_batch_not_found: { status: 404, message: 'There is no such bulk replay.' },
  erasure_not_found: { status: 404, message: 'There is no such erasure.' },
  method_not_allowed: { status: 405, message: 'This path does not answer to this method.' },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another request in the last 24 hours.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key has not ended yet.',
  },
  delivery_run_not_cancellable: { status: 409, message: 'Only a scheduled delivery run can be cancelled.' },
  already_exists: { status: 409, message: 'One of this name exists already: see details.' },
  conflict: { status: 409, message: 'This is not possible in the present state.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The body must be sent as application/json.' },
  validation_failed: { status: 422, message: 'The request is not valid: see details.' },
  rate_limited: { status: 429, message: 'Too many requests: wait as long as Retry-After says.' },
  internal_error: { status: 500, message: 'The service failed to answer this request.' },
  service_unavailable: {
    status: 503,
    message:
      'The service cannot work now: send the same request again, with its Idempotency-Key if it has one.',
  },
};
