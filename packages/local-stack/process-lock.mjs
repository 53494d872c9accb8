import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How often a waiting process looks whether the lock is free. */
const RETRY_MS = 200;

/**
 * A name that only one process of the machine can listen on. On Linux and Windows the kernel forgets it with the
 * process; elsewhere it is a file, which a killed holder leaves behind.
 */
function socketName(directory, purpose) {
  const key = createHash('sha256')
    .update(`${realpathSync(directory)}\0${purpose}`)
    .digest('hex')
    .slice(0, 24);
  if (process.platform === 'linux') return `\0postrider-${key}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\postrider-${key}`;
  return join(tmpdir(), `postrider-${key}.sock`);
}

function listen(name) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Whether nobody listens on a name that is taken: only a socket file can be in that state. */
function isLeftBehind(name) {
  return new Promise((resolve) => {
    const socket = connect(name);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error) => resolve(error.code === 'ECONNREFUSED'));
  });
}

/**
 * Takes the lock on (`directory`, `purpose`), or returns null when another process has it. It ends with the process
 * that took it, however that ends, so there is never a stale one to remove.
 */
export async function tryLock(directory, purpose) {
  const name = socketName(directory, purpose);
  let server = await listen(name);
  if (server === null && !name.startsWith('\0') && (await isLeftBehind(name))) {
    rmSync(name, { force: true });
    server = await listen(name);
  }
  return server && { release: () => new Promise((done) => server.close(done)) };
}

/** Takes the lock, waiting for it as long as needed; `onWait` is called once when there is a wait. */
export async function lock(directory, purpose, onWait = () => undefined) {
  for (let first = true; ; first = false) {
    const held = await tryLock(directory, purpose);
    if (held) return held;
    if (first) onWait();
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}
