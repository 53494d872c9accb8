import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** The socket of a connection, which the driver's types do not have. */
export function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** SQLSTATE of a prepared statement whose result columns have changed their type. */
export const STALE_PLAN = '0A000';

/**
 * SQLSTATEs of a prepared statement that the session does not know, or already has: a pooler in transaction mode
 * switches sessions.
 */
export const FOREIGN_SESSION = ['26000', '42P05'];

/** Calls back when PostgreSQL refuses a statement of the connection with one of the SQLSTATEs. */
export function onRefusal(client: ClientBase, sqlStates: readonly string[], callback: () => void): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code !== undefined && sqlStates.includes(code)) callback();
  });
}
