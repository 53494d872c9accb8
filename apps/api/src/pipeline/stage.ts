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
import type { Holder } from '@postrider/fairness';
import type { Enqueue } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';
import type { SchemaObject } from 'ajv';
import type { Access } from '../access/access.ts';
import type { EventConsumers } from '../events/consumers.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestContext } from '../http/request.ts';
import type { OperationDescription, Resource } from '../openapi/operation.ts';
import {
  describeRequest,
  type NamesOf,
  type NoParameters,
  type ParsedRequest,
  type QueryParameters,
  type RequestShape,
} from '../openapi/request.ts';
import type { BodyOf } from '../openapi/schema.ts';
import type { Values } from '../paging/query.ts';
import type { Streams } from '../stream/streams.ts';
import type { SpentQuota, TakeBucketTokens } from './limits.ts';

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

/** A request whose caller is not known yet. */
export interface ReceivedRequest {
  readonly http: IncomingMessage;
  readonly res: ServerResponse;
  readonly context: RequestContext;
  readonly operation: OperationDescription;
  /**
   * Decoded segments of the path, by their names. Those that the caller may not know of become empty, and in the management API
   * ids that do not exist.
   */
  params: Readonly<Record<string, string>>;
  /** The path and the query of the request line. */
  readonly url: string;
  /** The raw body; empty before it is read, and if the operation has none or it was left out. */
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

/** A request of any operation. The first stage finds its caller; each later one checks it, or sets a field that is not readonly. */
export interface OperationRequest extends ReceivedRequest, Access {
  /** Whose share of memory and turns it uses. */
  readonly holder: Holder;
  /** Absent in the management API, whose requests can be about several environments or none. */
  readonly snapshot?: EnvironmentSnapshot;
  /** Whether it would still pass the first stage, for responses that continue. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/** A request about one environment, with a token of it or from an operator. */
export interface ApiRequest extends OperationRequest {
  readonly operation: OperationDescription & Required<Pick<OperationDescription, 'traits'>>;
  readonly snapshot: EnvironmentSnapshot;
}

/** What the first stage finds. */
export type Caller<Request extends OperationRequest> = Omit<
  Request,
  keyof ReceivedRequest | 'isStillAllowed'
>;

/** The first stage: finds the caller of a request, and the environment if it has one. */
export type FirstStage<Request extends OperationRequest = ApiRequest> = (
  request: Pick<ReceivedRequest, 'http' | 'context' | 'operation' | 'params'>,
) => Promise<Caller<Request> | Refusal>;

/** A later stage: the reply of a request that skips all further stages, or null if it continues. */
export type Stage<Request extends OperationRequest = ApiRequest> = (
  request: Request,
) => Reply | null | Promise<Reply | null>;

/** The traits of an operation that only reads. */
export const READ: OperationTraits = {
  idempotency: { key: 'ignored' },
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
  const environmentId = snapshot.environment.id;
  return (tx) => recordAudit(tx, { newId, actor }, { ...change, environmentId, before: null });
}

export type RunOperation<Request extends OperationRequest = ApiRequest> = (
  request: Request,
) => Promise<Reply>;

/**
 * An operation: one method of one path. The OpenAPI document and the router are derived from it. `run` gets a request that
 * has passed the stages.
 */
export type Operation<
  Deps = OperationDeps,
  Request extends OperationRequest = ApiRequest,
> = Request['operation'] & {
  readonly run: (deps: Deps) => RunOperation<Request>;
};

export type PublicResource = Resource<Operation>;

/** A description without what {@link defineOperation} completes. */
type Incomplete<Description extends OperationDescription> = Omit<
  Description,
  'path' | 'body' | 'parameters' | 'errors'
>;

/** An operation whose `run` gets requests with valid path, query and body. */
export function defineOperation<
  Path extends string,
  Schema extends SchemaObject,
  Value,
  Query extends QueryParameters,
  Deps,
  Request extends OperationRequest,
>(
  operation: Incomplete<Request['operation']> & RequestShape<Path, Query, Schema, Value>,
  run: (
    deps: Deps,
  ) => (request: Request & ParsedRequest<NamesOf<Path>, Value, Values<Query>>) => Promise<Reply>,
): Operation<Deps, Request> {
  const { query: _query, refusals: _refusals, ...rest } = operation;
  const { parse, description } = describeRequest(operation);
  return {
    ...rest,
    ...description,
    run: (deps) => {
      const reply = run(deps);
      return async (request) => reply({ ...request, ...parse(request) });
    },
  };
}

/** The type of an operation without a body. */
export interface NoBody extends SchemaObject {
  readonly type: 'null';
}

/** An operation of the public API. */
export const publicOperation = <
  const Path extends string,
  Schema extends SchemaObject = NoBody,
  Value = BodyOf<Schema>,
  Query extends QueryParameters = NoParameters,
>({
  run,
  ...operation
}: Incomplete<ApiRequest['operation']> &
  RequestShape<Path, Query, Schema, Value> & {
    readonly run: (
      deps: OperationDeps,
    ) => (request: ApiRequest & ParsedRequest<NamesOf<Path>, Value, Values<Query>>) => Promise<Reply>;
  }): Operation => defineOperation<Path, Schema, Value, Query, OperationDeps, ApiRequest>(operation, run);
