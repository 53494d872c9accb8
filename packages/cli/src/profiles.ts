import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';

/** A sign-in of `postrider login`. */
export interface Profile {
  readonly url: string;
  /** The token of the operator, `po_…`. */
  readonly token: string;
  readonly expires_at: string;
  /** The name of the operator. */
  readonly name: string;
}

interface Content {
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The profile that commands use unless --profile or POSTRIDER_PROFILE names another. */
const DEFAULT_PROFILE = 'default';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Checks the name of a profile. */
export function profileName({ env }: Io, given: string | undefined): string {
  const name = given || env.POSTRIDER_PROFILE || DEFAULT_PROFILE;
  if (!NAME.test(name))
    throw new UsageError(
      'The name of a profile (--profile, POSTRIDER_PROFILE) has letters, digits, ., _ and - only.',
    );
  return name;
}

/** The file of profiles, as the XDG Base Directory Specification has it. */
function profilesFile({ env }: Io): string {
  const { XDG_CONFIG_HOME: config = '', HOME: home = homedir() } = env;
  return join(isAbsolute(config) ? config : join(home, '.config'), 'postrider', 'profiles.json');
}

function read(io: Io): Content {
  const file = profilesFile(io);
  let text: string;
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw new UsageError(`Others can read ${file}, which has tokens: chmod 600 it, and sign in again.`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw error;
  }
  try {
    return JSON.parse(text) as Content;
  } catch {
    throw new UsageError(`${file} is not JSON: remove it, and sign in again.`);
  }
}

/** Replaces the file at once, so that a crash leaves the old one. Only its owner can read it, from its first byte on. */
function write(io: Io, content: Content): void {
  const file = profilesFile(io);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** What a process gets that may not read the folder, such as one in a container with the HOME of another user. */
const FORBIDDEN = ['EACCES', 'EPERM', 'ERR_ACCESS_DENIED'];

/** The profile of this name; null if nobody has signed in with it, or if this process may not read the file. */
export function readProfile(io: Io, name: string): Profile | null {
  try {
    const { profiles } = read(io);
    return Object.hasOwn(profiles, name) ? (profiles[name] ?? null) : null;
  } catch (error) {
    if (FORBIDDEN.includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Stores a profile, or removes it with null. */
export function writeProfile(io: Io, name: string, profile: Profile | null): void {
  const { [name]: _replaced, ...others } = read(io).profiles;
  write(io, { profiles: profile ? { ...others, [name]: profile } : others });
}
