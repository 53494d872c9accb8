import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './root.mjs';
import { removeBrokenNodeLink } from './runtime.mjs';

const LOCK_FILE = join(ROOT, 'package-lock.json');
const STAMP = join(ROOT, 'node_modules', '.postrider-lock');

const WORKSPACE = /^(?:apps|packages)\/[^/]+$/;

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

/**
 * Whether a package of the lock file must be installed: all that are not optional, and binaries for this platform.
 * These include the compiler and PostgreSQL, so nothing would start after "npm ci --omit=optional".
 */
function isNeeded({ optional, os = [], cpu = [], libc }) {
  if (!optional) return true;
  return libc === undefined && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
}

/** Whether npm's own record says that it installed what the lock file says, for example with "npm install". */
function npmInstalledTheSame() {
  const record = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readPackages(record);
  return Object.entries(readPackages(LOCK_FILE)).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    // A workspace is a link: a release changes its version, and nothing has to be installed.
    if (found && WORKSPACE.test(path)) return true;
    return found
      ? found.version === wanted.version && found.integrity === wanted.integrity
      : !isNeeded(wanted);
  });
}

/** Whether the dependencies in the workspaces' own folders are there. The stamp says nothing about these. */
function workspacesAreComplete() {
  return Object.entries(readPackages(LOCK_FILE))
    .filter(([path, { optional }]) => /^(apps|packages)\/.*\/node_modules\//.test(path) && !optional)
    .every(([path]) => existsSync(join(ROOT, path)));
}

async function runNpmCi() {
  const options = [
    '--include=dev',
    '--include=optional',
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  await run(command, [...args, 'ci', ...options], { env: { NODE_ENV: 'development' } });
}

/** Installs the dependencies with "npm ci", unless exactly those of package-lock.json are installed. */
export async function installDependencies(say) {
  const hash = createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');
  const isStamped = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;
  const isInstalled = (isStamped || npmInstalledTheSame()) && workspacesAreComplete();
  if (isStamped && isInstalled) return;
  if (!isInstalled) {
    say('Installing the dependencies (npm ci), once …');
    await runNpmCi();
    removeBrokenNodeLink();
  }
  writeFileSync(STAMP, hash);
}
