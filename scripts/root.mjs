import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

/** The root of the checkout. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The signals that ask a process to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The SHA-256 of files, given by their paths in the checkout: of their names and contents, in this order. */
export function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return hash.digest('hex');
}

/** The path of a dependency's program, as a script for Node.js. */
export function dependencyScript(path) {
  return join(ROOT, 'node_modules', path);
}

/**
 * Runs a program, by default in the root of the checkout. Shows its output if it fails, or immediately with `show`. Rejects
 * with CommandFailed if it exits with another code than 0.
 */
export function run(command, args, { env = {}, show = false, cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
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

/** An expected failure. The user sees its message without a stack. */
export class CommandFailed extends Error {}

/** Runs a script's entry, sets the exit code, and prints an error with its cause, without a stack if it was expected. */
export async function main(entry) {
  try {
    process.exitCode = (await entry()) ?? 0;
  } catch (error) {
    process.stderr.write(`${error instanceof CommandFailed ? error.message : inspect(error)}\n`);
    process.exitCode = 1;
  }
}

/** How often we check whether npm is still running. */
const PARENT_CHECK_MS = 500;

/** The process id of npm, which is the parent or, if the shell between them is still there, the parent's parent. */
function findNpm() {
  if (!process.env.npm_lifecycle_event) return null;
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(process.ppid)], { encoding: 'utf8' });
  const [, parentOfParent, name] = stdout?.match(/^\s*(\d+)\s+(.*?)\s*$/) ?? [];
  return /(^|\/)-?(ba|da|a|z|k)?sh$/.test(name) ? Number(parentOfParent) : process.ppid;
}

/** Read immediately: once npm has ended, another process becomes the parent. */
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
 * Ends a script that another process has handed over to (scripts/runtime.mjs) with SIGTERM when that process ends. Does
 * nothing for other scripts.
 */
export function endWithParent() {
  if (!process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

/**
 * Calls back when the npm that runs this script has ended: npm and the shell between them do not pass on every signal.
 * Does nothing for a script that was started directly, which may outlive its shell, or that ends with its parent.
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
