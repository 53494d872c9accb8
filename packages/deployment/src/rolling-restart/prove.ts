import { setTimeout as wait } from 'node:timers/promises';
import { type Cleanup, createCleanup } from '@postrider/local-stack';
import getPort from 'get-port';
import type { Artefact } from '../artefacts/assemble.ts';
import { provision } from '../artefacts/deliver.ts';
import { postrider, type Started, startArtefact, stopArtefact } from '../artefacts/processes.ts';
import { assembleAll, openInstallation } from '../installation.ts';
import { judge } from './judge.ts';
import { loadDuring } from './load.ts';
import { type CountingReceiver, startCountingReceiver } from './receiver.ts';
import { startReverseProxy } from './reverse-proxy.ts';

const APIS = 2;
const WORKERS = 3;
const ROUNDS = 3;
/** Before, between and after the restarts: the proxy has then seen who is ready. */
const SETTLE_MS = 1_500;
const DRAIN_DEADLINE_MS = 60_000;
const POLL_MS = 100;

/** A process of an artefact that can be replaced by another one at the same port. */
interface Place {
  readonly url: string;
  /** Stops it in order and starts it again; resolves with the milliseconds that stopping took. */
  restart(): Promise<number>;
}

async function openPlace(
  artefact: Artefact<'api' | 'worker'>,
  environment: (port: number) => NodeJS.ProcessEnv,
  cleanup: Cleanup,
): Promise<Place> {
  const port = await getPort({ host: '127.0.0.1' });
  let started: Started | null = null;
  const start = async () => {
    started = await startArtefact(artefact, { port, env: environment(port) });
    cleanup.add(started.program.kill);
    return started;
  };
  const { url } = await start();
  return {
    url,
    async restart() {
      const began = performance.now();
      if (started) await stopArtefact(started);
      const stopMs = performance.now() - began;
      await start();
      return stopMs;
    },
  };
}

async function untilDelivered({ sends }: CountingReceiver, runIds: readonly string[]): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_DEADLINE_MS;
  while (runIds.some((id) => !sends.has(id)) && performance.now() < giveUpAt) await wait(POLL_MS);
}

async function prove(cleanup: Cleanup) {
  const { api, worker, cli } = await assembleAll(cleanup);
  const { databaseUrl, adminToken, environment } = await openInstallation(cleanup);
  await postrider(cli, ['migrate'], { DATABASE_URL: databaseUrl });
  const places: Place[] = [];
  const artefacts: Artefact<'api' | 'worker'>[] = [...Array(APIS).fill(api), ...Array(WORKERS).fill(worker)];
  for (const artefact of artefacts) {
    places.push(await openPlace(artefact, environment, cleanup));
  }
  const receiver = await startCountingReceiver();
  cleanup.add(receiver.close);
  const proxy = await startReverseProxy(places.slice(0, APIS).map(({ url }) => url));
  cleanup.add(proxy.close);
  const token = await provision(cli, { POSTRIDER_URL: proxy.url, ADMIN_TOKEN: adminToken }, receiver.url);
  const stops: number[] = [];
  const load = await loadDuring({ url: proxy.url, token }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const place of places) {
        await wait(SETTLE_MS);
        stops.push(await place.restart());
      }
    }
    await wait(SETTLE_MS);
  });
  await untilDelivered(receiver, load.runIds);
  return judge({ load, sends: receiver.sends, stops, unanswered: proxy.unanswered() });
}

/**
 * `npm run test:rolling-restart`: restarts every process of an installation in turn, while clients send
 * events through a reverse proxy that never tries twice. Prints the figures; rejects when a request failed, or a
 * delivery was lost or sent twice.
 */
export async function proveRollingRestart(): Promise<void> {
  const cleanup = createCleanup((error) => process.stderr.write(`${error}\n`));
  try {
    const { figures, faults } = await prove(cleanup);
    const what = `${APIS} API and ${WORKERS} worker processes, ${ROUNDS} rounds`;
    process.stdout.write(`${[what, ...figures].join('\n')}\n`);
    if (faults.length > 0)
      throw new Error(`The rolling restart was noticed:\n${faults.slice(0, 20).join('\n')}`);
  } finally {
    await cleanup.run();
  }
}
