import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';

/** What `postrider login` stores: where an installation is, and the tokens for it. */
export interface Profile {
  readonly url: string;
  /** A token for management, such as that of an operator, `po_…`. */
  readonly token?: string;
  /** When that token ends. Only a sign-in with a code has it: logging out revokes its token. */
  readonly expires_at?: string;
  /** Whose token it is. */
  readonly name?: string;
  /** A token of an environment, `pr_…`. */
  readonly environment_token?: string;
  /** The environment of management commands without --environment, `env_…`. */
  readonly environment?: string;
  /** Signs what `postrider listen` posts. */
  readonly listen_secret?: string;
}

/** By their names. */
type Profiles = Readonly<Record<string, Profile>>;

/** The profile that commands use unless --profile or POSTRIDER_PROFILE names another. */
const DEFAULT_PROFILE = 'default';
/** A write takes far less, in milliseconds. */
const STALE_LOCK_MS = 5_000;
const LOCK_RETRY_MS = 20;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function profileName({ env }: Io, given: string | undefined): string {
  const name = given || env.POSTRIDER_PROFILE || DEFAULT_PROFILE;
  if (!NAME.test(name))
    throw new UsageError(
      'The name of a profile (--profile, POSTRIDER_PROFILE) can only contain letters, digits, ., _ and -.',
    );
  return name;
}

/** The file of profiles, as the XDG Base Directory Specification has it. */
function profilesFile({ env }: Io): string {
  const { XDG_CONFIG_HOME: config = '', HOME: home = homedir() } = env;
  return join(isAbsolute(config) ? config : join(home, '.config'), 'postrider', 'profiles.json');
}

function read(io: Io): Profiles {
  const file = profilesFile(io);
  let text: string;
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw new UsageError(
        `Other users can read ${file}, which contains tokens: run chmod 600 on it, and sign in again.`,
      );
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return (JSON.parse(text) as { profiles: Profiles }).profiles;
  } catch {
    throw new UsageError(`${file} is not JSON: remove it, and sign in again.`);
  }
}

/** Replaces the file at once, so that a crash leaves the old one. Only its owner can read it, from its first byte on. */
function write(io: Io, profiles: Profiles): void {
  const file = profilesFile(io);
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** What a process gets that may not read the folder, such as one in a container with the HOME of another user. */
const FORBIDDEN = ['EACCES', 'EPERM', 'ERR_ACCESS_DENIED'];

/** All profiles by name; none if this process may not read the file. */
export function readProfiles(io: Io): Profiles {
  try {
    return read(io);
  } catch (error) {
    if (FORBIDDEN.includes((error as NodeJS.ErrnoException).code ?? '')) return {};
    throw error;
  }
}

/** The profile of this name; null if there is none. */
export function readProfile(io: Io, name: string): Profile | null {
  const profiles = readProfiles(io);
  return Object.hasOwn(profiles, name) ? (profiles[name] ?? null) : null;
}

/** Whether two addresses are of the same installation: a token of one must not be sent to another. */
export const isSameAddress = (one: string, other: string) => new URL(one).href === new URL(other).href;

/** Takes the lock of the file, so that two sign-ins at once keep both profiles. A lock of a process that crashed is taken over. */
function lock(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600));
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // A clock that was set back makes a lock of the future.
      const age = Math.abs(Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()));
      if (age > STALE_LOCK_MS) rmSync(path, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS);
    }
  }
}

/** Stores a profile, or removes it with null. */
export function writeProfile(io: Io, name: string, profile: Profile | null): void {
  const release = lock(`${profilesFile(io)}.lock`);
  try {
    const { [name]: _replaced, ...others } = read(io);
    write(io, profile ? { ...others, [name]: profile } : others);
  } finally {
    release();
  }
}
