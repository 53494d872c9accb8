import { execFile } from 'node:child_process';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@postrider/local-stack/testing';

const run = promisify(execFile);

/** The targets of the Dockerfile. */
export type Target = 'api' | 'worker' | 'cli';

/** The files of an image, assembled in a directory. */
export interface Artefact<Of extends Target = Target> {
  readonly target: Of;
  readonly directory: string;
  readonly files: number;
  readonly bytes: number;
}

const BILL_OF_MATERIALS = 'sbom.cdx.json';
/** What an image's /app may contain at its top level. */
const TOP = new Set([
  'apps',
  'docs',
  'node_modules',
  'package.json',
  'packages',
  'prisma',
  BILL_OF_MATERIALS,
]);
/** Development tools that a mistake in the manifests would include. */
const TOOLS = ['typescript', 'jest', '@jest/globals', '@biomejs/biome', 'turbo', 'tsx', 'esbuild', 'prisma'];
const TEST_PACKAGES = [
  '@postrider/local-stack',
  '@postrider/faults',
  '@postrider/bench',
  '@postrider/rig',
  '@postrider/testing',
  'supertest',
];
/** Our own sources and tests, which are not shipped. Dependencies may have such names. */
const NOT_SHIPPED = /(^|\/)(src|test|testing)\/|\.ts$|(^|\/)tsconfig/;

async function issueOf(directory: string, path: string, isOwn: boolean): Promise<string | null> {
  const full = join(directory, path);
  const status = await lstat(full);
  if (status.isSymbolicLink() && !(await realpath(full)).startsWith(`${directory}/`)) {
    return `${path} leads out of the artefact`;
  }
  return isOwn && status.isFile() && NOT_SHIPPED.test(path) ? `${path} is not for running` : null;
}

/** The relative paths of everything in a directory; links are not followed. */
async function pathsBelow(directory: string, folder = ''): Promise<string[]> {
  const entries = await readdir(join(directory, folder), { withFileTypes: true });
  const paths = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      return [path, ...(entry.isDirectory() ? await pathsBelow(directory, path) : [])];
    }),
  );
  return paths.flat();
}

async function inspect({ directory }: Pick<Artefact, 'directory'>) {
  const paths = await pathsBelow(directory);
  const issues = [...paths.filter((path) => !path.includes('/') && !TOP.has(path))];
  let files = 0;
  let bytes = 0;
  for (const path of paths) {
    const issue = await issueOf(directory, path, !path.startsWith('node_modules/'));
    if (issue) issues.push(issue);
    const status = await lstat(join(directory, path));
    if (!status.isFile()) continue;
    files += 1;
    bytes += status.size;
  }
  const present = new Set(paths);
  for (const name of [...TOOLS, ...TEST_PACKAGES]) {
    if (present.has(`node_modules/${name}`)) issues.push(`${name} is for development`);
  }
  return { issues, files, bytes };
}

/** Reads the name and version of every installed package from npm's own record (`.package-lock.json`). */
async function installedIn(directory: string): Promise<string[]> {
  const record = await readFile(join(directory, 'node_modules', '.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(record) as { packages: Record<string, { version?: string; link?: true }> };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
}

/** The installed packages that are missing in the bill of materials. */
async function missingInBill(directory: string): Promise<string[]> {
  const bill = JSON.parse(await readFile(join(directory, BILL_OF_MATERIALS), 'utf8')) as {
    components: { name: string; version: string }[];
  };
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const missing = (await installedIn(directory)).filter((each) => !listed.has(each));
  return missing.map((each) => `${each} is not in the bill of materials`);
}

/**
 * Assembles the artefact of a target as the Dockerfile does. Rejects if it contains anything else of the repository or
 * a link that leads out of it. `directory` must not exist yet, and its path must not contain links.
 */
export async function assembleArtefact<Of extends Target>(
  target: Of,
  directory: string,
): Promise<Artefact<Of>> {
  await run(process.execPath, [join(ROOT, 'docker', 'assemble.mjs'), target, directory]);
  const { issues, files, bytes } = await inspect({ directory });
  issues.push(...(await missingInBill(directory)));
  if (issues.length > 0) throw new Error(`The artefact "${target}" is wrong:\n${issues.join('\n')}`);
  return { target, directory, files, bytes };
}
