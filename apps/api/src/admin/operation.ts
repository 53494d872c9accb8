import type { ChannelRegistry } from '@postrider/channels';
import type { Actor, Page, ServiceKeySource, UnboundDatabase } from '@postrider/db';
import type { AddressPolicy, ErrorCode, IdSource, JsonObject, SecretBox } from '@postrider/domain';
import type { Enqueue } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';
import type { SchemaObject } from 'ajv';
import { ok, type Reply, refuse } from '../http/reply.ts';
import type { RequestFacts } from '../http/request.ts';
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
export interface AdminRequest {
  readonly actor: Actor;
  /** The UUID of the operator's session; null for a request with the admin token. */
  readonly sessionId: string | null;
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

/** An operation without a body. */
export function withoutBody({
  run,
  ...description
}: Omit<Description, 'body'> & {
  readonly run: (deps: AdminDeps) => (request: AdminRequest) => Promise<Reply>;
}): AdminOperation {
  return { ...description, bodyUse: 'ignored', run };
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
export function withBody<Value>({
  body: { use = 'required', schema, validate, examples },
  run,
  ...description
}: Omit<Description, 'body'> & {
  readonly body: Body<Value>;
  readonly run: (deps: AdminDeps) => (request: AdminRequestWithBody<Value>) => Promise<Reply>;
}): AdminOperation {
  return {
    ...description,
    bodyUse: use,
    body: { schema, examples },
    run: (deps) => {
      const check = validate ?? compileBody<Value>(schema);
      const runValid = run(deps);
      return async (request, bytes) => {
        const parsed = use === 'optional' ? parseOptionalBody(bytes) : parseBody(bytes);
        if (parsed.outcome === 'refused') return parsed.refusal;
        const validated = check(parsed.value);
        return 'body' in validated
          ? runValid({ ...request, body: validated.body })
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
  readonly parameter: PathParameter;
  readonly read: (db: Db, id: string) => Promise<Row | null>;
  readonly notFound: ErrorCode;
}

/** Reads the resource that the path identifies, or null. */
export async function find<Row>(db: Db, request: AdminRequest, named: Named<Row>): Promise<Row | null> {
  const id = idOf(request, named.parameter);
  return id === null ? null : named.read(db, id);
}

type Common = Pick<Description, 'path' | 'operationId' | 'summary' | 'description' | 'memory'>;

/** GET of one resource, converted by `present`, or 404. */
export function getOne<Row>({
  of,
  present,
  schema,
  example,
  ...description
}: Common & {
  readonly of: Named<Row>;
  readonly present: (row: Row) => JsonObject;
  readonly schema: Schema;
  readonly example: unknown;
}): AdminOperation {
  return withoutBody({
    method: 'get',
    ...description,
    parameters: [of.parameter],
    success: { status: 200, schema, example },
    errors: [of.notFound],
    run:
      ({ db }) =>
      async (request) => {
        const row = await find(db, request, of);
        return row ? ok(present(row)) : refuse(of.notFound);
      },
  });
}

type QueryParameters = typeof PAGING_PARAMETERS & Record<string, Parameter<unknown>>;
type ValuesOf<Query extends QueryParameters> = Extract<ParsedQuery<Query>, { outcome: 'valid' }>['values'];

interface ListRequest<Parent, Query extends QueryParameters> {
  readonly parent: Parent;
  readonly values: ValuesOf<Query>;
  readonly after: string | null;
  readonly limit: number;
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
  read,
  present,
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
  readonly read: (db: Db, request: ListRequest<Parent, Query>, deps: AdminDeps) => Promise<Page<Row>>;
  readonly present: (row: Row) => JsonObject;
  /** Schema of the page. */
  readonly schema: Schema;
  /** Example of one entry. */
  readonly example: unknown;
}): AdminOperation {
  return withoutBody({
    method: 'get',
    ...description,
    parameters: [...(parent ? [parent.parameter] : []), ...PAGING, ...filters],
    success: { status: 200, schema, example: { data: [example], has_more: false, next_cursor: null } },
    errors: [...(parent ? [parent.notFound] : []), 'validation_failed'],
    run: (deps) => {
      const { db } = deps;
      return async (request) => {
        const parsed = parseQuery(request.query, query ?? (PAGING_PARAMETERS as Query));
        if (parsed.outcome === 'invalid') return invalid(parsed.issues);
        const found = parent && (await find(db, request, parent));
        if (parent && !found) return refuse(parent.notFound);
        const { values } = parsed;
        const page = await read(db, { parent: found as Parent, values, ...positionOf(values) }, deps);
        return ok(presentPage(page, present, format));
      };
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
  readonly adminToken: string | null;
  /** Whether the console is enabled. */
  readonly hasConsole: boolean;
}
