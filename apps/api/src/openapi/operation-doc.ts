import type { ErrorCode } from '@postrider/domain';
import type { OperationTraits } from '../pipeline/stage.ts';
import type { Schema } from './schema-object.ts';

export type Example = { readonly summary: string; readonly value: unknown };
export type Examples = Readonly<Record<string, Example>>;

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
};

/**
 * What the OpenAPI document says of one protected operation; what follows from its traits is not repeated.
 */
export type OperationDoc = {
  readonly method: 'get' | 'post';
  /** OpenAPI's form: `/api/v1/messages/{messageId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: 'Events' | 'Messages' | 'Delivery runs' | 'Account';
  readonly summary: string;
  readonly description: string;
  readonly traits: OperationTraits;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema; readonly examples: Examples };
  readonly success: { readonly status: 200 | 201; readonly schema: Schema; readonly example: unknown };
  /** Codes that the operation itself answers, beyond those of the pipeline and of reading a body. */
  readonly errors: readonly ErrorCode[];
};

/**
 * Every code that an operation can answer: those of its own, and those that follow from its traits (contract
 * sections 2 and 3).
 */
export function errorCodesOf({ traits, errors }: Pick<OperationDoc, 'traits' | 'errors'>): ErrorCode[] {
  const { idempotency, body, createsDeliveries } = traits;
  const codes: ErrorCode[] = ['unauthorized', 'rate_limited', 'internal_error', 'service_unavailable'];
  if (idempotency.key === 'required') codes.push('idempotency_key_required');
  if (idempotency.key !== 'ignored') {
    codes.push('idempotency_key_invalid', 'idempotency_conflict', 'idempotency_in_progress');
  }
  if (body !== 'ignored') {
    codes.push('invalid_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed');
  }
  if (createsDeliveries) codes.push('quota_exceeded', 'payment_required');
  return [...new Set([...codes, ...errors])];
}
