import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchDebian, findOnPath, unpackDebian } from '@postrider/rig/servers';
import { afterAll, afterEach, beforeAll, beforeEach, describeWith, expect, it } from '@postrider/testing';

const run = promisify(execFile);

/** The packages of the repository: what they depend on, and the only file in each. */
const PACKAGES = {
  'postrider-test-broker': {
    depends: 'postrider-test-runtime, postrider-test-library',
    file: 'usr/bin/broker',
  },
  'postrider-test-runtime': { depends: '', file: 'usr/lib/runtime/boot' },
  'postrider-test-library': { depends: '', file: 'usr/lib/some-machine/libsome.so' },
};
const BROKER = {
  packageName: 'postrider-test-broker',
  unpack: /^postrider-test-(?:broker|runtime)$/,
  markers: ['usr/bin/broker', 'usr/lib/runtime/boot'],
};

const apt = await findOnPath(process.env.PATH ?? '', ['apt-get']);
const found = apt ? { ok: true as const, value: apt } : { ok: false as const, reason: 'there is no apt-get' };

let directory: string;
/** The part of the repository's index for each package. */
const index: string[] = [];

/** Builds the package and adds it to the index. */
async function addPackage(name: string, depends: string, file: string): Promise<void> {
  const content = join(directory, name);
  const fields = ['Version: 1.0', 'Architecture: all', 'Maintainer: Postrider <test@example.com>'];
  const control = [
    ...[`Package: ${name}`, ...fields, ...(depends ? [`Depends: ${depends}`] : []), 'Description: test'],
  ];
  await mkdir(join(content, 'DEBIAN'), { recursive: true });
  await mkdir(join(content, file, '..'), { recursive: true });
  await writeFile(join(content, 'DEBIAN', 'control'), `${control.join('\n')}\n`);
  await writeFile(join(content, file), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const archive = join(directory, 'repository', `${name}.deb`);
  await run('dpkg-deb', ['--build', '--root-owner-group', content, archive]);
  const bytes = await readFile(archive);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  index.push(
    [...control, `Filename: ./${name}.deb`, `Size: ${bytes.length}`, `SHA256: ${sha256}`].join('\n'),
  );
}

/** Makes apt use the repository and believe that these of its packages are installed. */
async function useRepository(installed: readonly string[]): Promise<void> {
  const entries = index
    .filter((entry) => installed.some((name) => entry.startsWith(`Package: ${name}\n`)))
    .map((entry) => entry.replace('\n', '\nStatus: install ok installed\n'));
  await writeFile(join(directory, 'status'), entries.map((entry) => `${entry}\n\n`).join(''));
  const settings = {
    'Dir::Etc::sourcelist': join(directory, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(directory, 'lists'),
    'Dir::State::status': join(directory, 'status'),
  };
  const file = join(directory, 'apt.conf');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  );
  process.env.APT_CONFIG = file;
}

const has = (root: string, file: string) =>
  access(join(root, file)).then(
    () => true,
    () => false,
  );

describeWith(found, 'a package of Debian', () => {
  let cache: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'postrider-test-'));
    await mkdir(join(directory, 'repository'));
    for (const [name, { depends, file }] of Object.entries(PACKAGES)) await addPackage(name, depends, file);
    await writeFile(join(directory, 'repository', 'Packages'), `${index.join('\n\n')}\n`);
    // With the scheme "file" apt would use the archives where they are instead of downloading them.
    await writeFile(join(directory, 'sources.list'), `deb [trusted=yes] copy:${directory}/repository ./\n`);
  });
  beforeEach(async () => {
    cache = await mkdtemp(join(directory, 'cache-'));
  });
  afterEach(() => {
    delete process.env.APT_CONFIG;
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.each([
    ['nothing of it', [], true],
    ['a library of it', ['postrider-test-library'], false],
    ['its runtime', ['postrider-test-runtime'], true],
    ['the package itself and all that it needs', Object.keys(PACKAGES), false],
  ])('is unpacked where the system has installed %s', async (_what, installed, withLibrary) => {
    await useRepository(installed);
    const root = join(cache, 'root');
    expect(await unpackDebian(BROKER, cache)).toEqual({ ok: true, value: root });
    expect(await has(root, PACKAGES['postrider-test-library'].file)).toBe(withLibrary);
  });

  it('has a program that runs where the system has it installed', async () => {
    await useRepository(Object.keys(PACKAGES));
    const program = { packageName: BROKER.packageName, command: 'usr/bin/broker' };
    expect(await fetchDebian(program, cache)).toEqual({
      ok: true,
      value: { command: join(cache, 'root', program.command), libraryPath: [] },
    });
  });

  it('that does not exist is reported with the reason', async () => {
    await useRepository([]);
    const missing = { packageName: 'postrider-test-missing', markers: ['usr/bin/missing'] };
    expect(await unpackDebian(missing, cache)).toEqual({
      ok: false,
      reason: expect.stringContaining('Unable to locate package postrider-test-missing'),
    });
  });
});
