import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cleanup } from '@postrider/local-stack';
import { ROOT } from '@postrider/local-stack/testing';

const execute = promisify(execFile);

/** The packages of a release, installed in an empty project. */
export interface InstalledPackages {
  readonly directory: string;
  /** The size of each package's own files, in bytes. */
  readonly sizes: Readonly<Record<string, number>>;
  /** The environment of its commands: the profiles are in the project, and only the secret of listeners is set. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs the installed command, and returns its output. */
  postrider(args: readonly string[], stdin?: string): Promise<string>;
}

/** The size of the files of a directory. Rejects if it has a link: a package may not lead back to the checkout. */
async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  for (const { name, parentPath } of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const status = await lstat(join(parentPath, name));
    if (status.isSymbolicLink()) throw new Error(`${join(parentPath, name)} is a link`);
    if (status.isFile()) bytes += status.size;
  }
  return bytes;
}

/**
 * Packs the packages as for a release, and installs them with npm in an empty project, which the clean-up removes. Rejects if that
 * gets a package of this checkout which is not published.
 */
export async function installPackages(cleanup: Cleanup): Promise<InstalledPackages> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'postrider-packages-')));
  cleanup.add(() => rm(directory, { recursive: true }));
  const packed = join(directory, 'packed');
  await mkdir(packed);
  await execute(process.execPath, [join(ROOT, 'scripts', 'pack.mjs'), packed]);
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'shop', private: true }));
  const files = (await readdir(packed)).map((name) => `./packed/${name}`);
  await execute('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...files], {
    cwd: directory,
  });
  // The account of PostgreSQL enters it.
  await chmod(directory, 0o755);
  const { PATH, XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const env = { PATH, HOME: directory, XDG_CACHE_HOME, POSTRIDER_LISTEN_SECRET: secret };
  const modules = join(directory, 'node_modules');
  const own = (await readdir(join(modules, '@postrider'))).map((name) => `@postrider/${name}`);
  const names = ['postrider', ...own];
  if (names.length !== files.length) throw new Error(`npm installed ${names.join(', ')}`);
  const sizes = await Promise.all(
    names.map(async (name) => [name, await sizeOf(join(modules, name))] as const),
  );
  return {
    directory,
    sizes: Object.fromEntries(sizes),
    env,
    async postrider(args, stdin) {
      const running = execute(join(modules, '.bin', 'postrider'), args, { cwd: directory, env });
      running.child.stdin?.end(stdin);
      return (await running).stdout;
    },
  };
}
