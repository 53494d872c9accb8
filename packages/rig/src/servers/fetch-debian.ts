import { execFile } from 'node:child_process';
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Binary {
  readonly command: string;
  /** Directories with the downloaded shared libraries; empty for an installed program. */
  readonly libraryPath: readonly string[];
}

interface Package {
  readonly packageName: string;
  /**
   * The names of the packages that are unpacked even if the system has them installed, by default this one alone. Of
   * the others, shared libraries, those that are installed are used where they are.
   */
  readonly unpack?: RegExp;
}

/** A program of a Debian package: `command` is its path in the package. */
export interface DebianProgram extends Package {
  readonly command: string;
}

/** A Debian package without a program that can be run on its own. `markers` are the paths of files that it needs. */
export interface DebianPackage extends Package {
  readonly markers: readonly string[];
}

/** What a test needs beyond the packages of npm, or why it is not available here. */
export type Found<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** Limits how long a stalled mirror delays the start. */
const DOWNLOAD_LIMIT_MS = 120_000;

/**
 * Settings that let any account use apt without touching the system's state: its own cache, its own record of what is
 * installed, no system lock, and no change to apt's download account, which could not write there.
 */
function privateApt(work: string): string[] {
  const settings = [
    `Dir::Cache=${work}/cache`,
    `Dir::State::status=${work}/status`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Dpkg::Use-Pty=0',
  ];
  return settings.flatMap((setting) => ['-o', setting]);
}

/** Copies the record of the installed packages without those to unpack: apt downloads nothing that is installed. */
async function copyStatus(work: string, { packageName, unpack }: Package): Promise<void> {
  const { stdout: path } = await run('apt-config', ['shell', 'STATUS', 'Dir::State::status/f']);
  const status = await readFile(/'(.*)'/.exec(path)?.[1] ?? '', 'utf8');
  const isUnpacked = (entry: string) => {
    const name = /^Package: (.*)$/m.exec(entry)?.[1] ?? '';
    return unpack ? unpack.test(name) : name === packageName;
  };
  const kept = status.split(/\n{2,}/).filter((entry) => !isUnpacked(entry));
  await writeFile(join(work, 'status'), kept.join('\n\n'));
}

async function downloadPackages(work: string, wantedPackage: Package): Promise<void> {
  const options = { timeout: DOWNLOAD_LIMIT_MS, env: { ...process.env, LC_ALL: 'C' } };
  const wanted = [
    'install',
    '--download-only',
    '--yes',
    '--no-install-recommends',
    wantedPackage.packageName,
  ];
  await mkdir(join(work, 'cache', 'archives', 'partial'), { recursive: true });
  await copyStatus(work, wantedPackage);
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
 * Downloads a package with the dependencies that are not installed and unpacks them as `root` below `cacheDirectory`, unless
 * `isComplete` says that it is there. Replaces an incomplete one. Works for root and for a normal user. Several processes can
 * do this at once: each works in its own directory, and the first to finish renames it to `root`.
 */
async function fetchPackages(
  wanted: Package,
  cacheDirectory: string,
  isComplete: (root: string) => Promise<boolean>,
): Promise<Found<string>> {
  const root = join(cacheDirectory, 'root');
  if (await isComplete(root)) return { ok: true, value: root };
  try {
    await run('apt-get', ['--version']);
  } catch {
    return { ok: false, reason: 'this is not a Debian or Ubuntu: there is no apt-get' };
  }
  await mkdir(cacheDirectory, { recursive: true });
  const work = await mkdtemp(join(cacheDirectory, 'fetch-'));
  try {
    await downloadPackages(work, wanted);
    await unpack(work);
    const isBroken = !(await isComplete(root));
    if (isBroken) await rm(root, { recursive: true, force: true });
    await rename(join(work, 'root'), root).catch(() => undefined);
    return (await isComplete(root))
      ? { ok: true, value: root }
      : { ok: false, reason: `the fetched ${wanted.packageName} does not run here` };
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return { ok: false, reason: (stderr?.trim() || message).split('\n').slice(-3).join(' ') };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Finds a program of Debian or Ubuntu below `cacheDirectory`, or downloads and unpacks it there with its libraries. */
export async function fetchDebian(program: DebianProgram, cacheDirectory: string): Promise<Found<Binary>> {
  const isComplete = async (root: string) => (await unpacked(root, program.command)) !== null;
  const fetched = await fetchPackages(program, cacheDirectory, isComplete);
  if (!fetched.ok) return fetched;
  const binary = await unpacked(fetched.value, program.command);
  return binary
    ? { ok: true, value: binary }
    : { ok: false, reason: `the fetched ${program.packageName} does not run here` };
}

/**
 * Does the same as {@link fetchDebian} for a package whose program the caller starts in its own way, and returns the root
 * of what is unpacked.
 */
export async function unpackDebian(wanted: DebianPackage, cacheDirectory: string): Promise<Found<string>> {
  return fetchPackages(wanted, cacheDirectory, async (root) => {
    const found = await Promise.allSettled(wanted.markers.map((marker) => access(join(root, marker))));
    return found.every(({ status }) => status === 'fulfilled');
  });
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
