import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChannelRegistry } from '@postrider/channels';
import {
  type AuditedChange,
  type Database,
  type DatabaseClock,
  type EnvironmentSnapshot,
  type IngestBatch,
  type IngestEvent,
  recordAudit,
  type ServiceKeySource,
  type Share,
  type Snapshots,
  type WriteAudit,
} from '@postrider/db';
import type { IdempotencyClaim, IdempotentOperation, IdSource, Refusal } from '@postrider/domain';
import type { Enqueue } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';
import type { SchemaObject } from 'ajv';
import type { Access } from '../access/access.ts';
import type { EventConsumers } from '../events/consumers.ts';
import type { BodyUse } from '../http/admission.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import type { PublicDescription, Resource } from '../openapi/operation.ts';
import {
  describeRequest,
  type NamesOf,
  type NoParameters,
  type ParsedRequest,
  type QueryParameters,
  type RequestBody,
  type RequestShape,
} from '../openapi/request.ts';
import type { BodyOf } from '../openapi/schema.ts';
import { queryOf, type Values } from '../paging/query.ts';
import type { Streams } from '../stream/streams.ts';
import type { SpentQuota, TakeBucketTokens } from './limits.ts';

/** The properties of an operation that the stages depend on. */
export interface OperationTraits {
  /** Whether an Idempotency-Key is required, optional or ignored. */
  readonly idempotency:
    | { readonly operation: IdempotentOperation; readonly key: 'required' | 'honoured' }
    | { readonly key: 'ignored' };
  readonly body: BodyUse;
  /** The largest body in bytes; by default what the plan allows. */
  readonly maxBodyBytes?: number;
  /** Whether the body may be larger because of files, if the plan allows it. */
  readonly acceptsFiles?: boolean;
  /** The share of the pool that its statements use: `work` if it creates or changes deliveries. */
  readonly share: Extract<Share, 'work' | 'read'>;
  /** Whether the stages check quota and payment. A batch checks them for each of its events. */
  readonly checksQuotaAndPayment: boolean;
}

/** A request of an operation. The first stage finds its caller; each later one checks it, or completes what may change here. */
export interface ApiRequest extends Access {
  readonly http: IncomingMessage;
  readonly res: ServerResponse;
  readonly context: RequestContext;
  readonly operation: PublicDescription;
  /** The names in its path. Those that its caller may not know of become empty. */
  params: Readonly<Record<string, string>>;
  readonly snapshot: EnvironmentSnapshot;
  /** Whether it would still pass the first stage, for responses that continue. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** The raw body; empty before it is read, and if the operation ignores it. */
  bytes: Uint8Array;
  /** The idempotency record of this request; null if it has no key. */
  claim: IdempotencyClaim | null;
  /** The reply that the key requires by now: the stored response, a conflict, or null if none is stored. */
  storedReply: () => Promise<Reply | null>;
  /** Headers of every reply to this request. */
  readonly replyHeaders: Record<string, string>;
  /** Registers a callback, called once with the reply, or with null if the request failed. */
  readonly onDecided: (callback: (reply: Reply | null) => void) => void;
}

/** The first stage: finds the caller, and the environment, of a request. */
export type FirstStage = (
  request: Pick<ApiRequest, 'http' | 'context' | 'operation' | 'params'>,
) => Promise<(Access & Pick<ApiRequest, 'snapshot'>) | Refusal>;

/** A later stage: the reply of a request that skips all further stages, or null if it continues. */
export type Stage = (request: ApiRequest) => Reply | null | Promise<Reply | null>;

/** The traits of an operation that only reads. */
export const READ: OperationTraits = {
  idempotency: { key: 'ignored' },
  body: 'ignored',
  share: 'read',
  checksQuotaAndPayment: false,
};

/** Dependencies of the operations of the public API. */
export interface OperationDeps {
  readonly kinds: ChannelRegistry;
  readonly db: Database;
  readonly clock: DatabaseClock;
  readonly newId: IdSource;
  readonly renderer: Renderer;
  readonly ingest: IngestEvent;
  readonly ingestBatch: IngestBatch;
  readonly monotonicNow: () => number;
  /** Called with an error of one of several events. The request continues. */
  readonly reportEventError: (error: unknown) => void;
  readonly takeBucketTokens: TakeBucketTokens;
  /** Best effort: the rows are the outbox. */
  readonly enqueue: Enqueue;
  readonly snapshots: Pick<Snapshots, 'drop' | 'consumer'>;
  readonly eventConsumers: EventConsumers;
  readonly spentQuota: SpentQuota;
  readonly serviceKeys: ServiceKeySource;
  /** The service's address for recipients; null if it is not configured. */
  readonly publicUrl: string | null;
  readonly streams: Streams;
}

/** Writes the audit entry of an operator's request; undefined for a request with a token. */
export function auditOf(
  { newId }: Pick<OperationDeps, 'newId'>,
  { actor, snapshot }: Pick<ApiRequest, 'actor' | 'snapshot'>,
  change: Pick<AuditedChange, 'action' | 'resourceId' | 'after'>,
): WriteAudit | undefined {
  if (!actor) return undefined;
  const owner = { tenantId: snapshot.tenant.id, environmentId: snapshot.environment.id };
  return (tx) => recordAudit(tx, { newId, actor }, { ...change, ...owner, before: null });
}

export type RunOperation = (request: ApiRequest) => Promise<Reply>;

/**
 * An operation of the public API. The OpenAPI document and the router are derived from it. `run` gets a request that
 * has passed the pipeline.
 */
export type Operation<Deps = OperationDeps> = PublicDescription & {
  readonly run: (deps: Deps) => RunOperation;
};

export type PublicResource = Resource<Operation>;

/** The type of an operation without a body. */
interface NoBody extends SchemaObject {
  readonly type: 'null';
}

/** An operation of the public API, whose `run` gets requests with valid path, query and body. */
export function publicOperation<
  const Path extends string,
  Schema extends SchemaObject = NoBody,
  Value = BodyOf<Schema>,
  Query extends QueryParameters = NoParameters,
>({
  body,
  run,
  ...operation
}: Omit<PublicDescription, 'path' | 'body' | 'parameters' | 'errors'> &
  RequestShape<Path, Query> & {
    readonly body?: RequestBody<Schema, Value>;
    readonly run: (
      deps: OperationDeps,
    ) => (request: ApiRequest & ParsedRequest<NamesOf<Path>, Value, Values<Query>>) => Promise<Reply>;
  }): Operation {
  const { query: _query, refusals: _refusals, ...rest } = operation;
  const { parse, description } = describeRequest(operation, operation.traits.body, body);
  return {
    ...rest,
    ...description,
    run: (deps) => {
      const answer = run(deps);
      return async (request) =>
        answer({ ...request, ...parse(request.params, queryOf(request.http.url), request.bytes) });
    },
  };
}
