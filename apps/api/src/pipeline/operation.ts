import type { ChannelRegistry } from '@postrider/channels';
import {
  type AuditedChange,
  type Database,
  type DatabaseClock,
  type IngestBatch,
  type IngestEvent,
  recordAudit,
  type ServiceKeySource,
  type Snapshots,
  type WriteAudit,
} from '@postrider/db';
import type { IdSource } from '@postrider/domain';
import type { Enqueue } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';
import type { LogErrors } from '@postrider/telemetry';
import type { SchemaObject } from 'ajv';
import type { EventConsumers } from '../events/consumers.ts';
import { jsonBytes, type Success } from '../http/reply.ts';
import type { OperationDescription, OperationTraits, Resource } from '../openapi/operation.ts';
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
import type { ApiRequest, OperationRequest } from './stage.ts';

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
  readonly monotonicMs: () => number;
  readonly logDatabaseErrors: LogErrors;
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

/** Returns what writes the audit entry of an operator's request; undefined with a token. */
export function operatorAudit(
  { newId }: Pick<OperationDeps, 'newId'>,
  { actor, snapshot }: Pick<ApiRequest, 'actor' | 'snapshot'>,
  change: Pick<AuditedChange, 'action' | 'resourceId' | 'after'>,
): WriteAudit | undefined {
  if (!actor) return undefined;
  const environmentId = snapshot.environment.id;
  return (tx) => recordAudit(tx, { newId, actor }, { ...change, environmentId, before: null });
}

/** @throws RefusedError */
export type RunOperation<Request extends OperationRequest = ApiRequest> = (
  request: Request,
) => Promise<Success>;

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

/** The body of the operation's success, undefined for 204, or a whole reply with its bytes. Refusals are thrown. */
export type OperationResult = (object & { readonly refused?: never }) | undefined;

/** Whether these are bytes, which no JSON contains. */
const hasBytes = (result: object): result is Success => 'body' in result && result.body instanceof Uint8Array;

/** The reply with this result and the status of the operation's success. */
function replyOf({ status }: OperationDescription['success'], result: OperationResult): Success {
  if (result && hasBytes(result)) return result;
  return { status, body: status === 204 ? new Uint8Array() : jsonBytes(result) };
}

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
  ) => (request: Request & ParsedRequest<NamesOf<Path>, Value, Values<Query>>) => Promise<OperationResult>,
): Operation<Deps, Request> {
  const { query: _query, refusals: _refusals, ...rest } = operation;
  const { parse, description } = describeRequest(operation);
  return {
    ...rest,
    ...description,
    run: (deps) => {
      const respond = run(deps);
      return async (request) => replyOf(operation.success, await respond({ ...request, ...parse(request) }));
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
    ) => (
      request: ApiRequest & ParsedRequest<NamesOf<Path>, Value, Values<Query>>,
    ) => Promise<OperationResult>;
  }): Operation => defineOperation<Path, Schema, Value, Query, OperationDeps, ApiRequest>(operation, run);
