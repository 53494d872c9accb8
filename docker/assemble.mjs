/**
 * node docker/assemble.mjs TARGET DIRECTORY: lays down in DIRECTORY what the image of TARGET has in /app: the
 * built workspaces, their production dependencies, the migrations, and the pages that the API serves. The Dockerfile and the proof of
 * the artefacts (npm run test:artefacts) both call it, so that what is proved is what is shipped. It wants a
 * checkout with its dependencies installed and built.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleIn } from '../scripts/bundle.mjs';
import { copyPages } from '../scripts/docs-pages.mjs';
import { CommandFailed, dependencyScript, main, ROOT, run } from '../scripts/root.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';

/** The workspace that each image runs. */
export const TARGETS = { api: '@postrider/api', worker: '@postrider/worker', cli: '@postrider/cli' };

/** What of a workspace runs; sources, tests and settings stay behind. */
const WORKSPACE_PARTS = ['package.json', 'dist', 'bin'];
/** No program reads these at run time, except for the source maps of the bundles, which explain a stack trace. */
const NOT_FOR_RUNNING = /\.(map|tsbuildinfo|stamp\.json|d\.[cm]?ts)$/;
const BUNDLED_FILE = join('dist', 'bundle') + sep;
/** Prisma ships compilers of 2 to 4 MB for each kind of database, twice; the generated client needs one. */
const COMPILER = /query_compiler_\w+_bg\.\w+/;
const GENERATED_CLIENT = join(ROOT, 'packages', 'db', 'dist', 'generated', 'internal', 'class.js');
/** What is optional here are native accelerators with a fallback, and the command line of Prisma. */
const PRODUCTION = ['--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];

const isNeeded = (path) =>
  !NOT_FOR_RUNNING.test(path) || (path.includes(BUNDLED_FILE) && path.endsWith('.map'));
const isForRunning = (path) => isNeeded(path) && !path.includes(join('dist', 'testing'));

/** The folders of the workspaces that turbo has put below `directory`. */
function workspacesIn(directory) {
  return ['apps', 'packages']
    .filter((group) => existsSync(join(directory, group)))
    .flatMap((group) => readdirSync(join(directory, group)).map((name) => join(group, name)));
}

/** Copies what runs of a workspace; of its bundle, the files of the last build alone. */
function copyParts(workspace, directory) {
  const bundled = bundleIn(workspace)?.outputs;
  const filter = (path) =>
    isForRunning(path) && (!path.includes(BUNDLED_FILE) || bundled.includes(basename(path)));
  for (const part of WORKSPACE_PARTS.filter((name) => existsSync(join(ROOT, workspace, name)))) {
    const target = join(directory, workspace, part);
    cpSync(join(ROOT, workspace, part), target, { recursive: true, filter });
  }
  if (!existsSync(join(directory, workspace, 'dist'))) throw new CommandFailed(`${workspace} is not built`);
}

function changeJson(path, change) {
  const content = JSON.parse(readFileSync(path, 'utf8'));
  change(content);
  writeFileSync(path, JSON.stringify(content, null, 2));
}

const forgetDevelopment = (manifest) => delete manifest.devDependencies;

/**
 * Installs by the pruned lock file, which is not needed any more afterwards. npm looks for every workspace
 * that a manifest names, also where it is needed in development alone; so the manifests name none of those.
 */
async function installDependencies(pruned, directory) {
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(pruned, file), join(directory, file));
  for (const folder of ['.', ...workspacesIn(directory)]) {
    changeJson(join(directory, folder, 'package.json'), forgetDevelopment);
  }
  changeJson(join(directory, 'package-lock.json'), (lock) =>
    Object.values(lock.packages).map(forgetDevelopment),
  );
  await run('npm', ['ci', '--prefix', directory, ...PRODUCTION], { env: { NODE_ENV: 'production' } });
  rmSync(join(directory, 'package-lock.json'));
}

/** Each file once: the recursion of readdir follows links to directories in some releases of Node.js. */
function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** The compiler that the generated client loads, as its files are named. */
function compilerInUse() {
  const [name] = COMPILER.exec(readFileSync(GENERATED_CLIENT, 'utf8')) ?? [];
  if (!name) throw new CommandFailed('the generated client names no query compiler');
  return name;
}

function removeUnused(directory) {
  const compiler = `${compilerInUse()}.`;
  const prisma = join(directory, 'node_modules', '@prisma', 'client', 'runtime');
  for (const path of filesBelow(directory)) {
    const name = basename(path);
    const isUnused = dirname(path) === prisma && COMPILER.test(name) && !name.startsWith(compiler);
    if (isUnused || !isNeeded(path)) rmSync(path);
  }
}

/** Fills `directory`, which must be empty or not there, with the artefact of a target. */
export async function assemble(target, directory) {
  const workspace = TARGETS[target];
  if (!workspace) throw new CommandFailed(`There is no target ${target}: ${Object.keys(TARGETS).join(', ')}`);
  const pruned = mkdtempSync(join(tmpdir(), 'postrider-pruned-'));
  try {
    await run(process.execPath, [
      dependencyScript('turbo/bin/turbo'),
      'prune',
      workspace,
      '--production',
      '--out-dir',
      pruned,
    ]);
    mkdirSync(directory, { recursive: true });
    const workspaces = workspacesIn(pruned);
    for (const folder of workspaces) copyParts(folder, directory);
    await installDependencies(pruned, directory);
    const migrations = join('prisma', 'migrations');
    cpSync(join(ROOT, migrations), join(directory, migrations), { recursive: true });
    if (target === 'api') copyPages(directory);
    removeUnused(directory);
    const bundled = workspaces.flatMap((folder) => bundleIn(folder)?.packages ?? []);
    writeBillOfMaterials(target, directory, bundled);
  } finally {
    rmSync(pruned, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [target, directory] = process.argv.slice(2);
  await main(() => {
    if (!directory)
      throw new CommandFailed(`Usage: node docker/${basename(process.argv[1])} TARGET DIRECTORY`);
    return assemble(target, resolve(directory));
  });
}
