import type { Share } from '@postrider/db';
import type { ErrorCode, IdempotentOperation, Scope } from '@postrider/domain';
import { type BodyUse, bodyUseOf } from '../http/admission.ts';
import type { Memory } from '../http/memory.ts';
import type { PathParameter } from './parameters.ts';
import { ref, type Schema } from './schema.ts';

type Example = { readonly summary: string; readonly value: unknown };
export type Examples = Readonly<Record<string, Example>>;

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
};

export type SuccessDescription =
  | {
      readonly status: 200 | 201;
      readonly schema: Schema;
      /** What the schema does not say, see `completeExample`. */
      readonly example: unknown;
      /** Default: JSON. Otherwise the schema describes one part of an endless response. */
      readonly contentType?: string;
    }
  | { readonly status: 204 };

/** A 200 with a component schema. */
export const returns = (name: string, example: unknown): SuccessDescription => ({
  status: 200,
  schema: ref(name),
  example,
});

/** A 201 with a component schema. */
export const creates = (name: string, example: unknown): SuccessDescription => ({
  status: 201,
  schema: ref(name),
  example,
});

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What the requests of an operation need of their environment, which the stages check. */
export interface OperationTraits {
  /** Whether an Idempotency-Key is required, optional or ignored. */
  readonly idempotency:
    | { readonly operation: IdempotentOperation; readonly key: 'required' | 'honoured' }
    | { readonly key: 'ignored' };
  /** Whether the body may be larger because of files, if the plan allows it. */
  readonly acceptsFiles?: boolean;
  /** The share of the pool that its statements use: `work` if it creates or changes deliveries. */
  readonly share: Extract<Share, 'work' | 'read'>;
  /** Whether the stages check quota and payment. A batch checks them for each of its events. */
  readonly checksQuotaAndPayment: boolean;
}

/**
 * What an operation does for a token. `reads`: changes nothing that is stored. `stores more`: limits of stored resources may refuse
 * it. `delivers`: quota and payment must allow it. `changes`: any other change.
 */
export type EffectOfToken = 'reads' | 'changes' | 'stores more' | 'delivers';

/** Everything about an operation but its code. */
export type OperationDescription = {
  readonly method: Method;
  /** In OpenAPI's form: `/api/v1/messages/{messageId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** What its caller must be allowed to do. */
  readonly scope: Scope;
  /**
   * Whether an operation without an id in its path shows only what is within the caller's bounds. Otherwise it is about the
   * whole installation, and refused to callers with bounds.
   */
  readonly filtersByBounds?: true;
  /**
   * Whether a token may call an operation of the management API for its own environment, under /api/v1 (docs/specification.md,
   * "Self-service"), and what it then does. Its callers are then outsiders: without it they cannot.
   */
  readonly forTokens?: EffectOfToken;
  /**
   * Whether callers that are bound to one consumer may use it, under /api/v1. It must show and change nothing of another consumer,
   * and nothing of the environment but its event types. Without it they get 403.
   */
  readonly forConsumers?: true;
  /** What a request of it may hold; requests are admitted by it. */
  readonly memory: Memory;
  /** The largest body in bytes; by default what the plan allows, in the management API `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number;
  readonly parameters: readonly (Parameter | PathParameter)[];
  readonly body?: {
    readonly schema: Schema;
    readonly examples: Examples;
    /** By default it is required. */
    readonly use?: Exclude<BodyUse, 'ignored'>;
  };
  readonly success: SuccessDescription;
  /** A second success with another status and shape. */
  readonly alternative?: SuccessDescription;
  /** Codes of the operation itself, besides those of the pipeline and of reading a body. */
  readonly errors: readonly ErrorCode[];
  /** What its requests need of their environment. Those of the management API have none. */
  readonly traits?: OperationTraits;
  /** The name under which operators call an operation of the public API for any environment. Without it they cannot. */
  readonly asOperator?: string;
};

/** Operations that the document shows together, and their component schemas. */
export interface Resource<Operation extends OperationDescription = OperationDescription> {
  readonly tag: { readonly name: string; readonly description: string };
  /** By name, under `#/components/schemas`. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** In the order of the page. */
  readonly operations: readonly Operation[];
}

/** Whether the operation belongs to the management API, even if it uses the public pipeline. */
export function isManagement({ path }: Pick<OperationDescription, 'path'>): boolean {
  return path.startsWith('/admin/');
}

/** Whether an operation is about something that bounds cannot say more about. */
export function concernsInstallation({
  parameters,
  filtersByBounds,
}: Pick<OperationDescription, 'parameters' | 'filtersByBounds'>): boolean {
  const owners = parameters.flatMap((each) => ('owner' in each ? each.owner : []));
  return owners.includes('installation') || (owners.length === 0 && !filtersByBounds);
}

const BODY_CODES: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
];

function codesOfTraits({ idempotency, checksQuotaAndPayment }: OperationTraits): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (idempotency.key === 'required') codes.push('idempotency_key_required');
  if (idempotency.key !== 'ignored') {
    codes.push('idempotency_key_invalid', 'idempotency_conflict', 'idempotency_in_progress');
  }
  if (checksQuotaAndPayment) codes.push('quota_exceeded', 'payment_required');
  return codes;
}

/**
 * Every error code of an operation: its own, and those that follow from its traits and its body. See
 * docs/specification.md, "Error codes" and "Request pipeline".
 */
export function errorCodesOf(operation: OperationDescription): ErrorCode[] {
  const codes: ErrorCode[] = [
    'unauthorized',
    // A console session without its CSRF token.
    'forbidden',
    'rate_limited',
    'internal_error',
    'service_unavailable',
  ];
  // Every admin operation: X-Actor can be a reserved name.
  codes.push(...(operation.traits ? codesOfTraits(operation.traits) : (['validation_failed'] as const)));
  if (bodyUseOf(operation) !== 'ignored') codes.push(...BODY_CODES);
  return [...new Set([...codes, ...operation.errors])];
}
