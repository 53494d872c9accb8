import type { ChannelRegistry } from '@postrider/channels';
import {
  type Bounds,
  type Page,
  readEnvironment,
  type ServiceKeySource,
  type UnboundDatabase,
} from '@postrider/db';
import type { AddressPolicy, ErrorCode, IdSource, JsonObject, SecretBox } from '@postrider/domain';
import type { Holder } from '@postrider/fairness';
import type { Enqueue } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';
import type { SchemaObject } from 'ajv';
import { type OperatorAccess, refuseSearch, shareOfConsumer } from '../access/access.ts';
import { ok, type Refusal, type Reply, refuse } from '../http/reply.ts';
import type { RequestFacts } from '../http/request.ts';
import type { Listeners } from '../listeners/listeners.ts';
import type {
  AdminDescription,
  Description,
  Parameter as DocumentedParameter,
  Examples,
  PathParameter,
  Resource,
} from '../openapi/operation.ts';
import { PAGING } from '../openapi/parameters.ts';
import type { Schema } from '../openapi/schema.ts';
import {
  formatCursor,
  PAGING_PARAMETERS,
  type Parameter,
  type ParsedQuery,
  parseQuery,
  positionOf,
  presentPage,
} from '../paging/query.ts';
import { compileBody, invalid, parseBody, parseOptionalBody, type ValidateBody } from '../validation/body.ts';

type Db = AdminDeps['db'];

/** An authenticated request. */
export interface AdminRequest extends OperatorAccess {
  /** Whether the caller is a token of the environment, which may do less than an operator. */
  readonly isOutsider: boolean;
  /** Decoded segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Facts for the log line of the request. */
  readonly facts: RequestFacts;
}

export interface AdminRequestWithBody<Body> extends AdminRequest {
  readonly body: Body;
}

/** Runs an operation. `bytes` is the body, empty if it is ignored or was left out. */
export type RunAdmin = (request: AdminRequest, bytes: Uint8Array) => Promise<Reply>;

/**
 * An operation of the management API: one method of one path under `/admin/v1`. The OpenAPI document and the router
 * are derived from it.
 */
export type AdminOperation = AdminDescription & { readonly run: (deps: AdminDeps) => RunAdmin };

/** A resource of the management API. */
export type AdminResource = Resource<AdminOperation>;

/** What an operation is called with: the dependencies, with its caller as the actor of a change. */
type CallDeps = AdminDeps & Pick<AdminRequest, 'actor'>;

interface Run<Request extends AdminRequest, State> {
  /** What a process keeps for all requests of the operation, such as a semaphore. */
  readonly setUp?: (deps: AdminDeps) => State;
  readonly run: (request: Request, deps: CallDeps, state: State) => Promise<Reply>;
}

/** An operation without a body. */
export function withoutBody<State = undefined>({
  setUp,
  run,
  ...description
}: Omit<Description, 'body'> & Run<AdminRequest, State>): AdminOperation {
  return {
    ...description,
    bodyUse: 'ignored',
    run: (deps) => {
      const state = setUp?.(deps) as State;
      return (request) => run(request, { ...deps, actor: request.actor }, state);
    },
  };
}

interface Body<Value> {
  /** `required` by default. */
  readonly use?: 'required' | 'optional';
  readonly schema: SchemaObject;
  /** Replaces the validation by schema, for rules that a schema cannot express. */
  readonly validate?: ValidateBody<Value>;
  readonly examples: Examples;
}

/**
 * An operation with a JSON body, which is parsed and validated before `run` (400 and 422). An optional body that is
 * left out is the empty object (docs/specification.md, "Request bodies").
 */
export function withBody<Value, State = undefined>({
  body: { use = 'required', schema, validate, examples },
  setUp,
  run,
  ...description
}: Omit<Description, 'body'> & { readonly body: Body<Value> } & Run<
    AdminRequestWithBody<Value>,
    State
  >): AdminOperation {
  return {
    ...description,
    bodyUse: use,
    body: { schema, examples },
    run: (deps) => {
      const check = validate ?? compileBody<Value>(schema);
      const state = setUp?.(deps) as State;
      return async (request, bytes) => {
        const parsed = use === 'optional' ? parseOptionalBody(bytes) : parseBody(bytes);
        if (parsed.outcome === 'refused') return parsed.refusal;
        const validated = check(parsed.value);
        return 'body' in validated
          ? run({ ...request, body: validated.body }, { ...deps, actor: request.actor }, state)
          : invalid(validated.issues);
      };
    },
  };
}

/** The id in this path parameter. Null if the text cannot be an id, which is a 404. */
export function idOf({ params }: AdminRequest, { name, parse }: PathParameter): string | null {
  return parse(params[name] ?? '');
}

/** How paths identify a resource, and how it is read. */
export interface Named<Row> {
  /** What it belongs to, if callers choose its id; `read` then gets the id of that, too. */
  readonly parent?: Named<{ readonly id: string }>;
  readonly parameter: PathParameter;
  readonly read: (db: Db, id: string, parentId: string) => Promise<Row | null>;
  readonly notFound: ErrorCode;
}

/** Reads the resource that the path identifies, or refuses with the 404 of what is missing. */
export async function findOrRefuse<Row>(
  db: Db,
  request: AdminRequest,
  { parent, parameter, read, notFound }: Named<Row>,
): Promise<{ readonly found: Row } | { readonly refusal: Refusal }> {
  const above = parent && (await findOrRefuse(db, request, parent));
  if (above && 'refusal' in above) return above;
  const id = idOf(request, parameter);
  const found = id === null ? null : await read(db, id, above?.found.id ?? '');
  return found ? { found } : { refusal: refuse(notFound) };
}

