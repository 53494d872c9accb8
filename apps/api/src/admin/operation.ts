import type { ChannelRegistry } from '@postrider/channels';
import type { Actor, Bounds, DatabaseClock, Page, ServiceKeySource, UnboundDatabase } from '@postrider/db';
import {
  type AddressPolicy,
  camelFields,
  type IdSource,
  type JsonObject,
  reject,
  type SecretBox,
} from '@postrider/domain';
import type { Enqueue } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';
import type { SchemaObject } from 'ajv';
import type { OperatorAccess } from '../access/access.ts';
import { requireSearch } from '../access/content.ts';
import { MEMORY, type Memory } from '../http/memory.ts';
import type { Listeners } from '../listeners/listeners.ts';
import type { OperationDescription, Resource } from '../openapi/operation.ts';
import { PATH_PARAMETERS, type PathName } from '../openapi/parameters.ts';
import type {
  KnownPath,
  NamesOf,
  NoParameters,
  ParsedRequest,
  QueryParameters,
  RequestShape,
} from '../openapi/request.ts';
import type { BodyOf, Schema } from '../openapi/schema.ts';
import { cursorsOf, paging, positionOf, presentPage, type Values } from '../paging/query.ts';
import { defineOperation, type NoBody, type Operation, type OperationResult } from '../pipeline/operation.ts';
import type { OperationRequest } from '../pipeline/stage.ts';

/** Dependencies of the operations of the management API. */
export interface AdminDeps {
  readonly kinds: ChannelRegistry;
  /** Operators see all environments, and identify most resources by id only. */
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  /** The clock of everything that is stored. */
  readonly clock: Pick<DatabaseClock, 'read'>;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly secretBox: SecretBox;
  readonly serviceKeys: ServiceKeySource;
  /** The service's address for recipients, without a final slash; null if it is not configured. */
  readonly publicUrl: string | null;
  /** Whether channels of this installation must use https. */
  readonly httpsOnly: boolean;
  /** Which addresses workers with the same EGRESS_ALLOW_CIDRS connect to. */
  readonly isAddressAllowed: AddressPolicy;
  /** Compiles, checks and previews templates. */
  readonly renderer: Renderer;
  /** Best effort: the rows are the outbox. */
  readonly enqueue: Enqueue;
  /** The waiting requests of listeners. */
  readonly listeners: Listeners;
  readonly adminToken: string | null;
  /** Whether the console is enabled. */
  readonly hasConsole: boolean;
}

/** The dependencies of one call, with its caller as the actor of a change. */
export type CallDeps = AdminDeps & { readonly actor: Actor };

type Db = AdminDeps['db'];

/** A request of an {@link AdminOperation}, by an operator or with a token, before it is parsed. */
export interface AdminCall extends OperationRequest, OperatorAccess {
  readonly actor: Actor;
  /** Whether the caller is a token of the environment, which may do less than an operator. */
  readonly isOutsider: boolean;
}

/** A request whose path, query and body are valid. */
export interface AdminRequest<
  Names extends PathName = never,
  Body = unknown,
  Found = unknown,
  Query = unknown,
> extends AdminCall,
    ParsedRequest<Names, Body, Query> {
  /** The resource that the operation is about, if it names one in `of`. */
  readonly found: Found;
}

/** An operation of the management API, under `/admin/v1`. */
export type AdminOperation = Operation<AdminDeps, AdminCall>;

/** A resource of the management API. */
export type AdminResource = Resource<AdminOperation>;

/** How a resource is read by a parameter of the path. */
export interface Named<Row> {
  readonly name: PathName;
  /** What it belongs to, if callers choose its id; `read` then gets the id of that, too. */
  readonly parent?: Named<{ readonly id: string }>;
  readonly read: (db: Db, id: string, parentId: string) => Promise<Row | null>;
}

/**
 * Reads the resource that the path identifies.
 * @throws RefusedError with the 404 of what is missing
 */
export async function find<Row>(
  db: Db,
  { ids }: { readonly ids: Readonly<Partial<Record<PathName, string>>> },
  { parent, name, read }: Named<Row>,
): Promise<Row> {
  const above = parent && (await find(db, { ids }, parent));
  return (await read(db, ids[name] ?? '', above?.id ?? '')) ?? reject(PATH_PARAMETERS[name].notFound);
}

export interface OperationInput<
  Path extends string,
  Schema extends SchemaObject,
  Value,
  Found,
  State,
  Query extends QueryParameters,
