import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Cleanup,
  createCleanup,
  startPostgres,
  startRedis,
  startWebhookReceiver,
} from '@postrider/local-stack';
import getPort from 'get-port';
import { type Artefact, assembleArtefact, type Target } from './assemble.ts';
import { deliverEvent } from './deliver.ts';
import { postrider, type Started, startArtefact, stopArtefact } from './processes.ts';

const MB = 1_000_000;
const freePort = () => getPort({ host: '127.0.0.1' });

type Artefacts = Readonly<Record<Target, Artefact>>;

async function assembleAll(directory: string): Promise<Artefacts> {
  const assemble = (target: Target) => assembleArtefact(target, join(directory, target));
  return { api: await assemble('api'), worker: await assemble('worker'), cli: await assemble('cli') };
}

/** Migrates an empty database from two places at once: one of them does all of it, the other nothing. */
async function migrateTwiceAtOnce(cli: Artefact, databaseUrl: string): Promise<void> {
  const migrate = () => postrider(cli, ['migrate'], { DATABASE_URL: databaseUrl });
  const printed = (await Promise.all([migrate(), migrate()])).sort();
  if (!printed[0]?.startsWith('applied ') || printed[1] !== 'up to date\n') {
    throw new Error(`Two migrations at once printed:\n${printed.join('')}`);
  }
}

function line({ target, files, bytes }: Artefact, started?: Started): string {
  const size = `${(bytes / MB).toFixed(1)} MB in ${files} files`;
  const start = started ? `, ready ${Math.round(started.startMs)} ms after its start` : '';
  return `${target.padEnd(8)}${size}${start}`;
}

async function prove({ api, worker, cli }: Artefacts, cleanup: Cleanup): Promise<string[]> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const postgres = await startPostgres({ durable: false });
  cleanup.add(postgres.stop);
  const redis = await startRedis();
  cleanup.add(redis.stop);
  const receiver = await startWebhookReceiver({ secret, port: await freePort() });
  cleanup.add(receiver.close);
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const adminToken = randomBytes(24).toString('hex');
  // The whole environment: nothing of this process' own reaches the artefacts.
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEYS: `proof:${randomBytes(32).toString('base64')}`,
    ADMIN_TOKEN: adminToken,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    PORT: String(apiPort),
    WORKER_PORT: String(workerPort),
  };
  await migrateTwiceAtOnce(cli, postgres.url);
  const startedApi = await startArtefact(api, { port: apiPort, env });
  cleanup.add(startedApi.program.kill);
  const startedWorker = await startArtefact(worker, { port: workerPort, env });
  cleanup.add(startedWorker.program.kill);
  const operator = { POSTRIDER_URL: `http://127.0.0.1:${apiPort}`, ADMIN_TOKEN: adminToken };
  const shown = await deliverEvent(cli, operator, receiver.hookUrl);
  await Promise.all([stopArtefact(startedApi), stopArtefact(startedWorker)]);
  return [line(api, startedApi), line(worker, startedWorker), line(cli), '', shown.trimEnd()];
}

/**
 * `npm run test:artefacts`: assembles what the images hold, makes sure that nothing else is in it, and
 * starts, migrates and delivers an event from it, each process confined to its own files. Says how large they
 * are and how long they take to start. Rejects at the first thing that is not as it should be.
 */
export async function proveArtefacts(): Promise<void> {
  const cleanup = createCleanup((error) => process.stderr.write(`${error}\n`));
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'postrider-artefacts-')));
  cleanup.add(() => rm(directory, { recursive: true }));
  try {
    const lines = await prove(await assembleAll(directory), cleanup);
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    await cleanup.run();
  }
}
