import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { ClientBase, Pool } from 'pg';

/** The socket of a connection, which the driver's types do not have. */
export function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/**
 * Returns a function that watches a new connection of the pool. A connection in use that neither sends nor receives anything for
 * `limitMs` is closed, whatever TCP reports. The idle connections lead to the same server and are closed with it: otherwise the next
 * statement on each of them would wait as long.
 */
export function watchSilence(pool: Pool, limitMs: number): (client: ClientBase) => void {
  const idle = new Set<ClientBase>();
  pool.on('release', (_error, client) => idle.add(client));
  for (const event of ['acquire', 'remove'] as const) pool.on(event, (client) => idle.delete(client));
  const end = (client: ClientBase) =>
    streamOf(client).destroy(
      Object.assign(new Error('PostgreSQL stopped responding'), { code: 'ETIMEDOUT' }),
    );
  return (client) =>
    streamOf(client).setTimeout(limitMs, () => {
      if (!idle.has(client)) for (const silent of [client, ...idle]) end(silent);
    });
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
