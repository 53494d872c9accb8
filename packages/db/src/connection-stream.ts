import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** The socket under a connection, which the driver's types do not show. */
export function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
