import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { UsageError } from '../exit-codes.ts';
import { plain } from '../output/text.ts';

/** The most that is read of a folder together: twice what the service takes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** What is wrong in a folder, for the person who edits it. */
export interface FolderIssue {
  /** Relative to the folder, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A file that cannot be read, and the reason, which continues after its name. */
export class UnreadableFile extends UsageError {
  readonly reason: string;
  readonly isMissing: boolean;

  constructor(path: string, reason: string, { isMissing = false } = {}) {
    super(plain(`${path} ${reason}.`));
    this.reason = reason;
    this.isMissing = isMissing;
  }
}

function unreadable(path: string, error: unknown): UnreadableFile {
  const { code } = error as NodeJS.ErrnoException;
  const isMissing = code === 'ENOENT';
  return new UnreadableFile(path, isMissing ? 'does not exist' : `cannot be read (${code})`, { isMissing });
}

/** Reads the files of a folder, and none elsewhere. */
export class ContainedFiles {
  readonly directory: string;
  readonly #allowOutside: boolean;
  #bytes = 0;

  /** Throws a UsageError if there is no such folder. */
  constructor(directory: string, { allowOutside = false } = {}) {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`There is no such folder: ${directory}`);
    this.directory = realpathSync(directory);
    this.#allowOutside = allowOutside;
  }

  /**
   * The names in a folder below this one, sorted; none if it does not exist. A directory's name ends with a slash. Throws an
   * {@link UnreadableFile} if it cannot be read.
   */
  list(folder: string): string[] {
    try {
      const entries = readdirSync(this.resolve(folder), { withFileTypes: true });
      return entries.map((entry) => entry.name + (entry.isDirectory() ? '/' : '')).sort();
    } catch (error) {
      const failure = error instanceof UnreadableFile ? error : unreadable(folder, error);
      if (failure.isMissing) return [];
      throw failure;
    }
  }

  /**
   * The text of a file. Throws an {@link UnreadableFile} if there is none, if it is no UTF-8, if links or `..` lead out of the
   * folder or to Git's files, or if the folder has too much in it.
   */
  read(path: string): string {
    const file = this.resolve(path);
    const status = statSync(file);
    // A pipe would block, and a device may have no end.
    if (!status.isFile()) throw new UnreadableFile(path, 'is not a file');
    this.#bytes += status.size;
    if (this.#bytes > MAX_BYTES)
      throw new UnreadableFile(path, `exceeds the limit of ${MAX_BYTES / 1024 / 1024} MiB for a folder`);
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) throw new UnreadableFile(path, 'is not UTF-8');
    return bytes.toString('utf8').replace(/^\ufeff/, '');
  }

  /** Where a path leads, with all links followed. Throws an {@link UnreadableFile} if that is nothing, or outside of the folder. */
  resolve(path: string): string {
    let real: string;
    try {
      real = realpathSync(posix.isAbsolute(path) ? path : join(this.directory, path));
    } catch (error) {
      throw unreadable(path, error);
    }
    const inside = relative(this.directory, real);
    if (this.#allowOutside) return real;
    if (inside === '..' || inside.startsWith(`..${sep}`))
      throw new UnreadableFile(path, 'is outside the configuration folder (--allow-outside permits it)');
    // A checkout keeps credentials in such files.
    if (inside === '.git' || inside.startsWith(`.git${sep}`))
      throw new UnreadableFile(path, "is one of Git's own files (--allow-outside permits it)");
    return real;
  }
}

/** All issues as one error, each with its file and line, at most 100. Names of files and keys are whatever somebody put there. */
export const asUsageError = (issues: readonly FolderIssue[]): UsageError =>
  new UsageError(
    ...issues.slice(0, 100).map(({ file, line, message }) => plain(`${file}:${line} ${message}`)),
  );

export function refuseIssues(issues: readonly FolderIssue[]): void {
  if (issues.length > 0) throw asUsageError(issues);
}
