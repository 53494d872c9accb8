import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the checkout, wherever it is called from. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The signals that ask a process to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The path of a program that a dependency brings, as a script for Node.js. */
export function dependencyScript(path) {
  return join(ROOT, 'node_modules', path);
}

/**
 * Runs a program from the top of the checkout. Its output is shown only when it fails, or at once with `show`.
 * Throws when it fails.
 */
export function run(command, args, { env = {}, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const stop = () => child.kill();
    process.once('exit', stop);
    child.once('close', () => process.off('exit', stop));
    let output = '';
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new CommandFailed(`"${command} ${args.join(' ')}" failed (${code}).\n${output.trim()}`));
    });
  });
}

/** An expected failure: its message is for the user, its stack is not. */
export class CommandFailed extends Error {}

/** Runs an entry and shows what went wrong, without a stack where the message says all. */
export async function main(entry) {
  try {
    process.exitCode = (await entry()) ?? 0;
  } catch (error) {
    process.stderr.write(`${error instanceof CommandFailed ? error.message : (error?.stack ?? error)}\n`);
    process.exitCode = 1;
  }
}

/** How often it is looked whether npm is still there. */
const PARENT_CHECK_MS = 500;

/** The id of npm's process: npm is the parent, or the parent of the shell between that did not make room for this process. */
function findNpm() {
  if (!process.env.npm_lifecycle_event) return null;
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(process.ppid)], { encoding: 'utf8' });
  const [, parentOfParent, name] = stdout?.match(/^\s*(\d+)\s+(.*?)\s*$/) ?? [];
  return /(^|\/)-?(ba|da|a|z|k)?sh$/.test(name) ? Number(parentOfParent) : process.ppid;
}

/** Looked up at once: when npm is gone already, its place as a parent is taken by another process. */
const NPM = findNpm();

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Lets a script that another process has handed over to (scripts/runtime.mjs) end with that process: its loss is a
 * SIGTERM. Does nothing for other scripts.
 */
export function endWithParent() {
  if (!process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

/**
 * Calls back when npm, which runs this script, is gone: npm and the shell between do not hand every signal on.
 * Does nothing for a script that was started directly, which may outlive its shell, and for one that ends with its parent.
 */
export function onParentLoss(callback) {
  if (NPM === null || process.connected) return;
  const timer = setInterval(() => {
    if (isAlive(NPM)) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  timer.unref();
}
