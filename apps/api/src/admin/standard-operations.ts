import { inTransaction, type Queryable } from '@postrider/db';
import { type JsonObject, reject, type Scope } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import type { OperatorAccess } from '../access/access.ts';
import { creates, type EffectOfToken, type Examples, returns } from '../openapi/operation.ts';
import { type PathName, type PathParameter, parametersOfPath } from '../openapi/parameters.ts';
import type { KnownPath, NamesOf, NoParameters, QueryParameters } from '../openapi/request.ts';
import { type BodyOf, ref } from '../openapi/schema.ts';
import type { NoBody, OperationResult } from '../pipeline/operation.ts';
import type { ValidateBody } from '../validation/body.ts';
import {
  type AdminCall,
  type AdminOperation,
  type AdminRequest,
  adminOperation,
  type CallDeps,
  type ListOperation,
  listPage,
  type Named,
  type OperationInput,
} from './operation.ts';
import { applyPatch } from './schemas.ts';

interface Facts<All extends string, One extends string, Row, Listed, Parent> {
  /** The name in schema and operation names, such as `EventType`. */
  readonly name: string;
  /** The name in texts; by default the words of `name`. */
  readonly label?: string;
  /** The name of its schema, if it differs from `name`. */
  readonly schema?: string;
  /** The path of the list, and of creation. */
  readonly all: KnownPath<All>;
  /** The path of one resource. */
  readonly one: KnownPath<One>;
  /** The scopes of reading and of changing it. */
  readonly scopes: readonly [read: Scope, write: Scope];
  /** Whether tokens may call its operations for their own environment. */
  readonly forTokens?: true;
  /** What the list belongs to; without it, the whole installation. */
  readonly parent?: Named<Parent>;
  readonly present: (row: Row) => JsonObject;
  readonly example: object;
  /** The fields in a list, if those are fewer. */
  readonly inList?: { readonly present: (row: Listed) => JsonObject; readonly example: object };
}

/** The fields of an operation that are derived from its resource and may be overridden. */
type Derived = 'path' | 'operationId' | 'summary' | 'scope';
type Own<Fields, Known extends string> = Omit<Fields, Known> &
  Partial<Omit<Pick<Fields, Extract<Known, keyof Fields>>, 'path'>>;

interface Change<Row, Body> {
  readonly current: Row;
  /** The valid result of the patch. */
  readonly body: Body;
  readonly patch: JsonObject;
  /** What the caller may do now. */
  readonly access: OperatorAccess;
}

/** Runs a change in a transaction with the caller's current rights. */
type Transact = (
  request: OperatorAccess & Pick<AdminRequest<PathName>, 'ids'>,
  deps: CallDeps,
  change: (tx: Queryable, access: OperatorAccess) => Promise<OperationResult>,
) => Promise<OperationResult>;

/** A JSON Merge Patch (RFC 7396), whose result is valid for a creation. */
interface Patch<Row, Body> {
  readonly summary?: string;
  readonly description: string;
  readonly body: { readonly schema: SchemaObject; readonly examples: Examples };
  readonly errors?: AdminOperation['errors'];
  /** What differs in the example of the response. */
  readonly changed: object;
  readonly lock: (tx: Queryable, id: string) => Promise<Row | null>;
  /** The fields that clients can set. */
  readonly fields: (row: Row) => JsonObject;
  /** Completes a patch with changes that follow from it. */
  readonly adjust?: (patch: JsonObject) => JsonObject;
  readonly validate: ValidateBody<Body>;
  readonly change: (tx: Queryable, change: Change<Row, Body>, deps: CallDeps) => Promise<Row>;
  /** By default a transaction with the rights with which the request began. */
  readonly transact?: Transact;
}

const inPlainTransaction: Transact = (request, deps, change) =>
  inTransaction(deps, (tx) => change(tx, request));

const wordsOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();

/** Defines create, put, list, get, update and remove of a resource. */
export function standardOperationsOf<
  const All extends string,
  const One extends string,
  Row extends object,
  Listed = Row,
  Parent = undefined,
