import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Cleanup, createCleanup } from '@postrider/local-stack';
import type { Service } from '@postrider/local-stack/testing';
import { createDriver, createRandom, startHttpReceiver, startLoad, waitFor } from '@postrider/rig';
import { postrider, provision, startArtefact, stopArtefact } from '../artefacts/processes.ts';
import { assembleAll, openInstallation } from '../installation.ts';
import { acknowledgedRuns, checkRestart } from './check-restart.ts';
import { startReverseProxy } from './reverse-proxy.ts';

const APIS = 2;
const WORKERS = 3;
const ROUNDS = 3;
/** Requests at once, and each lane's pause between two of them: a load for two cores. */
const LANES = 16;
const PAUSE_MS = 50;
/** The pause before, between and after restarts, in which the proxy notices which processes are ready. */
const SETTLE_MS = 1_500;
const DRAIN_TIMEOUT_MS = 60_000;
/** Makes it likely that attempts are open when their worker is stopped. */
const ANSWER_DELAY_MS = 100;

/** Accepts every webhook with a short delay, and counts it by its `webhook-id`. */
async function countSends(cleanup: Cleanup) {
  const sends = new Map<string, number>();
  const receiver = await startHttpReceiver(async ({ headers }, response) => {
    const id = String(headers['webhook-id']);
    sends.set(id, (sends.get(id) ?? 0) + 1);
    await wait(ANSWER_DELAY_MS);
    response.end();
  });
  cleanup.add(receiver.close);
  return { url: receiver.url, sends };
}

/** Restarts the processes one after the other, and returns how many milliseconds each took to stop. */
async function restartAll(services: readonly Service[]): Promise<number[]> {
  const stops: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const service of services) {
      await wait(SETTLE_MS);
      stops.push(await stopArtefact(service));
      await service.start();
    }
  }
  await wait(SETTLE_MS);
  return stops;
}

async function prove(cleanup: Cleanup) {
  const { api, worker, cli } = await assembleAll(cleanup);
  const { databaseUrl, adminToken, environment } = await openInstallation(cleanup);
  await postrider(cli, ['migrate'], { DATABASE_URL: databaseUrl });
  const services: Service[] = [];
  for (const artefact of [...Array(APIS).fill(api), ...Array(WORKERS).fill(worker)]) {
    services.push((await startArtefact(artefact, environment, cleanup)).service);
  }
  const { url: hookUrl, sends } = await countSends(cleanup);
  const proxy = await startReverseProxy(services.slice(0, APIS).map(({ url }) => url));
  cleanup.add(proxy.close);
  const operator = { POSTRIDER_URL: proxy.url, ADMIN_TOKEN: adminToken };
  const token = await provision((args) => postrider(cli, args, operator), 'starter', hookUrl);
  const random = createRandom(randomInt(2 ** 31));
  const driver = createDriver({ urls: () => [proxy.url], token, random });
  const over = new AbortController();
  const load = startLoad({
    driver,
    random,
    concurrency: LANES,
    pauseMs: PAUSE_MS,
    isOnce: true,
    signal: over.signal,
  });
  const stops = await restartAll(services).finally(() => over.abort());
  await load.done;
  const client = driver.ledger;
  const hasAll = () => acknowledgedRuns(client).every((id) => sends.has(id));
  // What has not arrived by then counts as lost.
  await waitFor('every delivery', hasAll, { timeoutMs: DRAIN_TIMEOUT_MS }).catch(() => undefined);
  return checkRestart({ client, sends, stops, unanswered: proxy.unanswered() });
}

/**
 * `npm run test:rolling-restart`: restarts every process of an installation in turn, while clients send events through
 * a reverse proxy that never retries. Prints the figures; rejects if a request failed, or a delivery was lost or sent
 * twice.
 */
export async function proveRollingRestart(): Promise<void> {
  const cleanup = createCleanup();
  try {
    const { figures, issues } = await prove(cleanup);
    const what = `${APIS} API and ${WORKERS} worker processes, ${ROUNDS} rounds`;
    process.stdout.write(`${[what, ...figures].join('\n')}\n`);
    if (issues.length > 0)
      throw new Error(`The rolling restart was noticed:\n${issues.slice(0, 20).join('\n')}`);
  } finally {
    await cleanup.run();
  }
}
