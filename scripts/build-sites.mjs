import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { CommandFailed, hashOf, main, ROOT, run } from './root.mjs';

const CONSOLE = join(ROOT, 'packages', 'console');
const fromConsole = createRequire(join(CONSOLE, 'package.json'));
/** Vite's configuration of both sites. */
const CONFIG = join(CONSOLE, 'vite.config.ts');
/** What both sites are built from. */
const SHARED = [
  'package-lock.json',
  'scripts/build-sites.mjs',
  'scripts/notices.mjs',
  'packages/console/src',
  'packages/console/third-party.ts',
  'packages/console/verify',
  'packages/console/vite.config.ts',
];

/**
 * The sites that the API serves, by the folders of their packages: what each is built from, and limits of compressed bytes:
 * of the modules that are loaded for a purpose, with their static imports, or of all files.
 */
const SITES = {
  console: {
    inputs: ['packages/client/openapi.json', 'packages/client/src'],
    limits: [
      { of: 'first load', modules: ['index.html'], maxBytes: 100 * 1_024 },
      {
        of: 'first load and frame',
        modules: ['index.html', 'src/app/console.tsx'],
        maxBytes: 150 * 1_024,
      },
    ],
  },
  portal: {
    inputs: ['packages/client/src', 'packages/domain/src/event-key.ts'],
    limits: [{ of: 'site', maxBytes: 120 * 1_024 }],
  },
};
/** These are not loaded by the page. */
const NOT_LOADED = /^third-party/;
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt']);
function* filesOf(path) {
  const entries = existsSync(path) ? readdirSync(path, { withFileTypes: true, recursive: true }) : [];
  for (const entry of entries) if (entry.isFile()) yield join(entry.parentPath ?? entry.path, entry.name);
}

function hashOfInputs(name) {
  const own = ['index.html', 'package.json', 'public', 'src'];
  const inputs = [...SHARED, ...SITES[name].inputs, ...own.map((path) => join('packages', name, path))];
  const paths = [...new Set(inputs)].map((path) => join(ROOT, path));
  const files = paths.flatMap((path) => (extname(path) ? [path] : [...filesOf(path)])).sort();
  return hashOf(files.map((file) => relative(ROOT, file)));
}

/** Writes gzip and Brotli copies next to each text file; the API compresses nothing. Returns the gzip sizes. */
function compress(site) {
  const sizes = new Map();
  for (const file of [...filesOf(site)].filter((each) => COMPRESSED.has(extname(each)))) {
    const content = readFileSync(file);
    const zipped = gzipSync(content, { level: 9 });
    writeFileSync(`${file}.gz`, zipped);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    sizes.set(relative(site, file), zipped.length);
  }
  return sizes;
}

/** Reads Vite's list of files and removes it from the site, which must not serve it. */
function takeManifest(site) {
  const path = join(site, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return manifest;
}

/** The page, and the files of modules with their static imports. */
function filesFor(modules, manifest) {
  const files = new Set(['index.html']);
  const add = (key) => {
    const { file, css = [], imports = [] } = manifest[key];
    if (files.has(file)) return;
    for (const each of [file, ...css]) files.add(each);
    imports.forEach(add);
  };
  modules.forEach(add);
  return [...files];
}

/** Builds a site with Vite unless that on disk was built from the same sources. */
async function buildSite(name, say) {
  const directory = join(ROOT, 'packages', name);
  const site = join(directory, 'dist', 'site');
  const stamp = join(directory, 'dist', '.site-stamp');
  const hash = hashOfInputs(name);
  if (existsSync(join(site, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash)
    return;
  say(`Building the ${name} …`);
  const vite = join(dirname(fromConsole.resolve('vite/package.json')), 'bin', 'vite.js');
  await run(process.execPath, [vite, 'build', '--logLevel', 'warn', '--config', CONFIG, directory], {
    env: { NODE_ENV: 'production' },
  });
  const manifest = takeManifest(site);
  const sizes = compress(site);
  const loaded = [...sizes.keys()].filter((file) => !NOT_LOADED.test(file));
  for (const { of, modules, maxBytes } of SITES[name].limits) {
    const files = modules ? filesFor(modules, manifest) : loaded;
    const bytes = files.reduce((sum, file) => sum + sizes.get(file), 0);
    if (bytes > maxBytes)
      throw new CommandFailed(
        `The ${of} of the ${name} has ${bytes} bytes, compressed; at most ${maxBytes} are allowed.`,
      );
    say(`The ${of} of the ${name} has ${Math.round(bytes / 1_024)} KB, compressed.`);
  }
  writeFileSync(stamp, hash);
}

/** Builds all sites, or those that are named. */
export async function buildSites(say = () => undefined, names = Object.keys(SITES)) {
  for (const name of names) await buildSite(name, say);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2);
  await main(() =>
    buildSites((line) => process.stdout.write(`${line}\n`), names.length > 0 ? names : undefined),
  );
}
