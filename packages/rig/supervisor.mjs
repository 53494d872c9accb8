/**
 * Runs one program as a child and stops it when the parent process ends, even by SIGKILL: that closes the IPC channel,
 * and a closed channel means "stop". So does any message. This is plain JavaScript, so that sources and the build can
 * run it.
 *
 * Argument: JSON of {command, args, cwd?, uid?, gid?, stopSignal, stopTimeoutMs, removeWhenOrphaned}. The program
 * inherits the environment. Messages to the parent: {type: 'started', pid}, {type: 'failed', message},
 * {type: 'exited', code, signal}.
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

/** Sends the message to the parent, if there still is one, and then exits. */
function finish(message) {
  if (process.connected) {
    process.send(message, () => process.exit());
    return;
  }
  for (const directory of removeWhenOrphaned) rmSync(directory, { recursive: true, force: true });
  process.exit();
}

/** Kills the child's process group, and with it everything that the child has started. */
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
