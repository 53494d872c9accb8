import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { ClientBase, Pool, PoolClient } from 'pg';

/** The socket of a connection, which the driver's types do not have. */
export function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** An idle connection that is older than this is tried before it is used. */
const TRUSTED_IDLE_MS = 1_000;
/** How long such a connection may take to answer; much longer than a round trip, and shorter than any caller waits. */
const TRIAL_LIMIT_MS = 1_000;

export interface SilenceLimits {
  /** How long a connection in use may neither send nor receive, in milliseconds. Longer than any statement may take. */
  readonly inUseMs: number;
  /** How long an idle connection is trusted without a trial, in milliseconds. */
  readonly trustedIdleMs?: number | undefined;
}

/**
 * Replaces connections of the pool that stopped responding, whatever TCP reports. Returns a function that must be called
 * with each new connection.
 *
 * A connection in use that is silent for `inUseMs` is closed. The idle connections lead to the same server and are closed
 * with it: otherwise the next statement on each of them would wait as long. A connection that was idle for
 * `trustedIdleMs` must first answer an empty statement, so that connections which broke in a quiet period delay the next
 * statement by a second and fail none.
 */
export function watchSilence(
  pool: Pool,
  { inUseMs, trustedIdleMs = TRUSTED_IDLE_MS }: SilenceLimits,
): (client: ClientBase) => void {
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

  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  pool.connect = (async () => {
    for (;;) {
      const client = await connect();
      const since = idleSince.get(client);
      idleSince.delete(client);
      if (!isDoubtful(since) || (await answers(client))) return client;
    }
  }) as Pool['connect'];

  return (client) => {
    const stream = streamOf(client);
    // `setTimeout(ms, callback)` would call back only once, so the first quiet period would end the watch.
    stream.setTimeout(inUseMs);
    stream.on('timeout', () => {
      if (idleSince.has(client)) return;
      for (const silent of [client, ...idleSince.keys()]) end(silent);
    });
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
