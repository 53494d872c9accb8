import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { CommandFailed, hashOf, main, ROOT, run } from './root.mjs';

const CONSOLE = join(ROOT, 'packages', 'console');
const fromConsole = createRequire(join(CONSOLE, 'package.json'));
const SITE = join(CONSOLE, 'dist', 'site');
const MANIFEST = join(SITE, 'manifest.json');
const STAMP = join(CONSOLE, 'dist', '.site-stamp');
/** Everything that the site is built from. */
const INPUTS = [
  'package-lock.json',
  'scripts/build-console.mjs',
  'packages/client/openapi.json',
  'packages/client/src',
  'packages/console/index.html',
  'packages/console/package.json',
  'packages/console/public',
  'packages/console/src',
  'packages/console/third-party.ts',
  'packages/console/vite.config.ts',
].map((path) => join(ROOT, path));
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt']);
/** The limit of the compressed files that a browser loads before it shows the first screen. */
const MAX_FIRST_LOAD_BYTES = 250 * 1_024;

function* filesOf(path) {
  const entries = existsSync(path) ? readdirSync(path, { withFileTypes: true, recursive: true }) : [];
  for (const entry of entries) if (entry.isFile()) yield join(entry.parentPath ?? entry.path, entry.name);
}

function hashOfInputs() {
  const files = INPUTS.flatMap((path) => (extname(path) ? [path] : [...filesOf(path)])).sort();
  return hashOf(files.map((file) => relative(ROOT, file)));
}

/** Writes gzip and Brotli copies next to each text file; the API compresses nothing. Returns the gzip sizes. */
function compress() {
  const sizes = new Map();
  for (const file of [...filesOf(SITE)].filter((each) => COMPRESSED.has(extname(each)))) {
    const content = readFileSync(file);
    const zipped = gzipSync(content, { level: 9 });
    writeFileSync(`${file}.gz`, zipped);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    sizes.set(relative(SITE, file), zipped.length);
  }
  return sizes;
}

/** Reads Vite's list of files and removes it from the site, which must not serve it. */
function takeManifest() {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  rmSync(MANIFEST);
  return manifest;
}

/** The files of the first screen: the page, its script, and their static imports. */
function firstLoadOf(manifest) {
  const files = new Set(['index.html']);
  const add = (key) => {
    const { file, css = [], imports = [] } = manifest[key];
    if (files.has(file)) return;
    for (const each of [file, ...css]) files.add(each);
    imports.forEach(add);
  };
  add('index.html');
  return files;
}

/** Builds the console with Vite unless the site on disk was built from the same sources. */
export async function buildConsole(say = () => undefined) {
  const hash = hashOfInputs();
  if (existsSync(join(SITE, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash)
    return;
  say('Building the console …');
  const vite = join(dirname(fromConsole.resolve('vite/package.json')), 'bin', 'vite.js');
  await run(process.execPath, [vite, 'build', '--logLevel', 'warn', CONSOLE], {
    env: { NODE_ENV: 'production' },
  });
  const files = firstLoadOf(takeManifest());
  const sizes = compress();
  const bytes = [...files].reduce((sum, file) => sum + sizes.get(file), 0);
  if (bytes > MAX_FIRST_LOAD_BYTES)
    throw new CommandFailed(
      `The console loads ${bytes} bytes at first; at most ${MAX_FIRST_LOAD_BYTES} are allowed. Load a part later with import().`,
    );
  say(`The console loads ${Math.round(bytes / 1_024)} KB at first, compressed.`);
  writeFileSync(STAMP, hash);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(() => buildConsole((line) => process.stdout.write(`${line}\n`)));
