import type { ErrorCode } from '@postrider/domain';
import type { BodyUse } from '../http/receive-bytes.ts';
import type { OperationTraits } from '../pipeline/stage.ts';
import type { Schema } from './schema-object.ts';
import type { Tag } from './tags.ts';

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

export type Success =
  | { readonly status: 200 | 201; readonly schema: Schema; readonly example: unknown }
  | { readonly status: 204 };

type Described = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI's form: `/api/v1/messages/{messageId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema; readonly examples: Examples };
  readonly success: Success;
  /** Another success of another status and shape. */
  readonly alternative?: Success;
  /** Codes that the operation itself answers, beyond those of the pipeline and of reading a body. */
  readonly errors: readonly ErrorCode[];
};

/** An operation of the public API; what follows from its traits is not repeated. */
export type PublicOperationDoc = Described & { readonly traits: OperationTraits };

/** An operation of the management API. */
export type AdminOperationDoc = Described & { readonly bodyUse: BodyUse };

/** What the OpenAPI document says of one operation. */
export type OperationDoc = PublicOperationDoc | AdminOperationDoc;

/** How the operation uses a body. */
export function bodyUseOf(doc: OperationDoc): BodyUse {
  return 'traits' in doc ? doc.traits.body : doc.bodyUse;
}

const BODY_CODES: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
];

function codesOfTraits({ idempotency, createsDeliveries }: OperationTraits): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (idempotency.key === 'required') codes.push('idempotency_key_required');
  if (idempotency.key !== 'ignored') {
    codes.push('idempotency_key_invalid', 'idempotency_conflict', 'idempotency_in_progress');
  }
  if (createsDeliveries) codes.push('quota_exceeded', 'payment_required');
  return codes;
}

/**
 * Every code that an operation can answer: those of its own, and those that follow from what it is (contract sections 2
 * and 3).
 */
export function errorCodesOf(doc: OperationDoc): ErrorCode[] {
  const codes: ErrorCode[] = ['unauthorized', 'rate_limited', 'internal_error', 'service_unavailable'];
  // Of every admin operation: X-Actor can be a name that is not the caller's to use.
  codes.push(...('traits' in doc ? codesOfTraits(doc.traits) : (['validation_failed'] as const)));
  if (bodyUseOf(doc) !== 'ignored') codes.push(...BODY_CODES);
  return [...new Set([...codes, ...doc.errors])];
}
