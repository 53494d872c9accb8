import { encodeArray } from '../arrays.ts';
import type { AnyClient } from '../client.ts';
import { queryText } from '../run-statement.ts';
import { scopeOf } from '../scope/environment-scope.ts';

/** What can be sent: `null`, and `jsonb` as text. Elements of arrays can be null, too. */
type Value = string | number | bigint | boolean | Date | Uint8Array | null;

/** Reads the value of each named parameter from the input. */
export type Parameters<Input> = Readonly<Record<string, (input: Input) => Value | readonly Value[]>>;

interface Definition<Input> {
  /**
   * The whole SQL. A parameter is written `:name`, with its type where PostgreSQL cannot know it. An array always has its
   * type: `:ids::uuid[]`. It is sent in the binary format.
   *
   * Rows of a batch are one array for each column. Write them as
   * `(SELECT unnest((SELECT :ids::uuid[])) AS id, unnest(:names::text[]) AS name) AS row`: PostgreSQL then does not see
   * how many rows there are. If it did, a plan for few would look cheaper than the generic one, and it would plan the
   * statement again for every execution.
   */
  readonly text: string;
  readonly parameters: Parameters<Input>;
  /** The environments that the statement is for; policies hide the rows of others. Left out: those of the client. */
  readonly environments?: (input: Input) => Iterable<string>;
}

/**
 * Executes the statement on a client or in a transaction, and returns its rows.
 * @throws StatementError if PostgreSQL rejects it
 */
type RunStatement<Input, Row> = (client: AnyClient, input: Input) => Promise<Row[]>;

/** A colon and a name, but not the type of a cast; and if it is an array, the type of its elements. */
const PARAMETER = /(?<!:):([a-z]\w*)(?:::(\w+)\[\])?/g;

/**
 * Defines a statement. Its text is compiled once and prepared once on each connection, so it must not depend on the
 * input. Times are returned as `Date`, and `int8` as `bigint`.
 * @throws TypeError if the text has another set of parameters
 */
export function defineStatement<Input, Row>({
  text,
  parameters,
  environments,
}: Definition<Input>): RunStatement<Input, Row> {
  const names: string[] = [];
  const elementTypes = new Map<string, string>();
  const compiled = text.replace(PARAMETER, (_, name: string, elementType?: string) => {
    if (!names.includes(name)) names.push(name);
    if (elementType) elementTypes.set(name, elementType);
    return `$${names.indexOf(name) + 1}${elementType ? `::${elementType}[]` : ''}`;
  });
  const unused = Object.keys(parameters).filter((name) => !names.includes(name));
  if (unused.length > 0) throw new TypeError(`the statement has no parameter ${unused.join(', ')}`);
  const undefinedNames = names.filter((name) => parameters[name] === undefined);
  if (undefinedNames.length > 0) throw new TypeError(`no value for parameter ${undefinedNames.join(', ')}`);
  const scoped = environments ? `${compiled} /* environments: $${names.length + 1} */` : compiled;
  return (client, input) => {
    const values: unknown[] = names.map((name) => {
      const value = parameters[name]?.(input);
      return Array.isArray(value) ? encodeArray(elementTypes.get(name) ?? '', value) : value;
    });
    if (environments) values.push(scopeOf(environments(input)));
    return queryText<Row>(client, scoped, values);
  };
}

/** A text as a constant in SQL. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
