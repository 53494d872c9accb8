import { AsyncLocalStorage } from 'node:async_hooks';
import { type Pool, type PoolClient, Query, type QueryConfig } from 'pg';
import { DatabaseClient } from '../database-client.ts';
import { throwIfUnwanted } from '../pool.ts';

/** The scope of work across all environments. */
export const ALL_ENVIRONMENTS = 'all';

/** The scope of some environments, as a value of the setting `postrider.environments`. */
export function scopeOf(environmentIds: Iterable<string>): string {
  return `{${[...new Set(environmentIds)].join(',')}}`;
}

/** What a {@link ScopedClient} sends: a statement with the scope of its own, if it has one. The driver ignores the field. */
export interface ScopedStatement extends QueryConfig {
  readonly scope: string | undefined;
}

const current = new AsyncLocalStorage<string>();

/** Runs `work`, in which statements of `withinEnvironment` only see rows of this environment. */
export function inEnvironment<Result>(environmentId: string, work: () => Result): Result {
  return current.run(scopeOf([environmentId]), work);
}

/** The scope of the current {@link inEnvironment}; outside of it that of no environment. */
export const currentScope = (): string => current.getStore() ?? scopeOf([]);

const SET_SCOPE = "SELECT set_config('postrider.environments', $1, true)";
/** Prepared on each connection, so that a scope costs no planning. */
const SET_SCOPE_NAME = 'postrider_scope';

/**
 * Whether policies apply to the role: a table's policies apply to everybody but its owner. `row_security_active`
 * would return false before there are policies, and a connection from before a migration would continue without
 * scopes and find nothing. Every migrated installation has the table `messages`.
 */
const IS_RESTRICTED_QUERY = `
  SELECT NOT (rolsuper OR rolbypassrls)
         AND COALESCE(relforcerowsecurity OR NOT pg_has_role(relowner, 'USAGE'), true) AS restricted
    FROM pg_roles LEFT JOIN pg_class ON pg_class.oid = to_regclass('messages')
   WHERE rolname = current_user`;

/** Starts or ends a transaction or a part of one. It reads no row, and no other statement may precede it. */
const CONTROL = /^(BEGIN|SET TRANSACTION|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

/** The interface that the driver's query sends with. The driver's types do not have it. */
interface Wire {
  parse(message: { name: string; text: string }): void;
  bind(message: { portal: string; statement: string; values: string[] }): void;
  execute(message: { portal: string; rows: number }): void;
}

/** Methods of the driver's query that the driver calls. Its types do not have them. */
const base = Query.prototype as unknown as {
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
};

/**
 * A statement preceded by its scope, in one message. Postgres executes both in one transaction (PostgreSQL
 * documentation, section "Message Flow", "Pipelining"). So the scope is set before the statement begins, costs no round
 * trip, and ends with the statement. It works through PgBouncer in transaction mode for the same reason.
 */
class ScopedQuery extends Query {
  readonly #scope: string;
  #isScopeSet = false;

  constructor(config: QueryConfig, scope: string, callback: (error: Error | null, result: unknown) => void) {
    super(config as never, undefined as never, callback as never);
    this.#scope = scope;
  }

  requiresPreparation(): boolean {
    return true;
  }

  prepare(wire: Wire): void {
    const isNamed = Boolean((this as unknown as { name?: string }).name);
    if (!isNamed) wire.parse({ name: '', text: SET_SCOPE });
    wire.bind({ portal: '', statement: isNamed ? SET_SCOPE_NAME : '', values: [this.#scope] });
    wire.execute({ portal: '', rows: 0 });
    base.prepare.call(this, wire);
  }

  handleDataRow(message: unknown): void {
    if (this.#isScopeSet) base.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isScopeSet) base.handleCommandComplete.call(this, message, wire);
    this.#isScopeSet = true;
  }
}

/**
 * A connection that sends each statement with its scope: the statement's own, otherwise that of the pool's user. If the user
 * is bound to its scope, the statement's own does not count. A statement without a scope is sent unchanged: it sees no rows of
 * environments, unless a transaction has set its scope. One that nobody waits for any more is not sent.
 */
export class ScopedClient extends DatabaseClient {
  /** The scope of the connection's current user. */
  scope: string | null = null;
  isBound = false;
  /** Whether policies apply to the connection's role; true until it is known. */
  isRestricted = true;

  // biome-ignore lint/suspicious/noExplicitAny: the driver has a dozen forms of this method, of which one is replaced
  override query(config: any, ...rest: any[]): any {
    if (
      typeof config?.text !== 'string' ||
      typeof config.submit === 'function' ||
      rest.some((value) => value !== undefined)
    ) {
      return super.query(config, ...(rest as []));
    }
    const statement = config as ScopedStatement;
    const scope = this.isBound ? this.scope : (statement.scope ?? this.scope);
    const isControl = CONTROL.test(statement.text);
    if (!isControl) throwIfUnwanted();
    if (scope === null || !this.isRestricted || isControl) return super.query(statement);
    return new Promise((resolve, reject) => {
      const scoped = new ScopedQuery(statement, scope, (error, result) =>
        error ? reject(error) : resolve(result),
      );
      super.query(scoped as never);
    });
  }

  /**
   * Finds out whether policies apply to the role of the connection, and prepares the statement that sets scopes. A
   * pooler keeps no prepared statements.
   */
  async prepareScopes({ isPooled }: { isPooled: boolean }): Promise<boolean> {
    const { rows } = await super.query<{ restricted: boolean }>(IS_RESTRICTED_QUERY);
    this.isRestricted = rows[0]?.restricted ?? true;
    if (this.isRestricted && !isPooled)
      await super.query({ name: SET_SCOPE_NAME, text: SET_SCOPE, values: [''] });
    return this.isRestricted;
  }
}

/**
 * The same pool, whose connections have a scope while they are in use.
 * @param isBound whether statements cannot name another scope
 */
export function takeInScope(pool: Pool, scopeOfUser: () => string, isBound: boolean): Pool {
  const scoped: Pool = Object.create(pool);
  scoped.connect = (async () => {
    const scope = scopeOfUser();
    const client = (await pool.connect()) as PoolClient & ScopedClient;
    const { release } = client;
    client.scope = scope;
    client.isBound = isBound;
    client.release = (error) => {
      client.scope = null;
      client.isBound = false;
      release.call(client, error);
    };
    return client;
  }) as Pool['connect'];
  return scoped;
}
