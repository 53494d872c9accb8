import { randomUUID } from 'node:crypto';

/** An operation of the OpenAPI document. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content?: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, { name: string; in: string }>> };
}

/**
 * What an operation's parameters are given, by their names or `operation.name`; each query parameter is also tried alone, with
 * each of its values.
 */
export interface Values {
  readonly path: Readonly<Record<string, () => Promise<string> | string>>;
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Instead of the example of an operation. Each of several for one operation has a name such as `createErasure by id`. */
  readonly bodies: Readonly<Record<string, unknown>>;
  readonly adminToken: string;
  readonly token: string;
}

/** One request that was sent. */
export interface Call {
  readonly name: string;
  readonly status: number;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Without their query they are refused. */
const REQUIRED = ['findByText'];
/** They end when the client goes. */
const isStream = ({ path }: Operation) => path.endsWith('/stream');
const STREAM_MS = 3_000;
const DEADLINE_MS = 60_000;

/** What is created first, so that reads find it, and removals last. */
const orderOf = ({ method }: Operation) => ['put', 'post', 'patch', 'get', 'delete'].indexOf(method);

function operationsOf({ paths, components }: Document): Operation[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        ...operation,
        method,
        path,
        parameters: (operation.parameters ?? []).map((parameter) => {
          const name = parameter.$ref?.split('/').at(-1);
          return name === undefined ? parameter : { ...parameter, ...components.parameters?.[name] };
        }) as NonNullable<Operation['parameters']>,
      })),
  );
  return operations.sort((one, other) => orderOf(one) - orderOf(other));
}

async function pathOf({ path, operationId }: Operation, values: Values): Promise<string> {
  let filled = path;
  for (const [whole, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value = values.path[`${operationId}.${name}`] ?? values.path[name];
    if (!value) throw new Error(`${operationId} has the parameter ${name}, which the suite gives no value`);
    filled = filled.replace(whole, encodeURIComponent(await value()));
  }
  return filled;
}

/** The bodies of an operation with their names; that of an operation without a body is undefined. */
function bodiesOf(
  { requestBody, operationId }: Operation,
  { bodies }: Values,
): (readonly [string, unknown])[] {
  const given = Object.entries(bodies).filter(([name]) => name.split(' ')[0] === operationId);
  if (given.length > 0) return given;
  const [content] = Object.values(requestBody?.content ?? {});
  const [example] = Object.values(content?.examples ?? {});
  return [[operationId, example?.value]];
}

/** The query strings of an operation: none, and each value of each of its parameters. */
function queriesOf({ parameters = [], operationId }: Operation, { query }: Values): string[] {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const required = REQUIRED.includes(operationId);
  return [
    ...(required ? [] : ['']),
    ...names.flatMap((name) => {
      const values = query[`${operationId}.${name}`] ?? query[name];
      if (!values)
        throw new Error(`${operationId} has the query parameter ${name}, which the suite gives no value`);
      return values.map((value) => `?${name}=${encodeURIComponent(value)}`);
    }),
  ];
}

async function send(url: string, operation: Operation, body: unknown, values: Values): Promise<number> {
  const isAdmin = operation.path.startsWith('/admin/');
  const response = await fetch(url, {
    method: operation.method.toUpperCase(),
    headers: {
      authorization: `Bearer ${isAdmin ? values.adminToken : values.token}`,
      'idempotency-key': randomUUID(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(isStream(operation) ? STREAM_MS : DEADLINE_MS),
  });
  // A stream is read until the time is over.
  await response.arrayBuffer().catch(() => undefined);
  return response.status;
}

/**
 * Calls every operation of the document that the API at `apiUrl` serves, one after the other, so that none is forgotten when
 * it is new. `began` is called before each call. Throws if an operation needs a value that `values` does not have.
 */
export async function callEveryOperation(
  apiUrl: string,
  values: Values,
  began: (name: string) => void,
): Promise<Call[]> {
  const document = (await (await fetch(`${apiUrl}/openapi.json`)).json()) as Document;
  const calls: Call[] = [];
  for (const operation of operationsOf(document)) {
    for (const query of queriesOf(operation, values)) {
      for (const [named, body] of bodiesOf(operation, values)) {
        const name = `${named}${query}`;
        const url = `${apiUrl}${await pathOf(operation, values)}${query}`;
        began(name);
        calls.push({ name, status: await send(url, operation, body, values) });
      }
    }
  }
  return calls;
}
