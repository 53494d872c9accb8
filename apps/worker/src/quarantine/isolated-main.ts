/**
 * Entry of the process in which a worker tries runs in quarantine, one at a time and nothing else. It is a
 * worker without queues, sweeps and health server, whose claim takes such runs. The worker gives it everything
 * over the channel between them.
 */
import { channelKinds } from '@postrider/channels';
import {
  createAddressHashKey,
  createClaim,
  createServiceKeys,
  isTakenByClaim,
  openDatabase,
} from '@postrider/db';
import { createSecretBox, createUuidV7Source } from '@postrider/domain';
import { createBoundedLog, createLogger, createMetrics } from '@postrider/telemetry';
import type { Config } from '../config.ts';
import type { Delivering } from '../deliver/deliver.ts';
import { wireDelivery } from '../deliver/wire.ts';
import { createLogErrors, KEY_LOST } from '../log-errors.ts';
import type { FromIsolated, RunToTry, ToIsolated } from './messages.ts';
import { outliveParentBy } from './outlive-parent.ts';

/** One attempt at a time needs one connection, and its background writes another. */
const POOL_SIZE = 2;
const LOG_LINES_PER_MINUTE = 5;
/** What an open attempt has left once the worker is gone; what it has not written then is lost with it. */
const ORPHAN_DEADLINE_MS = 20_000;
/** The end by force of an orphan, after the deadline and the writing that follows it. */
const ORPHAN_LIMIT_MS = 30_000;

interface Isolated {
  tryRun(run: RunToTry): Promise<void>;
  drain: Delivering['drain'];
}

function send(message: FromIsolated): Promise<void> {
  // When the channel is closed, its end is what ends this process.
  return new Promise((resolve) => (process.connected ? process.send?.(message, () => resolve()) : resolve()));
}

async function begin(config: Config): Promise<Isolated> {
  const db = openDatabase(config.databaseUrl, { poolSize: POOL_SIZE });
  const logger = createLogger({ service: 'worker', level: config.logLevel }).child({ isolated: true });
  const logErrors = createLogErrors(createBoundedLog(logger, { perKeyPerMinute: LOG_LINES_PER_MINUTE }));
  const keys = createServiceKeys({ db, secretBox: createSecretBox(config.encryptionKeys) });
  const claim = createClaim(db, {
    inQuarantine: true,
    addressHashKey: createAddressHashKey(keys, logErrors('keys', KEY_LOST)),
  });
  let attemptId = '';
  let claimed = false;

  const { delivering } = await wireDelivery({
    serviceKeys: keys,
    config: { ...config, concurrency: 1 },
    db,
    kinds: channelKinds,
    async enqueue(runs) {
      await send({ type: 'enqueue', runs });
      return { enqueued: runs.length, failed: 0 };
    },
    logger,
    logErrors,
    metrics: createMetrics('worker', { processMetrics: false }),
    tracing: null,
    newId: createUuidV7Source(),
    jitter: Math.random,
    monotonicMs: () => performance.now(),
    async claim({ runId, environmentId }) {
      const outcome = await claim({ runId, environmentId, attemptId });
      claimed = isTakenByClaim(outcome);
      return outcome;
    },
    report: (run, report) => void send({ type: 'attempted', run, report }),
  });
  const onError = logErrors('delivery', 'a run could not be tried alone');

  return {
    async tryRun(run) {
      attemptId = run.attemptId;
      claimed = false;
      const taken = await delivering.deliver(run.runId).catch(onError);
      if (taken?.outcome === 'done') await taken.ended;
      await send({ type: 'done', claimed });
    },
    drain(deadlineMs) {
      delivering.stopStarting();
      return delivering.drain(deadlineMs);
    },
  };
}

let isolated: Promise<Isolated> | undefined;
let trying: Promise<void> = Promise.resolve();

async function tryRun(run: RunToTry): Promise<void> {
  await (await isolated)?.tryRun(run);
}

async function stop(deadlineMs: number): Promise<never> {
  await (await isolated)?.drain(deadlineMs);
  await trying;
  process.exit();
}

// Sent to the whole group, a signal is the worker's to obey: it ends this process in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
outliveParentBy(ORPHAN_LIMIT_MS);
process.on('disconnect', () => void stop(ORPHAN_DEADLINE_MS));
// The worker disconnected before the listener was registered.
if (!process.connected) process.exit();
process.on('message', (message: ToIsolated) => {
  if (message.type === 'begin') {
    isolated = begin(message.config);
    void isolated.then(() => send({ type: 'ready' }));
  } else if (message.type === 'try') trying = tryRun(message);
  else void stop(message.deadlineMs);
});