> extends Omit<
      OperationDescription,
      'method' | 'body' | 'path' | 'memory' | 'parameters' | 'errors' | 'traits' | 'asOperator'
    >,
    RequestShape<Path, Query, Schema, Value> {
  /** By default POST with a body, and GET without one. */
  readonly method?: OperationDescription['method'];
  /** By default a response of a few fields. */
  readonly memory?: Memory;
  /** The resource that `run` gets; 404 if it does not exist. */
  readonly of?: Named<Found>;
  /** What a process keeps for all requests of the operation, such as a semaphore. */
  readonly setUp?: (deps: AdminDeps) => State;
  readonly run: (
    request: AdminRequest<NamesOf<Path>, Value, Found, Values<Query>>,
    deps: CallDeps,
    state: State,
  ) => Promise<OperationResult>;
}

/** An operation of the management API, with a JSON body if it describes one. */
export function adminOperation<
  const Path extends string,
  Schema extends SchemaObject = NoBody,
  Value = BodyOf<Schema>,
  Found = undefined,
  State = undefined,
  Query extends QueryParameters = NoParameters,
>({
  of,
  setUp,
  run,
  ...operation
}: OperationInput<Path, Schema, Value, Found, State, Query>): AdminOperation {
  const completed = {
    memory: MEMORY.small,
    method: operation.body ? ('post' as const) : ('get' as const),
    ...operation,
  };
  return defineOperation<Path, Schema, Value, Query, AdminDeps, AdminCall>(completed, (deps) => {
    const state = setUp?.(deps) as State;
    return async (request) => {
      const found = of ? await find(deps.db, request, of) : (undefined as Found);
      return run({ ...request, found }, { ...deps, actor: request.actor }, state);
    };
  });
}

type Common<Path extends string> = { readonly path: KnownPath<Path> } & Pick<
  OperationDescription,
  'operationId' | 'summary' | 'description' | 'scope' | 'filtersByBounds' | 'forTokens' | 'forConsumers'
> & { readonly memory?: Memory };

type ListRequest<Path extends string, Parent, Filters extends QueryParameters> = {
  /** The parsed parameters of the path. */
  readonly [Name in NamesOf<Path>]: string;
} & {
  readonly parent: Parent;
  /** The values of the filters, by their names in camelCase. */
  readonly filter: ReturnType<typeof camelFields<Values<Filters>>>;
  /** The bounds of the caller, for a list of several environments. */
  readonly bounds: Bounds | null;
  readonly after: string | null;
  readonly limit: number;
  readonly isOutsider: boolean;
  /** The consumer of the caller; null for other callers. */
  readonly consumerId: string | null;
};

export type ListOperation<
  Path extends string,
  Row,
  Parent,
  Filters extends QueryParameters,
> = Common<Path> & {
  /** The parent of the list; without it, the list is of the whole installation. */
  readonly parent?: Named<Parent>;
  readonly filters?: Filters;
  /** For a list that is ordered by a text instead of the id: whether a text can be a position in it. */
  readonly orderedBy?: (key: string) => boolean;
  /** Whether the query searches by content; see {@link requireSearch}. Never by default. */
  readonly isByContent?: (values: Values<Filters>) => boolean;
  readonly read: (db: Db, request: ListRequest<Path, Parent, Filters>, deps: AdminDeps) => Promise<Page<Row>>;
  readonly present: (row: Row) => JsonObject;
  /** Further fields of the page. */
  readonly more?: (page: Page<Row>) => JsonObject;
  /** Schema of the page. */
  readonly schema: Schema;
  /** Example of one entry. */
  readonly example: unknown;
};

/**
 * GET of a list in pages. 422 for an invalid query, 404 if the path's parent does not exist (docs/specification.md,
 * "Lists").
 */
export function listPage<
  const Path extends string,
  Row,
  Parent = undefined,
  Filters extends QueryParameters = NoParameters,
>({
  parent,
  filters = {} as Filters,
  orderedBy,
  isByContent = () => false,
  read,
  present,
  more = () => ({}),
  schema,
  example,
  ...description
}: ListOperation<Path, Row, Parent, Filters>): AdminOperation {
  const cursors = cursorsOf(description.operationId, orderedBy);
  const pages = paging(cursors);
  const query: QueryParameters = { ...pages, ...filters };
  return adminOperation({
    memory: MEMORY.rows,
    ...description,
    query,
    success: {
      status: 200,
      schema,
      example: { data: [example] },
    },
    run: async (request, deps) => {
      const { db } = deps;
      const { limit, cursor, ...rest } = request.values as Values<typeof pages>;
      const values = rest as Values<Filters>;
      requireSearch(request, isByContent(values));
      const above = parent && (await find(db, request, parent));
      const { bounds, isOutsider, consumerId } = request;
      const asked = {
        ...request.ids,
        parent: above as Parent,
        bounds,
        isOutsider,
        consumerId,
        filter: camelFields(values),
        ...positionOf({ limit, cursor }),
      };
      const page = await read(db, asked, deps);
      return { ...presentPage(page, present, cursors), ...more(page) };
    },
  });
}
