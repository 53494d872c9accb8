import { type DetailCode, type ErrorCode, UNKNOWN_REQUEST_ID } from '@postrider/domain';
import { ERROR_TABLE } from './error-table.ts';

/**
 * One fault or fact of `error.details`; `path` is a JSON Pointer into the body, or `/name` of a query
 * parameter or a header.
 */
export interface Detail {
  readonly path: string;
  readonly code: DetailCode;
  readonly message: string;
  /** Facts that a program reads, such as `limit` of a quota. */
  readonly [fact: string]: string | number | null;
}

export type Headers = Readonly<Record<string, string>>;

/** An answer whose bytes are formed. */
export interface Success {
  readonly status: number;
  readonly body: Uint8Array;
  readonly headers?: Headers;
}

/** An expected "no". Its status is the error table's business, its request id the sender's. */
export interface Refusal {
  readonly refused: ErrorCode;
  readonly message?: string;
  readonly details?: readonly Detail[];
  readonly headers?: Headers;
}

export type Reply = Success | Refusal;

/** The bytes of a JSON document, in UTF-8. */
export function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** A 200 with a JSON document. */
export function ok(value: unknown): Success {
  return { status: 200, body: jsonBytes(value) };
}

/** A 201 with the document of what was created. */
export function created(value: unknown): Success {
  return { status: 201, body: jsonBytes(value) };
}

/** A 204: done, and nothing to show. */
export function noContent(): Success {
  return { status: 204, body: new Uint8Array() };
}

export function refuse(refused: ErrorCode, more: Omit<Refusal, 'refused'> = {}): Refusal {
  return { refused, ...more };
}

/** The 409 for a name or code that another one has; `path` is the field's JSON Pointer. */
export function alreadyExists(path: string): Refusal {
  return refuse('already_exists', { details: [{ path, code: 'duplicate', message: 'is taken' }] });
}

/** A refusal in its final form: the error object of docs/specification.md, "Error object". */
export function formRefusal(refusal: Refusal, requestId: string | null): Success {
  const { status, message } = ERROR_TABLE[refusal.refused];
  const error = {
    code: refusal.refused,
    message: refusal.message ?? message,
    request_id: requestId ?? UNKNOWN_REQUEST_ID,
    ...(refusal.details ? { details: refusal.details } : {}),
  };
  return { status, body: jsonBytes({ error }), headers: refusal.headers ?? {} };
}
