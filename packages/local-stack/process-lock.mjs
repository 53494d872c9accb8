import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The polling interval of a waiting process. */
const RETRY_MS = 200;

/**
 * A name on which only one process of the machine can listen. On Linux and Windows the kernel removes it with the
 * process; elsewhere it is a file, which remains if its holder is killed.
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
 * Takes the lock on (`directory`, `purpose`), or returns null if another process has it. The lock ends with its
 * process, even if that is killed, so there are no stale locks.
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
