import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Every package that schemathesis needs, by version and hash. */
const REQUIREMENTS = fileURLToPath(new URL('../../requirements.txt', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** schemathesis 4 needs 3.11. */
const MIN_PYTHON = [3, 11] as const;
const IS_NEW_ENOUGH = `import sys, venv; sys.exit(sys.version_info < (${MIN_PYTHON.join(', ')}))`;
const COMMANDS = ['python3', 'python3.13', 'python3.12', 'python3.11'];
const INSTALL_TIMEOUT_MS = 600_000;

/** What needs Python cannot run on this machine. It is skipped, which is not a failure. */
export class CannotRun extends Error {}

/** The command of the first Python that is new enough. Rejects with {@link CannotRun} if there is none. */
export async function findPython(): Promise<string> {
  for (const command of COMMANDS) {
    const isFit = await run(command, ['-c', IS_NEW_ENOUGH]).then(
      () => true,
      () => false,
    );
    if (isFit) return command;
  }
  throw new CannotRun(`there is no Python ${MIN_PYTHON.join('.')} or newer with venv on the PATH`);
}

/** Installs requirements with hashes into an environment of their own. Rejects if that fails. */
async function install(python: string, directory: string, requirements: string): Promise<void> {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes'];
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const options = { timeout: INSTALL_TIMEOUT_MS };
  await run(python, ['-m', 'venv', directory], options);
  await run(join(directory, 'bin', 'python'), [...pip, '--requirement', requirements], options);
}

/**
 * Installs what a requirements file names into an environment below node_modules, once for each content of the file, and
 * returns the folder of its programs. Throws {@link CannotRun} where that is not possible.
 */
export async function findEnvironment(name: string, requirements: string): Promise<string> {
  const python = await findPython();
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const directory = join(ROOT, 'node_modules', '.cache', 'postrider', name);
  const stamp = join(directory, '.installed');
  const isInstalled = existsSync(stamp) && (await readFile(stamp, 'utf8')) === hash;
  if (!isInstalled) {
    await install(python, directory, requirements).catch((error: Error) => {
      throw new CannotRun(`the requirements of ${name} cannot be installed: ${error.message}`);
    });
    await writeFile(stamp, hash);
  }
  return join(directory, 'bin');
}

/** Installs schemathesis as {@link findEnvironment} does, and returns the path of its program. */
export async function findSchemathesis(): Promise<string> {
  return join(await findEnvironment('schemathesis', REQUIREMENTS), 'schemathesis');
}
