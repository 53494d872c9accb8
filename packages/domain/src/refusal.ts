import type { DetailCode, ErrorCode } from './error-codes.ts';

/**
 * One issue or fact in `error.details`. `path` is a JSON Pointer into the body, or `/name` of a query parameter or
 * header.
 */
export interface Detail {
  readonly path: string;
  readonly code: DetailCode;
  readonly message: string;
  /** Facts for programs, such as `limit` of a quota. */
  readonly [fact: string]: string | number | null;
}

/** An expected refusal of a request. The API's error table sets its status, and its message if it has none. */
export interface Refusal {
  readonly refused: ErrorCode;
  readonly message?: string;
  readonly details?: readonly Detail[];
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A refusal to return. `refuse…` returns a refusal; `reject…` and `require…` throw it. */
export function refuse(refused: ErrorCode, more: Omit<Refusal, 'refused'> = {}): Refusal {
  return { refused, ...more };
}

/** The 409 for what cannot be done now. */
export const conflict = (message: string): Refusal => refuse('conflict', { message });

/** The 409 for a name or code that is already used; `path` is the field's JSON Pointer. */
export function alreadyExists(path: string): Refusal {
  return refuse('already_exists', { details: [{ path, code: 'duplicate', message: 'is taken' }] });
}

/** A refusal with `Retry-After`: the same request may succeed after `seconds`, rounded up, at least 1. */
export const retryLater = (refused: ErrorCode, seconds: number, message?: string): Refusal =>
  refuse(refused, {
    ...(message && { message }),
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) },
  });

/**
 * Another request with this Idempotency-Key came first. Callers need not look for its response: the pipeline replaces this
 * refusal if there is one.
 */
export const STILL_IN_PROGRESS = retryLater('idempotency_in_progress', 1);

/** A 422 with every issue. */
export function invalid(details: readonly Detail[]): Refusal {
  return refuse('validation_failed', { details });
}

/** The issue of a field whose value cannot be. */
export const invalidValue = (path: string, message: string): Detail => ({
  path,
  code: 'invalid_value',
  message,
});

/** Thrown by a request or a change that is refused, mostly in its transaction: nothing of it is stored. */
export class RefusedError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message ?? refusal.refused);
    this.refusal = refusal;
  }
}

/**
 * Throws a refusal of a request or a change, see {@link refuse}.
 * @throws RefusedError
 */
export function reject(refusal: Refusal | ErrorCode): never {
  throw new RefusedError(typeof refusal === 'string' ? refuse(refusal) : refusal);
}

/** The refusal that was thrown. Throws any other error again. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  throw error;
}

/** The result of a change, or the refusal that it has thrown. */
export async function orRefusal<Result>(change: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await change();
  } catch (error) {
    return refusalOf(error);
  }
}