>({
  name,
  label = wordsOf(name),
  schema = name,
  all,
  one,
  scopes: [read, write],
  forTokens,
  parent,
  present,
  example,
  inList,
}: Facts<All, One, Row, Listed, Parent>) {
  const labelWithArticle = `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}`;
  const [parameter] = parametersOfPath(one).slice(-1) as [PathParameter];
  const ofTokens = (effect: EffectOfToken) => (forTokens ? { forTokens: effect } : {});
  const derive = (verb: string, effect: EffectOfToken, doing: string) => ({
    ...ofTokens(effect),
    operationId: `${verb}${name}`,
    scope: effect === 'reads' ? read : write,
    summary: `${doing} ${labelWithArticle}`,
  });

  const withResourceBody =
    <Path extends string>(path: KnownPath<Path>, derived: object) =>
    <const Schema extends SchemaObject, Value = BodyOf<Schema>, Found = undefined, State = undefined>(
      operation: Own<
        OperationInput<Path, Schema, Value, Found, State, NoParameters>,
        Derived | 'method' | 'success'
      >,
    ) =>
      adminOperation({ path, ...derived, ...operation } as OperationInput<
        Path,
        Schema,
        Value,
        Found,
        State,
        NoParameters
      >);

  return {
    /** POST to the list. */
    create: withResourceBody<All>(all, {
      ...derive('create', 'stores more', 'Create'),
      success: creates(schema, example),
    }),

    /** PUT of one, which creates or replaces it. */
    put: withResourceBody<One>(one, {
      method: 'put',
      ...derive('put', 'stores more', 'Create or replace'),
      success: returns(schema, example),
    }),

    /** GET of a page of the list. */
    list: <Filters extends QueryParameters = NoParameters>(
      operation: Own<
        ListOperation<All, Listed, Parent, Filters>,
        Derived | 'present' | 'schema' | 'example' | 'parent'
      >,
    ) =>
      listPage<All, Listed, Parent, Filters>({
        path: all,
        ...ofTokens('reads'),
        operationId: `list${name}s`,
        scope: read,
        summary: `List ${label}s`,
        schema: ref(`${name}List`),
        example,
        present,
        parent,
        ...inList,
        ...operation,
      } as ListOperation<All, Listed, Parent, Filters>),

    /** GET of one. */
    get: ({
      present: presentOne = present,
      ...operation
    }: Own<
      Omit<OperationInput<One, NoBody, undefined, Row, undefined, NoParameters>, 'run' | 'of'>,
      Derived | 'success'
    > & {
      readonly of: Named<Row>;
      readonly present?: (
        row: Row,
        db: CallDeps['db'],
        request: AdminCall,
      ) => JsonObject | Promise<JsonObject>;
    }) =>
      adminOperation<One, NoBody, undefined, Row>({
        path: one,
        ...derive('get', 'reads', 'Read'),
        success: returns(schema, example),
        ...operation,
        run: async (request: AdminRequest<NamesOf<One>, undefined, Row>, { db }) =>
          presentOne(request.found, db, request),
      }),

    /** PATCH of one. 404, or 422 if the result would not be valid. */
    update: <Body>({
      changed,
      lock,
      fields,
      adjust = (patch) => patch,
      validate,
      change,
      transact = inPlainTransaction,
      ...operation
    }: Patch<Row, Body>) =>
      adminOperation<string, SchemaObject, JsonObject>({
        method: 'patch',
        path: one as string,
        ...derive('update', 'changes', 'Change'),
        success: returns(schema, { ...example, ...changed }),
        ...operation,
        run: (request, deps) =>
          transact(request, deps, async (tx, access) => {
            const current = await lock(tx, request.ids[parameter.name]);
            if (!current) reject(parameter.notFound);
            const body = applyPatch(fields(current), adjust(request.body), validate);
            return present(await change(tx, { current, body, patch: request.body, access }, deps));
          }),
      }),

    /** DELETE of one. `run` returns whether it existed. */
    remove: ({
      run,
      ...operation
    }: Own<
      Omit<OperationInput<One, NoBody, undefined, undefined, undefined, NoParameters>, 'run'>,
      Derived | 'method' | 'success'
    > & {
      readonly run: (request: AdminRequest<NamesOf<One>, undefined>, deps: CallDeps) => Promise<boolean>;
    }) =>
      adminOperation<One, NoBody, undefined>({
        method: 'delete',
        path: one,
        ...derive('delete', 'changes', 'Delete'),
        success: { status: 204 },
        ...operation,
        run: async (request: AdminRequest<NamesOf<One>, undefined>, deps) =>
          (await run(request, deps)) ? undefined : reject(parameter.notFound),
      }),
  };
}
