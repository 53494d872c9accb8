import { type ErrorCode, invalid, type Refusal, refuse, reject } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { bodyUseOf } from '../http/admission.ts';
import { type DescribedParameter, documented, parseQuery, queryOf, type Values } from '../paging/query.ts';
import type { ReceivedRequest } from '../pipeline/stage.ts';
import { compileBody, parseBody, type ValidateBody } from '../validation/body.ts';
import type { OperationDescription, Parameter } from './operation.ts';
import { type PathName, parametersOfPath } from './parameters.ts';

/** The names of the parameters of a path. */
export type NamesOf<Path extends string> = string extends Path
  ? PathName
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? (Name & PathName) | NamesOf<Rest>
    : never;

/** A path whose parameters have a line in `PATH_FACTS`; any other does not compile, unless it is only known to be a string. */
export type KnownPath<Path extends string> = Path & (UnknownNames<Path> extends never ? unknown : never);

type UnknownNames<Path extends string> = string extends Path
  ? never
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Exclude<Name, PathName> | UnknownNames<Rest>
    : never;

export type QueryParameters = Readonly<Record<string, DescribedParameter<unknown>>>;
export type NoParameters = Record<never, never>;

/** The part of an operation from which both its description in the document and its handler follow. */
export interface RequestShape<
  Path extends string,
  Query extends QueryParameters,
  Schema extends SchemaObject = SchemaObject,
  Value = unknown,
> {
  readonly path: KnownPath<Path>;
  readonly body?: RequestBody<Schema, Value>;
  /** Parameters of the query, which is parsed before `run`. Without it, `run` reads the query. */
  readonly query?: Query;
  /** Parameters that `run` reads itself. */
  readonly parameters?: readonly Parameter[];
  /** Codes besides those that a missing resource of the path and an invalid query get. */
  readonly errors?: readonly ErrorCode[];
  /** The refusals of malformed parameters of the path, if they are not the 404 of the parameter. */
  readonly refusals?: Readonly<Partial<Record<PathName, Refusal>>>;
}

interface RequestBody<Schema extends SchemaObject, Value> extends NonNullable<OperationDescription['body']> {
  readonly schema: Schema;
  /** Replaces the validation by schema, for rules that a schema cannot express. */
  readonly validate?: ValidateBody<Value>;
}

/** An optional body that is left out. */
const EMPTY_OBJECT = Buffer.from('{}');

/**
 * The value of a body that is valid JSON of its schema.
 * @throws RefusedError 400 or 422
 */
export function validBody<Value>(bytes: Uint8Array, validate: ValidateBody<Value>): Value {
  const validated = validate(parseBody(bytes));
  return 'body' in validated ? validated.body : reject(invalid(validated.issues));
}

/** A request whose path, query and body are valid. */
export interface ParsedRequest<Names extends PathName, Body, Query> {
  /** The parsed parameters of the path. */
  readonly ids: Readonly<Record<Names, string>>;
  readonly body: Body;
  /** The values of its query parameters. */
  readonly values: Query;
}

/**
 * The parameters and codes of an operation, and the parser of its requests: body (400 and 422), query (422), path (404). An optional
 * body that is left out is the empty object (docs/specification.md, "Request bodies"). The parser throws RefusedError.
 */
export function describeRequest<
  Path extends string,
  Schema extends SchemaObject,
  Value,
  Query extends QueryParameters,
>({
  path,
  query,
  parameters = documented(query ?? {}),
  errors = [],
  refusals = {},
  body,
}: RequestShape<Path, Query, Schema, Value>) {
  const names = parametersOfPath(path).map((parameter) => ({
    parameter,
    name: parameter.name,
    refusal: refusals[parameter.name] ?? refuse(parameter.notFound),
  }));
  const use = bodyUseOf({ body });
  const validate = body && (body.validate ?? compileBody<Value>(body.schema));

  function parse({
    params,
    url,
    bytes,
  }: Pick<ReceivedRequest, 'params' | 'url' | 'bytes'>): ParsedRequest<NamesOf<Path>, Value, Values<Query>> {
    const sent = use === 'optional' && bytes.byteLength === 0 ? EMPTY_OBJECT : bytes;
    const value = validate ? validBody(sent, validate) : (undefined as Value);
    const parsed = query && parseQuery(queryOf(url), query);
    if (parsed?.outcome === 'invalid') reject(invalid(parsed.issues));
    const ids = {} as Record<NamesOf<Path>, string>;
    for (const { name, parameter, refusal } of names) {
      ids[name as NamesOf<Path>] = parameter.parse(params[name] ?? '') ?? reject(refusal);
    }
    return { ids, body: value, values: (parsed?.values ?? {}) as Values<Query> };
  }

  return {
    parse,
    description: {
      path,
      parameters: [...names.map(({ parameter }) => parameter), ...parameters],
      errors: [
        ...names.map(({ refusal }) => refusal.refused),
        ...(query ? (['validation_failed'] as const) : []),
        ...errors,
      ],
      ...(body && { body: { schema: body.schema, examples: body.examples, use } }),
    },
  };
}
