import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './root.mjs';

const LOCK_FILE = join(ROOT, 'package-lock.json');
const STAMP = join(ROOT, 'node_modules', '.postrider-lock');

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

/** Whether npm itself has recorded, for example after "npm install", that it installed what the lock file says. */
function npmInstalledTheSame() {
  const record = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readPackages(record);
  return Object.entries(readPackages(LOCK_FILE)).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === wanted.version && found.integrity === wanted.integrity : wanted.optional;
  });
}

/** Whether the dependencies that npm puts into a workspace's own folder are there; the stamp does not lie beside them. */
function workspacesAreComplete() {
  return Object.entries(readPackages(LOCK_FILE))
    .filter(([path, { optional }]) => /^(apps|packages)\/.*\/node_modules\//.test(path) && !optional)
    .every(([path]) => existsSync(join(ROOT, path)));
}

async function runNpmCi() {
  const options = ['--include=dev', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  await run(command, [...args, 'ci', ...options], { env: { NODE_ENV: 'development' } });
}

/** Installs the dependencies with "npm ci" unless exactly those of package-lock.json are there. */
export async function installDependencies(say) {
  const hash = createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');
  const isStamped = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;
  const isInstalled = (isStamped || npmInstalledTheSame()) && workspacesAreComplete();
  if (isStamped && isInstalled) return;
  if (!isInstalled) {
    say('Installing the dependencies (npm ci), once …');
    await runNpmCi();
  }
  writeFileSync(STAMP, hash);
}
