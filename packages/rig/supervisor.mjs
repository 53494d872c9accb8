/**
 * Runs one program as a child and ends it when the process that asked for it ends, however that happens:
 * the IPC channel closes even when the other side is killed with SIGKILL, and a closed channel means "stop".
 * So does any message. Plain JavaScript, so that it runs the same from source and from the build.
 *
 * Argument: JSON of {command, args, cwd?, uid?, gid?, stopSignal, stopTimeoutMs, removeWhenOrphaned}; the environment
 * is handed on. To the parent: {type: 'started', pid}, {type: 'failed', message}, {type: 'exited', code, signal}.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const spec = JSON.parse(process.argv[2]);
const { command, args, cwd, uid, gid, stopSignal, stopTimeoutMs, removeWhenOrphaned } = spec;

const child = spawn(command, args, {
  cwd,
  uid,
  gid,
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true,
});

/** Tells the parent, if there still is one, and then ends. */
function finish(message) {
  if (process.connected) {
    process.send(message, () => process.exit());
    return;
  }
  for (const directory of removeWhenOrphaned) rmSync(directory, { recursive: true, force: true });
  process.exit();
}

/** The child leads a process group of its own: this reaches what it has started, too. */
function killGroup() {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  child.kill(stopSignal);
  setTimeout(killGroup, stopTimeoutMs);
}

child.once('error', (error) => finish({ type: 'failed', message: error.message }));
child.once('spawn', () => process.connected && process.send({ type: 'started', pid: child.pid }));
child.once('exit', (code, signal) => {
  killGroup();
  finish({ type: 'exited', code, signal });
});
process.on('error', stop);
process.on('disconnect', stop);
process.on('message', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
if (!process.connected) stop();