/** What a path names, from the outside in: what the resource belongs to, and the resource. */
const pathOf = (of: Named<unknown>): readonly Named<unknown>[] => [
  ...(of.parent ? pathOf(of.parent) : []),
  of,
];

/** Reads the resource that the path identifies, or null. */
export async function find<Row>(db: Db, request: AdminRequest, named: Named<Row>): Promise<Row | null> {
  const result = await findOrRefuse(db, request, named);
  return 'found' in result ? result.found : null;
}

/**
 * Whose turn expensive work for an environment is: tenants take turns, and so do the environments of a tenant, and apart from
 * them its consumers.
 * @param consumerId of the caller
 */
export async function turnOf(
  db: Db,
  environmentId: string,
  consumerId: string | null = null,
): Promise<Required<Holder>> {
  const environment = await readEnvironment(db, environmentId);
  const owner = environment?.tenantId ?? environmentId;
  return consumerId === null
    ? { owner, part: environmentId }
    : shareOfConsumer(owner, environmentId, consumerId);
}

type Common = Pick<
  Description,
  'path' | 'operationId' | 'summary' | 'description' | 'scope' | 'memory' | 'filtersByBounds' | 'forConsumers'
>;

/** GET of one resource, converted by `present`, or 404. */
export function getOne<Row>({
  of,
  present,
  schema,
  example,
  ...description
}: Common & {
  readonly of: Named<Row>;
  readonly present: (row: Row, db: Db, request: AdminRequest) => JsonObject | Promise<JsonObject>;
  readonly schema: Schema;
  readonly example: unknown;
}): AdminOperation {
  const path = pathOf(of);
  return withoutBody({
    method: 'get',
    ...description,
    parameters: path.map(({ parameter }) => parameter),
    success: { status: 200, schema, example },
    errors: path.map(({ notFound }) => notFound),
    run: async (request, { db }) => {
      const result = await findOrRefuse(db, request, of);
      return 'found' in result ? ok(await present(result.found, db, request)) : result.refusal;
    },
  });
}

type QueryParameters = typeof PAGING_PARAMETERS & Record<string, Parameter<unknown>>;
type ValuesOf<Query extends QueryParameters> = Extract<ParsedQuery<Query>, { outcome: 'valid' }>['values'];

interface ListRequest<Parent, Query extends QueryParameters> {
  readonly parent: Parent;
  readonly values: ValuesOf<Query>;
  /** Of the caller, for a list that is not of one environment. */
  readonly bounds: Bounds | null;
  readonly after: string | null;
  readonly limit: number;
  readonly isOutsider: boolean;
  /** Of a caller of one consumer. */
  readonly consumerId: string | null;
}

/**
 * GET of a list in pages. 422 for an invalid query, 404 if the path's parent does not exist (docs/specification.md,
 * "Lists").
 */
export function listPage<Row, Parent = undefined, Query extends QueryParameters = typeof PAGING_PARAMETERS>({
  parent,
  filters = [],
  query,
  formatCursor: format = formatCursor,
  isByContent = () => false,
  read,
  present,
  more = () => ({}),
  schema,
  example,
  ...description
}: Common & {
  /** The parent of the list; without it, the list is of the whole installation. */
  readonly parent?: Named<Parent>;
  /** Descriptions of the query parameters besides the cursor. */
  readonly filters?: readonly DocumentedParameter[];
  /** Without it, the only query parameters are those of paging. */
  readonly query?: Query;
  readonly formatCursor?: (key: string) => string;
  /** Whether the query searches by content; see {@link refuseSearch}. Never by default. */
  readonly isByContent?: (values: ValuesOf<Query>) => boolean;
  readonly read: (db: Db, request: ListRequest<Parent, Query>, deps: AdminDeps) => Promise<Page<Row>>;
  readonly present: (row: Row) => JsonObject;
  /** Further fields of the page. */
  readonly more?: (page: Page<Row>) => JsonObject;
  /** Schema of the page. */
  readonly schema: Schema;
  /** Example of one entry. */
  readonly example: unknown;
}): AdminOperation {
  const path = parent ? pathOf(parent) : [];
  return withoutBody({
    method: 'get',
    ...description,
    parameters: [...path.map(({ parameter }) => parameter), ...PAGING, ...filters],
    success: {
      status: 200,
      schema,
      example: {
        data: [example],
        has_more: false,
        next_cursor: null,
        ...more({ rows: [], nextAfter: null }),
      },
    },
    errors: [...path.map(({ notFound }) => notFound), 'validation_failed'],
    run: async (request, deps) => {
      const { db } = deps;
      const parsed = parseQuery(request.query, query ?? (PAGING_PARAMETERS as Query));
      if (parsed.outcome === 'invalid') return invalid(parsed.issues);
      const refusal = refuseSearch(request, isByContent(parsed.values));
      if (refusal) return refusal;
      const above = parent && (await findOrRefuse(db, request, parent));
      if (above && 'refusal' in above) return above.refusal;
      const { values } = parsed;
      const { bounds, isOutsider, consumerId } = request;
      const asked = {
        parent: above?.found as Parent,
        values,
        bounds,
        isOutsider,
        consumerId,
        ...positionOf(values),
      };
      const page = await read(db, asked, deps);
      return ok({ ...presentPage(page, present, format), ...more(page) });
    },
  });
}

/** Dependencies of the operations of the management API. */
export interface AdminDeps {
  readonly kinds: ChannelRegistry;
  /** Operators see all environments, and identify most resources by id only. */
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicNow: () => number;
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
