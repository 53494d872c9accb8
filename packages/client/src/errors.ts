import { parseRetryAfter } from './retry.ts';
import type { ErrorCode, ErrorDetail } from './types.ts';

/** Base class of all errors of the client. */
export abstract class PostriderError extends Error {
  /**
   * The key that the call was made with, to make it again later without doing anything twice; null without
   * one.
   */
  idempotencyKey: string | null = null;
}

/**
 * The service answered, and not with a success. Its text for people is the message; programs go by `code`
 * (docs/specification.md, "Error codes").
 */
export class PostriderApiError extends PostriderError {
  override readonly name = 'PostriderApiError';
  readonly status: number;
  /** `unexpected_response`: what answered is not the service, such as a proxy in between. */
  readonly code: ErrorCode | 'unexpected_response';
  /** Every issue of the request, or the facts of the refusal; empty where the answer has none. */
  readonly details: readonly ErrorDetail[];
  /** The X-Request-ID that the call was made with; `unknown` without one. */
  readonly requestId: string;
  /** The service's own id of the request, to find it in the logs; null when something else answered. */
  readonly traceId: string | null;
  /** How long the service asked to wait, in milliseconds; null when it did not. */
  readonly retryAfterMs: number | null;

  /** @param body the answer's body, parsed where it is JSON */
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

/**
 * No answer came, or it broke off. Whether the request was carried out is not known; `cause` says what broke.
 */
export class PostriderConnectionError extends PostriderError {
  override readonly name = 'PostriderConnectionError';
}

/** No answer came in time. Whether the request was carried out is not known. */
export class PostriderTimeoutError extends PostriderError {
  override readonly name = 'PostriderTimeoutError';
}

type ErrorObject = {
  code: ErrorCode;
  message: string;
  request_id: string;
  details?: readonly ErrorDetail[];
};

function errorObject(body: unknown): ErrorObject | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  const isOurs =
    typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
  return isOurs ? (error as ErrorObject) : null;
}
