/**
 * Entry point of the isolated process, in which a worker tries quarantined runs one at a time. It is a worker without
 * queues, sweeps and health server that claims only such runs. The parent passes its configuration over the IPC
 * channel.
 */

import { channelKinds } from '@postrider/channels';
import {
  acrossEnvironments,
  createServiceKeys,
  describeDatabaseError,
  findWaitingRuns,
  openDatabase,
} from '@postrider/db';
import { createSecretBox, createUuidV7Source } from '@postrider/domain';
import { outliveParentBy } from '@postrider/rendering';
import {
  createBoundedLog,
  createLogDatabaseErrors,
  createLogErrors,
  createLogger,
  createMetrics,
} from '@postrider/telemetry';
import type { Config } from '../config.ts';
import type { Delivering } from '../deliver/attempt.ts';
import { wireDelivery } from '../deliver/wire.ts';
import { createChannelFacts, type RunToTry } from '../scheduler/claim-batching.ts';
import { holderOf } from '../scheduler/permits.ts';
import type { FromIsolated, ToIsolated } from './isolated-process.ts';

/** One for the attempt, one for its background writes. */
const POOL_SIZE = 2;
const LOG_LINES_PER_MINUTE = 5;
/** The time that an open attempt has after the parent's death. A result that is not written by then is lost. */
const ORPHAN_DEADLINE_MS = 20_000;
/** The orphaned process is killed after this time: the deadline plus the time to write the result. */
const ORPHAN_LIMIT_MS = 30_000;

/** The slot of a process that has one run at a time. */
const ONLY_SLOT = { release: () => undefined };

interface Isolated {
  tryRun(run: RunToTry): Promise<void>;
  drain: Delivering['drain'];
}

function send(message: FromIsolated): Promise<void> {
  // The end of the IPC channel ends this process.
  return new Promise((resolve) => (process.connected ? process.send?.(message, () => resolve()) : resolve()));
}

async function begin(config: Config): Promise<Isolated> {
  const db = openDatabase(config.databaseUrl, { poolSize: POOL_SIZE });
  const logger = createLogger({ service: 'worker', level: config.logLevel }).child({ isolated: true });
  const log = createBoundedLog(logger, { perKeyPerMinute: LOG_LINES_PER_MINUTE });
  const logDatabaseErrors = createLogDatabaseErrors(log, logger, describeDatabaseError);
  const keys = createServiceKeys({ db, secretBox: createSecretBox(config.encryptionKeys) });
  const stop = new AbortController();
  const monotonicMs = () => performance.now();
  const across = acrossEnvironments(db);
  const { delivering, claims, renders } = await wireDelivery({
    serviceKeys: keys,
    config: { ...config, concurrency: 1 },
    db,
    kinds: channelKinds,
    enqueue: (wakeUps) => send({ type: 'enqueue', wakeUps }),
    logger,
    logDatabaseErrors,
    logErrors: createLogErrors(log),
    metrics: createMetrics('worker', { processMetrics: false }),
    tracing: null,
    newId: createUuidV7Source(),
    jitter: Math.random,
    monotonicMs,
    report: (run, outcome) => void send({ type: 'attempted', run, outcome }),
  });
  const onError = logDatabaseErrors('delivery', 'a run could not be tried in isolation');
  const factsOf = createChannelFacts(across);
  const { signal } = stop;

  /**
   * Returns whether this process got the run, and resolves when its delivery has ended. Rejects if PostgreSQL is unreachable, or
   * no render process starts.
   */
  async function deliverAlone(asked: RunToTry): Promise<boolean> {
    const [waiting] = await findWaitingRuns(across, [asked.runId]);
    const channel = waiting && (await factsOf(waiting.channelId));
    if (!channel || signal.aborted) return false;
    const render = waiting.needsRender ? await renders.acquire(holderOf(channel), signal) : undefined;
    if (signal.aborted) return false;
    if (render === null) throw new Error('no render process started');
    const permits = { slot: ONLY_SLOT, render, askedAt: monotonicMs() };
    try {
      const answer = await claims.claimRun(channel, asked);
      const [run] = answer?.runs ?? [];
      if (run) await delivering.deliver(run, permits);
      const refused = answer?.refused ?? [];
      return run !== undefined || (refused.length > 0 && (await claims.refuse(channel, refused)) > 0);
    } finally {
      render?.release();
    }
  }

  return {
    async tryRun(run) {
      let claimed = false;
      let failed = false;
      try {
        claimed = await deliverAlone(run);
      } catch (error) {
        failed = true;
        onError(error);
      }
      await send({ type: 'done', claimed, failed });
    },
    drain(deadlineMs) {
      stop.abort();
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

// The parent handles a signal to the whole process group and stops this process gracefully.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
outliveParentBy(ORPHAN_LIMIT_MS);
process.on('disconnect', () => void stop(ORPHAN_DEADLINE_MS));
// The parent disconnected before the listener was registered.
if (!process.connected) process.exit();
process.on('message', (message: ToIsolated) => {
  if (message.type === 'begin') {
    isolated = begin(message.config);
    void isolated.then(() => send({ type: 'ready' }));
  } else if (message.type === 'try') trying = tryRun(message);
  else void stop(message.deadlineMs);
});
