import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createFixture, createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type ServiceHere, startServiceHere } from '../../../apps/api/test/support/service.ts';
import { lock } from '../../local-stack/process-lock.mjs';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Installing needs the registry, and type checks read 1.4 MB of declarations. */
const LONG = 120_000;

/** The releases of Node.js that the client supports, from the packages that hold their binaries. */
const NODES = { 20: '20.19.0', 22: '22.23.3', 24: '24.21.0' };

/** Sends an event and lists it; prints the id of the listed message. Written for ESM; TypeScript makes it CommonJS. */
const PROGRAM = `
import { type Channel, createPostrider, type Message, PostriderApiError, type Postrider, verifyWebhook, WebhookVerificationError } from '@postrider/client';

const { POSTRIDER_URL = '', POSTRIDER_TOKEN = '' } = process.env;
const postrider: Postrider = createPostrider({ baseUrl: POSTRIDER_URL, token: POSTRIDER_TOKEN });

export const readChannel = (id: string): Promise<Channel> => postrider.channels.get(id);

export async function main(): Promise<void> {
  const sent = await postrider.events.send({
    event_key: 'order.shipped',
    recipient: { email: 'ada@example.com' },
    payload: { order_id: 'A-1' },
  });
  const found: string[] = [];
  for await (const { id, event_key } of postrider.messages.all()) found.push(\`\${id} \${event_key}\`);
  const message: Message = await postrider.messages.get(sent.message_id);
  const refused = await postrider.messages.get('msg_unknown').then(
    () => 'found',
    (error: unknown) => (error instanceof PostriderApiError ? error.code : String(error)),
  );
  process.stdout.write(JSON.stringify({ sent: message.message_id, found, refused, types: [typeof verifyWebhook, typeof WebhookVerificationError] }));
}

void main();
`;

let database: TestDatabase;
let service: ServiceHere;
let project: string;
let token: string;

const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const nodeOf = (release: string) => join(project, 'node_modules', `node-${release}`, 'bin', 'node');

/** Packs the client, as \`npm publish\` would, and installs it in an empty project. */
async function installPackedClient(): Promise<void> {
  project = await mkdtemp(join(tmpdir(), 'postrider-client-'));
  // Packing builds into `dist`, which another test run of this checkout may do, too.
  const packing = await lock(ROOT, 'pack-client', () => {});
  await execute('npm', ['pack', '--pack-destination', project], { cwd: join(ROOT, 'packages/client') });
  await packing.release();
  const [tarball] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true }));
  const nodes = Object.entries(NODES).map(
    ([major, version]) => `node-${major}@npm:${nodePackage}@${version}`,
  );
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await execute('npm', ['install', ...quiet, `./${tarball}`, ...nodes], { cwd: project });
}

/** Compiles the program as the settings say, without `skipLibCheck`; rejects with the compiler's errors. */
async function compile(folder: string, type: 'module' | 'commonjs', options: Record<string, unknown>) {
  const directory = join(project, folder);
  await mkdir(directory);
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type }));
  await writeFile(join(directory, 'main.ts'), PROGRAM);
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const typeRoots = [join(ROOT, 'node_modules/@types')];
  const compilerOptions = {
    target: 'es2022',
    types: ['node'],
    typeRoots,
    skipLibCheck: false,
    ...strict,
    ...options,
  };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  await execute(process.execPath, [compiler, '-p', directory]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
  return join(directory, 'main.js');
}

/** Runs a program in a release of Node.js and returns what it printed. */
async function run(release: string, program: string) {
  const env = { POSTRIDER_URL: service.url, POSTRIDER_TOKEN: token };
  const { stdout, stderr } = await execute(nodeOf(release), [program], { env });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceHere({ database });
  const channels = [{ kind: 'webhook', name: 'Shop', config: { url: 'http://127.0.0.1:9/in' } }] as const;
  ({ token } = await createFixture(database.db, { channels: [...channels] }));
  await installPackedClient();
}, LONG);
afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(project, { recursive: true, force: true });
});

async function expectToWork(program: string): Promise<void> {
  for (const release of Object.keys(NODES)) {
    const { sent, found, refused, types } = await run(release, program);
    expect(found).toContain(`${sent} order.shipped`);
    expect(refused).toBe('message_not_found');
    expect(types).toEqual(['function', 'function']);
  }
}

describe('the packed client in an empty project, in Node.js 20, 22 and 24', () => {
  it(
    'sends and lists from an ES module, and passes strict type checks',
    async () => {
      await expectToWork(await compile('esm', 'module', { module: 'nodenext' }));
    },
    LONG,
  );

  it(
    'sends and lists from CommonJS, and passes strict type checks',
    async () => {
      await expectToWork(await compile('cjs', 'commonjs', { module: 'nodenext' }));
    },
    LONG,
  );

  it(
    'sends and lists from a bundle of esbuild',
    async () => {
      await compile('bundled', 'module', { module: 'preserve', moduleResolution: 'bundler', noEmit: true });
      const outfile = join(project, 'bundle.cjs');
      const entry = join(project, 'bundled', 'main.ts');
      const bundler = join(ROOT, 'node_modules/esbuild/bin/esbuild');
      await execute(bundler, [entry, '--bundle', '--platform=node', '--format=cjs', `--outfile=${outfile}`]);
      await expectToWork(outfile);
    },
    LONG,
  );
});
