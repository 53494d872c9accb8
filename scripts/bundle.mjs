import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandFailed, hashOf, main, ROOT } from './root.mjs';

/** The workspaces whose processes start from a bundle, with the entries of each (decision 5). */
export const BUNDLES = {
  'packages/rendering': { child: 'src/child.ts' },
  'apps/api': { main: 'src/main.ts' },
  'apps/worker': { main: 'src/main.ts', 'isolated-main': 'src/quarantine/isolated-main.ts' },
};

/** What a bundle depends on besides its modules. */
const SETTINGS = ['package-lock.json', 'tsconfig.base.json', 'scripts/bundle.mjs'];
/** And in each workspace: which module a name means, and compiler options that esbuild follows. */
const WORKSPACE_SETTINGS = ['package.json', 'tsconfig.json'];

/**
 * Optional packages that a checkout may have and the images have not (accelerators, colours, Cloudflare's sockets), and
 * a compiler of megabytes that would only be copied.
 */
export const OPTIONAL = ['pg-native', 'pg-cloudflare', 'msgpackr-extract', 'supports-color'];
const NOT_BUNDLED = [...OPTIONAL, '*.wasm-base64.mjs'];

/** Packages in CommonJS expect these. */
const COMMONJS = `import { createRequire as commonJsRequire } from 'node:module';
import { dirname as commonJsDirname } from 'node:path';
const require = commonJsRequire(import.meta.url);
const __filename = import.meta.filename;
const __dirname = commonJsDirname(__filename);`;

const posix = (path) => path.split(sep).join('/');

/**
 * Loads Node.js's own modules with `require`. An import would read all of their exports, and `http` has some that load
 * an HTTP client: a tenth of the time that the API takes to start.
 */
const requireBuiltins = {
  name: 'require-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z0-9:_/]+$/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path)
        ? { path, namespace: 'builtin', sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

/** Keeps the meaning of `import.meta.url` in our modules: files are found from where the source is. */
const keepPlaces = (outdir) => ({
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](apps|packages)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const place = JSON.stringify(posix(relative(outdir, path)));
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
      return { contents, loader: 'ts' };
    });
  },
});

/** The paths of the files that every bundle depends on. */
function settings() {
  const ofWorkspaces = ['apps', 'packages']
    .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
    .flatMap((workspace) => WORKSPACE_SETTINGS.map((file) => `${workspace}/${file}`))
    .filter((path) => existsSync(join(ROOT, path)));
  return [...SETTINGS, ...ofWorkspaces.sort()];
}

const outdirOf = (workspace) => join(ROOT, workspace, 'dist', 'bundle');
const stampOf = (workspace) => join(outdirOf(workspace), '.stamp.json');

/**
 * Reads the stamp of a bundle. `outputs`: the names of the files in `dist/bundle` that may be in use. Only a complete
 * build has the rest. `modules`: the paths of our modules in it. `packages`: `{ name, version }` of all others. `hash`:
 * of the settings and the modules.
 */
function readStamp(workspace) {
  try {
    return { outputs: [], ...JSON.parse(readFileSync(stampOf(workspace), 'utf8')) };
  } catch {
    // Without a readable stamp nothing is known, and the bundle is built.
    return { outputs: [] };
  }
}

/** Whether the bundle is complete and was built from the files as they are now. */
function isUpToDate(workspace) {
  const { hash, modules, outputs } = readStamp(workspace);
  if (modules === undefined) return false;
  const needed = [
    ...modules.map((path) => join(ROOT, path)),
    ...outputs.map((name) => join(outdirOf(workspace), name)),
  ];
  if (!needed.every(existsSync)) return false;
  return hashOf([...settings(), ...modules]) === hash;
}

/** The directories of the third-party packages that are in the outputs, at least in part. */
export function packageDirectoriesIn(outputs) {
  const directories = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [directory] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (directory && bytesInOutput > 0) directories.add(directory);
    }
  }
  return [...directories].sort();
}

/** The third-party packages that are in the outputs, at least in part. */
function packagesIn(outputs) {
  return packageDirectoriesIn(outputs).map((directory) => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, directory, 'package.json'), 'utf8'));
    return { name, version };
  });
}

/** A process that starts in between reads the old or the new file, and never half of one. */
function replaceFile(path, contents) {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

const isSame = (path, contents) => existsSync(path) && readFileSync(path).equals(contents);

/**
 * Writes the files of a build. A process that runs the build before this one may still import chunks of it: they are
 * left, and older ones removed. Until all is written the stamp has no hash, so an interrupted build counts for nothing.
 */
function writeOutputs(workspace, entries, { outputFiles, metafile }) {
  const outdir = outdirOf(workspace);
  const writeStamp = (stamp) => replaceFile(stampOf(workspace), JSON.stringify(stamp));
  const outputs = outputFiles.map(({ path }) => basename(path));
  const known = new Set([...readStamp(workspace).outputs, ...outputs]);
  mkdirSync(outdir, { recursive: true });
  writeStamp({ outputs: [...known] });
  const isEntry = ({ path }) => basename(path, '.js') in entries;
  // The entries last: what they import is there.
  for (const file of outputFiles.toSorted((a, b) => isEntry(a) - isEntry(b))) {
    if (!isSame(file.path, file.contents)) replaceFile(file.path, file.contents);
  }
  known.add(basename(stampOf(workspace)));
  for (const name of readdirSync(outdir)) if (!known.has(name)) rmSync(join(outdir, name), { force: true });
  const own = Object.keys(metafile.inputs).filter((path) => /^(apps|packages)\//.test(path));
  const modules = own.filter((path) => !path.includes('node_modules')).sort();
  const hash = hashOf([...settings(), ...modules]);
  writeStamp({ outputs, packages: packagesIn(metafile.outputs), modules, hash });
}

/** Builds the modules of entries of a workspace into few files for its `dist/bundle`, and writes none of them. */
export async function buildEntries(workspace, entries, options = {}) {
  const { build } = await import('esbuild');
  const outdir = outdirOf(workspace);
  return build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(entries).map(([out, path]) => ({ in: join(ROOT, workspace, path), out })),
    outdir,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@postrider/source'],
    external: NOT_BUNDLED,
    banner: { js: COMMONJS },
    plugins: [requireBuiltins, keepPlaces(outdir)],
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    ...options,
  });
}

async function bundle(workspace, entries) {
  if (isUpToDate(workspace)) return;
  writeOutputs(workspace, entries, await buildEntries(workspace, entries));
}

/**
 * What is in the bundle of a workspace: `outputs`, the names of its files in `dist/bundle`, and `packages`, the
 * `{ name, version }` of the third-party packages in them. Null for a workspace without a bundle. Throws when it is not
 * built.
 */
export function bundleIn(workspace) {
  if (!(posix(workspace) in BUNDLES)) return null;
  const { outputs, packages } = readStamp(workspace);
  if (packages === undefined)
    throw new CommandFailed(`${workspace} is not bundled: run node scripts/bundle.mjs`);
  return { outputs, packages };
}

/**
 * Bundles the modules that each process of the service loads into a few files in `dist/bundle` of its workspace, with
 * source maps. What a process imports later stays in files of its own. Does nothing for bundles that are up to date. The
 * files of the build before stay for the processes that run it.
 */
export async function bundleServices() {
  await Promise.all(Object.entries(BUNDLES).map(([workspace, entries]) => bundle(workspace, entries)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(() => bundleServices());
