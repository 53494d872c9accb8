import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findOnPath } from '@postrider/rig/servers';
import { describeWith, it } from '@postrider/testing';

/** Runs a program and returns its outputs. */
export const execute = promisify(execFile);
/** The folder with the programs of all languages. */
export const PROGRAMS = fileURLToPath(new URL('./', import.meta.url));
/** Installing packages and compiling take minutes on a slow machine or network. */
export const LONG = 1_200_000;

/** Runs a program to its end and returns its output. Rejects with the output if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
) {
  const { stdout } = await execute(command, args, { cwd, env, maxBuffer: 2 ** 26 }).catch((error) => {
    throw new Error(`${[command, ...args].join(' ')}\n${error.stdout}${error.stderr || error.message}`);
  });
  return stdout;
}

type Found = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/** The result of a search as `describeWith` takes it. */
export const search = (find: () => Promise<string>): Promise<Found> =>
  find().then(
    (value) => ({ ok: true, value }),
    (error: Error) => ({ ok: false, reason: error.message }),
  );

/** The path of a program. Rejects if it is not on the PATH. */
export async function findProgram(name: string): Promise<string> {
  const path = await findOnPath(process.env.PATH ?? '', [name]);
  if (path === null) throw new Error(`there is no ${name} on the PATH`);
  return path;
}

const maySkip = (process.env.POSTRIDER_MAY_SKIP ?? '').split(',').filter(Boolean);

/** In CI, a suite that cannot run fails, unless POSTRIDER_MAY_SKIP has a part of its program's path. */
function failsIfMissing(language: string): boolean {
  return Boolean(process.env.CI) && !maySkip.some((part) => join(PROGRAMS, language).includes(part));
}

/**
 * Describes what holds with a toolchain. Without it the tests are skipped with the reason of `find`, or fail in CI.
 * @param language the folder of the program, which POSTRIDER_MAY_SKIP can name
 */
export async function describeWithToolchain(
  {
    title,
    language,
    find,
  }: { readonly title: string; readonly language: string; readonly find: () => Promise<string> },
  tests: (toolchain: string) => void,
): Promise<void> {
  const found = await search(find);
  if (!found.ok && failsIfMissing(language))
    it(title, () => {
      throw new Error(found.reason);
    });
  else describeWith(found, title, tests);
}
