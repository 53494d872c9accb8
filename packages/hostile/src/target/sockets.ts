import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const CONNECT_TIMEOUT_MS = 5_000;
const POLL_MS = 50;

/** The addresses of an attacker with several machines. */
const ADDRESSES = 4;

/**
 * An address of the attacker; every index has one. On Linux all of 127.0.0.0/8 is this machine. The attacker has its own
 * addresses, so that limits per address only affect the attacker.
 */
export function attackerAddress(index: number): string {
  return process.platform === 'linux' ? `127.0.0.${2 + (index % ADDRESSES)}` : '127.0.0.1';
}

const ATTACKER_ADDRESS = attackerAddress(0);

/** Opens a connection to a URL's port. A refused one is returned destroyed, because a refusal is valid. */
export async function openSocket(url: string): Promise<Socket> {
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    localAddress: ATTACKER_ADDRESS,
    allowHalfOpen: true,
  });
  socket.on('error', () => undefined);
  await Promise.race([
    once(socket, 'connect'),
    once(socket, 'close'),
    wait(CONNECT_TIMEOUT_MS, undefined, { ref: false }),
  ]).catch(() => undefined);
  return socket;
}

/** Opens `count` connections, one after the other, like a single client. */
export async function openSockets(url: string, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) sockets.push(await openSocket(url));
  return sockets;
}

/** Resolves when the peer has closed all of them, or the time is up. Returns how many are open. */
export async function heldOpen(sockets: readonly Socket[], ms: number): Promise<number> {
  const openSockets = () => sockets.filter((socket) => !socket.destroyed).length;
  const end = performance.now() + ms;
  while (openSockets() > 0 && performance.now() < end) await wait(POLL_MS);
  return openSockets();
}

/** Closes all of them, without waiting for the peer. */
export function dropAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

export interface Conversation {
  /** Everything that the peer sent, as Latin-1. */
  readonly text: string;
  /** Whether the peer ended the connection in time. */
  readonly isClosed: boolean;
}

/** Sends the bytes on a new connection and reads until the peer closes it, or the time is up. */
export async function converse(
  url: string,
  bytes: Buffer | string,
  deadlineMs: number,
): Promise<Conversation> {
  const socket = await openSocket(url);
  let text = '';
  let isClosed = socket.destroyed;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const ended = new Promise<void>((resolve) => {
    const done = () => {
      isClosed = true;
      resolve();
    };
    if (isClosed) resolve();
    socket.once('end', done);
    socket.once('close', done);
  });
  if (!isClosed) socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await Promise.race([ended, wait(deadlineMs, undefined, { ref: false })]);
  const conversation = { text, isClosed };
  socket.destroy();
  return conversation;
}
