import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Binary {
  readonly command: string;
  /** Directories with the downloaded shared libraries; empty for an installed program. */
  readonly libraryPath: readonly string[];
}

/** A program of a Debian package: `command` is its path in the package. */
interface DebianProgram {
  readonly packageName: string;
  readonly command: string;
}

/** A Debian package without a program that can be run on its own. `marker` is the path of a file in it. */
export interface DebianPackage {
  readonly packageName: string;
  readonly marker: string;
}

type Unpacked = { outcome: 'unpacked'; root: string } | { outcome: 'impossible'; reason: string };
type Fetched = { outcome: 'fetched'; binary: Binary } | { outcome: 'impossible'; reason: string };

/** Limits how long a stalled mirror delays the start. */
const DOWNLOAD_LIMIT_MS = 120_000;

/**
 * Settings that let any account use apt without touching the system's state: its own cache, no system lock, and no
 * change to apt's download account, which could not write there.
 */
function privateApt(work: string): string[] {
  const settings = [
    `Dir::Cache=${work}/cache`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Dpkg::Use-Pty=0',
  ];
  return settings.flatMap((setting) => ['-o', setting]);
}

async function downloadPackages(work: string, packageName: string): Promise<void> {
  const options = { timeout: DOWNLOAD_LIMIT_MS, env: { ...process.env, LC_ALL: 'C' } };
  const wanted = ['install', '--download-only', '--yes', '--no-install-recommends', packageName];
  await mkdir(join(work, 'cache', 'archives', 'partial'), { recursive: true });
  try {
    await run('apt-get', [...privateApt(work), ...wanted], options);
  } catch {
    const ownLists = [...privateApt(work), '-o', `Dir::State::lists=${work}/lists`];
    await mkdir(join(work, 'lists', 'partial'), { recursive: true });
    await run('apt-get', [...ownLists, 'update'], options);
    await run('apt-get', [...ownLists, ...wanted], options);
  }
}

async function unpack(work: string): Promise<void> {
  const archives = join(work, 'cache', 'archives');
  for (const file of await readdir(archives)) {
    if (file.endsWith('.deb') && !file.startsWith('libc6_')) {
      await run('dpkg-deb', ['-x', join(archives, file), join(work, 'root')]);
    }
  }
}

/** The directories with the shared libraries of unpacked packages. */
export async function libraryDirectories(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const entries = await readdir(join(root, base), { withFileTypes: true }).catch(() => []);
    if (entries.length === 0) continue;
    found.push(join(root, base));
    for (const entry of entries) if (entry.isDirectory()) found.push(join(root, base, entry.name));
  }
  return found;
}

/** The program unpacked at `root`; null if it does not run. */
async function unpacked(root: string, command: string): Promise<Binary | null> {
  const binary = { command: join(root, command), libraryPath: await libraryDirectories(root) };
  const env = { ...process.env, LD_LIBRARY_PATH: binary.libraryPath.join(':') };
  return run(binary.command, ['--version'], { env }).then(
    () => binary,
    () => null,
  );
}

/**
 * Downloads a package with its dependencies and unpacks it as `root` below `cacheDirectory`, unless `isComplete` says that
 * it is there. Replaces an incomplete one. Works for root and for a normal user. Several processes can do this at
 * once: each works in its own directory, and the first to finish renames it to `root`.
 */
async function fetchPackages(
  packageName: string,
  cacheDirectory: string,
  isComplete: (root: string) => Promise<boolean>,
): Promise<Unpacked> {
  const root = join(cacheDirectory, 'root');
  if (await isComplete(root)) return { outcome: 'unpacked', root };
  try {
    await run('apt-get', ['--version']);
  } catch {
    return { outcome: 'impossible', reason: 'this is not a Debian or Ubuntu: there is no apt-get' };
  }
  await mkdir(cacheDirectory, { recursive: true });
  const work = await mkdtemp(join(cacheDirectory, 'fetch-'));
  try {
    await downloadPackages(work, packageName);
    await unpack(work);
    const isBroken = !(await isComplete(root));
    if (isBroken) await rm(root, { recursive: true, force: true });
    await rename(join(work, 'root'), root).catch(() => undefined);
    return (await isComplete(root))
      ? { outcome: 'unpacked', root }
      : { outcome: 'impossible', reason: `the fetched ${packageName} does not run here` };
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return { outcome: 'impossible', reason: (stderr?.trim() || message).split('\n').slice(-3).join(' ') };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Finds a program of Debian or Ubuntu below `cacheDirectory`, or downloads and unpacks it there with its libraries. */
export async function fetchDebian(
  { packageName, command }: DebianProgram,
  cacheDirectory: string,
): Promise<Fetched> {
  const isComplete = async (root: string) => (await unpacked(root, command)) !== null;
  const fetched = await fetchPackages(packageName, cacheDirectory, isComplete);
  if (fetched.outcome === 'impossible') return fetched;
  const binary = await unpacked(fetched.root, command);
  return binary
    ? { outcome: 'fetched', binary }
    : { outcome: 'impossible', reason: `the fetched ${packageName} does not run here` };
}

/** Does the same as {@link fetchDebian} for a package whose program the caller starts in its own way. */
export async function unpackDebian(
  { packageName, marker }: DebianPackage,
  cacheDirectory: string,
): Promise<Unpacked> {
  return fetchPackages(packageName, cacheDirectory, (root) =>
    access(join(root, marker)).then(
      () => true,
      () => false,
    ),
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The path of the first of the programs that is on the PATH; null if none is. */
export async function findOnPath(path: string, names: readonly string[]): Promise<string | null> {
  for (const directory of path.split(delimiter).filter(Boolean)) {
    for (const name of names) {
      const candidate = join(directory, name);
      if (await isExecutable(candidate)) return candidate;
    }
  }
  return null;
}

/** The cache of downloaded programs. All clones of an account share it, so only the first one downloads. */
export function cacheDirectoryOf(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'postrider');
}
