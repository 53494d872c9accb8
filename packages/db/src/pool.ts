import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { createFairSemaphore, type FairSemaphore, type Permit } from '@postrider/fairness';
import { type ClientBase, DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg';

/**
 * What a connection of a process is used for. `work`: what the process is for, acceptance or delivery. `read`: other
 * requests of tenants. `operate`: requests of operators, and figures of the process. `sweep`: sweeps that delivery depends on.
 * `housekeep`: the other sweeps.
 */
export type Share = 'work' | 'read' | 'operate' | 'sweep' | 'housekeep';

interface ShareBounds {
  readonly connections: number;
  /** The most connections of one owner, such as a tenant; all of the share when left out. */
  readonly perOwner?: number;
}

/** The shares of a pool. Their connections together are the pool. */
export type PoolShares = Partial<Readonly<Record<Share, ShareBounds>>>;

/** The owner of statements for several tenants. Only the share limits it. */
export const EVERYONE = '';

interface Use {
  readonly share: Share;
  owner: string;
  /** Whether the owner is known, see {@link chargeTo}. */
  isCharged: boolean;
  readonly signal: (() => AbortSignal) | undefined;
}

const uses = new AsyncLocalStorage<Use>();

/**
 * The statements of `work`, also the later ones that it causes, get their connections from this share.
 * Outside of transactions, look up rows by `findFirst`: Prisma joins calls of `findUnique` that are made at once into one
 * statement, which would run in the share and with the signal of the first.
 * @param signal once it has aborted, none of these statements begins: they throw its reason. It is called when there is
 * a statement. Work that others share must run in an {@link inShare} of its own.
 */
export function inShare<Result>(
  share: Share,
  work: () => Result,
  owner: string = EVERYONE,
  signal?: () => AbortSignal,
): Result {
  return uses.run({ share, owner, isCharged: false, signal }, () => {
    const result = work();
    // A query of Prisma begins when somebody waits for it, which must not be after the share.
    return isThenable(result) ? (Promise.resolve(result) as Result) : result;
  });
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value;

/** @throws the reason of the signal of the current {@link inShare} if it has aborted */
export function throwIfUnwanted(): void {
  uses.getStore()?.signal?.().throwIfAborted();
}

/** A function whose statements are those of {@link inShare}. */
export function withShare<Args extends unknown[], Result>(
  share: Share,
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => inShare(share, () => work(...args));
}

/** Charges the further statements of the current {@link inShare} to this owner. */
export function chargeTo(owner: string): void {
  const use = uses.getStore();
  if (!use) return;
  use.owner = owner;
  use.isCharged = true;
}

/** No connection of the share became free in time. It counts as unreachable, see `isDatabaseUnreachable`. */
class ShareSpentError extends Error {
  readonly code = 'POSTRIDER_OVERLOADED';
  /** Whether reads of the owner were using all connections that it may have. */
  readonly byOwner: boolean;

  constructor(share: string, byOwner: boolean) {
    super(`all connections for "${share}" are in use`);
    this.byOwner = byOwner;
  }
}

/**
 * Whether a read failed because its owner's other reads use all connections that it may have. Other work never fails with
 * this: if it waits that long, PostgreSQL rather than its owner is the reason.
 */
export const isSpentByOwner = (error: unknown): boolean => error instanceof ShareSpentError && error.byOwner;

/** As long as the wait for a connection itself. Both together must be shorter than `TRANSACTION_LIMITS.maxWait`. */
const WAIT_MS = 5_000;
const QUEUE = { maxWaiting: 1_024, maxWaitingPerOwner: 256 };

function semaphoresOf(shares: PoolShares): ReadonlyMap<string, FairSemaphore> {
  return new Map(
    Object.entries(shares).map(([share, { connections, perOwner = connections }]) => [
      share,
      createFairSemaphore({
        total: connections,
        perOwner: (owner) => (owner === EVERYONE ? connections : perOwner),
        waitMs: WAIT_MS,
        ...QUEUE,
      }),
    ]),
  );
}

export const connectionsOf = (shares: PoolShares): number =>
  Object.values(shares).reduce((sum, { connections }) => sum + connections, 0);

/** The socket of a connection, which the driver's types do not have. */
export function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** An idle connection that is older than this is tried before it is used. */
const TRUSTED_IDLE_MS = 1_000;
/** How long such a connection may take to answer; much longer than a round trip, and shorter than any caller waits. */
const TRIAL_LIMIT_MS = 1_000;

interface SilenceLimits {
  /** How long a connection in use may neither send nor receive, in milliseconds. Longer than any statement may take. */
  readonly inUseMs: number;
  /** How long an idle connection is trusted without a trial, in milliseconds. */
  readonly trustedIdleMs?: number | undefined;
}

interface Silence {
  /** Watches a new connection. */
  readonly watch: (client: ClientBase) => void;
  /** Takes a connection from the idle ones. False if it does not answer and was closed. */
  readonly take: (client: PoolClient) => true | Promise<boolean>;
}

/**
 * Finds connections of the pool that stopped responding, whatever TCP reports.
 *
 * A connection in use that is silent for `inUseMs` is closed. The idle connections lead to the same server and are closed
 * with it: otherwise the next statement on each of them would wait as long. A connection that was idle for
 * `trustedIdleMs` must first answer an empty statement, so that connections which broke in a quiet period delay the next
 * statement by a second and fail none.
 */
function watchSilence(pool: Pool, { inUseMs, trustedIdleMs = TRUSTED_IDLE_MS }: SilenceLimits): Silence {
  const idleSince = new Map<ClientBase, number>();
  pool.on('release', (_error, client) => idleSince.set(client, performance.now()));
  pool.on('remove', (client) => idleSince.delete(client));
  const isDoubtful = (since: number | undefined) =>
    since !== undefined && performance.now() - since >= trustedIdleMs;
  const end = (client: ClientBase) =>
    streamOf(client).destroy(
      Object.assign(new Error('PostgreSQL stopped responding'), { code: 'ETIMEDOUT' }),
    );

  /** Whether the connection answers. If not, it is closed with all others that have been idle for as long. */
  async function answers(client: PoolClient): Promise<boolean> {
    let answered = false;
    const giveUp = () => {
      for (const [other, since] of idleSince) if (isDoubtful(since)) end(other);
      end(client);
    };
    // An answer may have arrived while this process was busy: it is read before `setImmediate` calls back.
    const timer = setTimeout(() => setImmediate(() => answered || giveUp()), TRIAL_LIMIT_MS);
    try {
      await client.query('');
      answered = true;
      return true;
    } catch (error) {
      client.release(error as Error);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    watch(client) {
      const stream = streamOf(client);
      // `setTimeout(ms, callback)` would call back only once, so the first quiet period would end the watch.
      stream.setTimeout(inUseMs);
      stream.on('timeout', () => {
        if (idleSince.has(client)) return;
        for (const silent of [client, ...idleSince.keys()]) end(silent);
      });
    },
    take(client) {
      const since = idleSince.get(client);
      idleSince.delete(client);
      return isDoubtful(since) ? answers(client) : true;
    },
  };
}

/**
 * Makes the pool's `end` wait at most `limitMs` for connections in use. Once a pool is closed, no caller waits for their statements,
 * and a dead connection would delay the exit of the process.
 */
export function boundEnd(pool: Pool, limitMs: number): void {
  const connected = new Set<ClientBase>();
  pool.on('connect', (client) => connected.add(client));
  pool.on('remove', (client) => connected.delete(client));
  const end = pool.end.bind(pool) as () => Promise<void>;
  pool.end = (async () => {
    const giveUp = () => {
      for (const client of connected) streamOf(client).destroy();
    };
    const timer = setTimeout(giveUp, limitMs);
    await end().finally(() => clearTimeout(timer));
  }) as Pool['end'];
}

/** SQLSTATE of a prepared statement whose result columns have changed their type. */
export const STALE_PLAN = '0A000';

/**
 * SQLSTATEs of a prepared statement that the session does not know, or already has: a pooler in transaction mode
 * switches sessions.
 */
export const FOREIGN_SESSION = ['26000', '42P05'];

/** Calls `callback` when PostgreSQL rejects a statement of the connection with one of the SQLSTATEs. */
export function onRefusal(client: ClientBase, sqlStates: readonly string[], callback: () => void): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code !== undefined && sqlStates.includes(code)) callback();
  });
}

