import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildEntries, packageDirectoriesIn } from './bundle.mjs';
import { prepare } from './prepare.mjs';
import { CommandFailed, main, ROOT, run } from './root.mjs';

const { version, engines, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const CLI = 'packages/cli';
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-]|$)/i;

/** What the bundle has of others, with their licences, which ask for that. */
function noticesOf(outputs) {
  const notices = packageDirectoriesIn(outputs).map((directory) => {
    const folder = join(ROOT, directory);
    const {
      name,
      version: of,
      license: under,
    } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
    return [
      `${name} ${of} (${under})`,
      ...texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()),
    ].join('\n\n');
  });
  return `${notices.join('\n\n----\n\n')}\n`;
}

/** Writes a file of the package, with its folders. */
function write(directory, path, contents) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), contents);
}

/**
 * Lays down the package of the command line: one bundle without dependencies, at the paths of the checkout, by which modules
 * find the migrations.
 */
async function layDownCommandLine(directory) {
  const { outputFiles, metafile } = await buildEntries(CLI, { main: 'src/main.ts' }, { sourcemap: false });
  for (const { path, contents } of outputFiles) write(directory, relative(ROOT, path), contents);
  const bin = `${CLI}/bin/postrider.mjs`;
  write(directory, bin, "#!/usr/bin/env node\nimport '../dist/bundle/main.js';\n");
  chmodSync(join(directory, bin), 0o755);
  // The version that the command prints.
  write(directory, `${CLI}/package.json`, JSON.stringify({ version, type: 'module' }));
  cpSync(join(ROOT, 'prisma/migrations'), join(directory, 'prisma/migrations'), { recursive: true });
  cpSync(join(ROOT, CLI, 'README.md'), join(directory, 'README.md'));
  write(directory, 'THIRD-PARTY.txt', noticesOf(metafile.outputs));
  const manifest = {
    name: 'postrider',
    version,
    description: 'The command line of Postrider.',
    license,
    type: 'module',
    engines,
    bin: { postrider: bin },
  };
  write(directory, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Packs the packages that are published into a directory, as `npm publish` would. */
export async function packPackages(destination) {
  mkdirSync(destination, { recursive: true });
  const pack = (cwd) => run('npm', ['pack', '--loglevel=error', '--pack-destination', destination], { cwd });
  const staging = mkdtempSync(join(tmpdir(), 'postrider-pack-'));
  try {
    await layDownCommandLine(staging);
    await pack(staging);
    await pack(join(ROOT, 'packages/client'));
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** npm run pack -- DIRECTORY: the packages `postrider` and `@postrider/client`, as files that npm can install. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(async () => {
    const [destination] = process.argv.slice(2);
    if (!destination) throw new CommandFailed('Usage: npm run pack -- DIRECTORY');
    await prepare({ build: 'packages/cli' });
    await packPackages(resolve(destination));
  });
