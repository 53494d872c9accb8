import { randomBytes } from 'node:crypto';
import { type Cleanup, createCleanup, startWebhookReceiver } from '@postrider/local-stack';
import { type Artefacts, assembleAll, openInstallation } from '../installation.ts';
import { provePackages } from '../packages/prove.ts';
import type { Artefact } from './assemble.ts';
import {
  postrider,
  provision,
  type RunAsOperator,
  type Started,
  startArtefact,
  stopArtefact,
} from './processes.ts';

const MB = 1_000_000;

/** Migrates an empty database with two processes at once: one applies everything, the other nothing. */
async function migrateTwiceAtOnce(cli: Artefact, databaseUrl: string): Promise<void> {
  const migrate = () => postrider(cli, ['migrate'], { DATABASE_URL: databaseUrl });
  const printed = (await Promise.all([migrate(), migrate()])).sort();
  if (!printed[0]?.startsWith('applied ') || printed[1] !== 'up to date\n') {
    throw new Error(`Two migrations at once printed:\n${printed.join('')}`);
  }
}

/** Sends an event and returns the command's output about its deliveries. Rejects if it is not delivered. */
async function deliverEvent(run: RunAsOperator): Promise<string> {
  const event = ['--event-key', 'order.shipped', '--to', 'ada@example.com', '--payload', '{}', '--wait'];
  const shown = await run(['events', 'send', ...event]);
  if (!/ delivered$/m.test(shown)) throw new Error(`The event was not delivered:\n${shown}`);
  return shown;
}

function line({ target, files, bytes }: Artefact, started?: Started): string {
  const size = `${(bytes / MB).toFixed(1)} MB in ${files} files`;
  const start = started ? `, ready ${Math.round(started.startMs)} ms after its start` : '';
  return `${target.padEnd(8)}${size}${start}`;
}

async function prove({ api, worker, cli }: Artefacts, cleanup: Cleanup): Promise<string[]> {
  const { databaseUrl, adminToken, environment } = await openInstallation(cleanup);
  const receiver = await startWebhookReceiver({ secret: `whsec_${randomBytes(24).toString('base64')}` });
  cleanup.add(receiver.close);
  await migrateTwiceAtOnce(cli, databaseUrl);
  const startedApi = await startArtefact(api, environment, cleanup);
  const startedWorker = await startArtefact(worker, environment, cleanup);
  const operator = { POSTRIDER_URL: startedApi.service.url, ADMIN_TOKEN: adminToken };
  const token = await provision((args) => postrider(cli, args, operator), 'starter', receiver.hookUrl);
  const shown = await deliverEvent((args) => postrider(cli, args, { ...operator, POSTRIDER_TOKEN: token }));
  await Promise.all([startedApi, startedWorker].map(({ service }) => stopArtefact(service)));
  return [line(api, startedApi), line(worker, startedWorker), line(cli), '', shown.trimEnd()];
}

/**
 * `npm run test:artefacts`: assembles the contents of the images, checks that they contain nothing else, and migrates,
 * starts and delivers an event with them, each process confined to its own files. Then uses the packed packages in a project of
 * their own. Prints their sizes and start times.
 * Rejects at the first failure.
 */
export async function proveArtefacts(): Promise<void> {
  const cleanup = createCleanup();
  try {
    const lines = await prove(await assembleAll(cleanup), cleanup);
    const packages = await provePackages(cleanup);
    process.stdout.write(`${[...lines, '', ...packages].join('\n')}\n`);
  } finally {
    await cleanup.run();
  }
}