/**
 * SQLSTATE classes and codes after which the connection is still usable: data (22), constraints (23), conflicts (40) and
 * a lock timeout (55P03). The severity says nothing: PostgreSQL translates it, and the driver drops the untranslated one.
 */
const STATEMENT_ERROR = /^(22|23|40|55P03)/;

const keepsConnection = (error: unknown) =>
  error instanceof DatabaseError && STATEMENT_ERROR.test(error.code ?? '');

interface PoolOptions extends SilenceLimits {
  /** Without shares a statement only waits for a connection. */
  readonly shares?: PoolShares | undefined;
}

/**
 * Replaces `connect` and `query` of a pool, also for pools that are created from it.
 *
 * It gives connections by share: in a share owners take turns, and none waits for another share. A statement outside of
 * {@link inShare} fails, and one whose signal aborts leaves the line. It gives no connection that stopped responding, see
 * {@link watchSilence}. It keeps a connection after PostgreSQL rejected a statement: the driver's own `query` closes it after any
 * error, so each rejection, such as an exhausted quota, would discard a session with its prepared statements.
 * @returns what must be called with each new connection, and how many statements wait for their share
 */
export function guardPool(
  pool: Pool,
  { shares, ...limits }: PoolOptions,
): Pick<Silence, 'watch'> & { readonly waiting: () => number } {
  const semaphores = shares ? semaphoresOf(shares) : null;
  const { watch, take } = watchSilence(pool, limits);
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;

  pool.connect = (async () => {
    let permit: Permit | null = null;
    if (semaphores) {
      const { share, owner, isCharged = false, signal } = uses.getStore() ?? {};
      const semaphore = semaphores.get(share ?? '');
      if (!semaphore || owner === undefined) {
        throw new Error(`a statement has no share of this pool (${share ?? 'none'}): run it within inShare`);
      }
      permit = await semaphore.acquire({ owner }, signal?.());
      if (!permit) {
        throwIfUnwanted();
        const byOwner = share === 'read' && isCharged && semaphore.isShareSpent({ owner });
        throw new ShareSpentError(`${share}`, byOwner);
      }
    }
    try {
      for (;;) {
        const client = await connect();
        const isSound = take(client);
        if (isSound !== true && !(await isSound)) continue;
        const { release } = client;
        client.release = (error) => {
          release.call(client, error);
          permit?.release();
        };
        return client;
      }
    } catch (error) {
      permit?.release();
      // PostgreSQL refused a session, and may have said so in another language.
      if (error instanceof DatabaseError) error.severity = 'FATAL';
      throw error;
    }
  }) as Pool['connect'];

  pool.query = async function (this: Pool, config: QueryConfig, values?: unknown[]) {
    const client = await this.connect();
    let isSent = false;
    try {
      throwIfUnwanted();
      isSent = true;
      const result = await client.query(config, values);
      client.release();
      return result;
    } catch (error) {
      client.release(!isSent || keepsConnection(error) ? undefined : (error as Error));
      throw error;
    }
  } as Pool['query'];

  return {
    watch,
    waiting: () => [...(semaphores?.values() ?? [])].reduce((sum, semaphore) => sum + semaphore.waiting(), 0),
  };
}
