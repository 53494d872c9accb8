import { parseRetryAfter } from './retry.ts';
import type { ErrorCode, ErrorDetail } from './types.ts';

/** Base class of all errors of the client. */
export abstract class PostriderError extends Error {
  /** The idempotency key of the call, to repeat it later without doing anything twice; null if it had none. */
  idempotencyKey: string | null = null;
}

/**
 * An error response of the service. `message` is for people, `code` is for programs (docs/specification.md, "Error
 * codes").
 */
export class PostriderApiError extends PostriderError {
  override readonly name = 'PostriderApiError';
  readonly status: number;
  /** `unexpected_response`: the response did not come from the service but, for example, from a proxy. */
  readonly code: ErrorCode | 'unexpected_response';
  /** Every issue of the request, or the facts of the refusal; may be empty. */
  readonly details: readonly ErrorDetail[];
  /** The X-Request-ID of the call; `unknown` if it had none. */
  readonly requestId: string;
  /** The service's id of the request, to find it in the logs; null if something else responded. */
  readonly traceId: string | null;
  /** The Retry-After of the response, in milliseconds; null if there was none. */
  readonly retryAfterMs: number | null;

  /** @param body the body of the response, parsed if it is JSON */
  constructor(response: Response, body: unknown, nowMs: number) {
    const error = errorObject(body);
    super(error?.message ?? `HTTP ${response.status} without an error object of the service.`);
    this.status = response.status;
    this.code = error?.code ?? 'unexpected_response';
    this.details = error?.details ?? [];
    this.requestId = error?.request_id ?? 'unknown';
    this.traceId = response.headers.get('x-trace-id');
    this.retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), nowMs);
  }
}

/** There was no complete response. It is unknown whether the request was executed; `cause` is the underlying error. */
export class PostriderConnectionError extends PostriderError {
  override readonly name = 'PostriderConnectionError';
}

/** There was no response in time. It is unknown whether the request was executed. */
export class PostriderTimeoutError extends PostriderError {
  override readonly name = 'PostriderTimeoutError';
}

type ErrorObject = {
  code: ErrorCode;
  message: string;
  request_id: string;
  details?: readonly ErrorDetail[];
};

/** The error object of a response; null if something else responded. */
function errorObject(body: unknown): ErrorObject | null {
  const { error } = (body ?? {}) as { readonly error?: ErrorObject | null };
  return typeof error?.code === 'string' ? error : null;
}
