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

/** Installs the dependencies with "npm ci" unless exactly those of package-lock.json are there. */
export async function installDependencies(say) {
  const hash = createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return;
  if (!npmInstalledTheSame()) {
    say('Installing the dependencies (npm ci), once …');
    const args = [
      'ci',
      '--include=dev',
      '--ignore-scripts=false',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    const npm = process.env.npm_execpath;
    const started = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args];
    await run(...started, { env: { NODE_ENV: 'development' } });
  }
  writeFileSync(STAMP, hash);
}
