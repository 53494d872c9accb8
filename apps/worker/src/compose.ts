import {
  createClaim,
  createFinish,
  createLazyReseal,
  createRunChannelLookup,
  databaseErrorCodes,
  disableChannel,
  findDueRunsOfChannel,
  openDatabase,
  pendingMigrations,
} from '@postrider/db';
import {
  type ChannelKind,
  createAddressPolicy,
  createSecretBox,
  createUuidV7Source,
} from '@postrider/domain';
import { createProducer, DEFAULT_KEY_PREFIX } from '@postrider/queue';
import { createRenderer } from '@postrider/rendering';
import {
  checkReadiness,
  createBoundedLog,
  createHealthServer,
  createMetrics,
  type Logger,
} from '@postrider/telemetry';
import { createEmailChannel } from './channels/email.ts';
import { CONNECTIONS_PER_CHANNEL } from './channels/smtp-transports.ts';
import { createWebhookChannel } from './channels/webhook.ts';
import type { Config } from './config.ts';
import { createConsumer } from './consume.ts';
import { runAttempt } from './deliver/attempt.ts';
import { createDelivering, WRITE_ALLOWANCE_MS } from './deliver/deliver.ts';
import { createReport } from './deliver/report.ts';
import { createSlots } from './deliver/slots.ts';
import { settlesWithin } from './settles-within.ts';
import { type SweepIntervals, startSweeps } from './sweeps/start.ts';
import { createWatchdog, type WatchdogBounds } from './watchdog.ts';

/** Connections to Postgres: claims and finishes are batched, so a few carry all slots. */
const POOL_SIZE = 10;
/** Entries per kind of fault and minute: an outage must not fill the log. */
const LOG_LINES_PER_MINUTE = 5;
/** Longest wait for the closing of connections, which a silent network may hold for good. */
const CLOSE_ALLOWANCE_MS = 3_000;

/** What tests set apart from the environment. */
export interface ComposeOptions {
  readonly keyPrefix?: string;
  readonly sweepIntervals?: SweepIntervals;
  readonly nearHorizonMs?: number;
  readonly watchdogBounds?: WatchdogBounds;
  /** Told when no consumer gets jobs any more, and only a new process can. */
  readonly onGiveUp?: (reason: string) => void;
}

export interface RunningWorker {
  /** Port of the health server. */
  readonly port: number;
  /**
   * Stops taking jobs, waits for the open attempts, ends and writes what is open at the deadline, closes
   * everything. Resolves within 5 s of the deadline, also when something does not close; that is logged. A
   * second call waits for the first.
   */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Wires the worker together and starts it. Needs neither Postgres nor Redis to be there: it begins when they
 * are.
 */
export async function startWorker(
  config: Config,
  logger: Logger,
  {
    keyPrefix = DEFAULT_KEY_PREFIX,
    sweepIntervals,
    nearHorizonMs,
    watchdogBounds,
    onGiveUp,
  }: ComposeOptions = {},
): Promise<RunningWorker> {
  const metrics = createMetrics('worker');
  const log = createBoundedLog(logger, { perKeyPerMinute: LOG_LINES_PER_MINUTE });
  const logAs = (key: string, message: string) => (error: unknown) =>
    log.error(key, message, { error, database_codes: databaseErrorCodes(error) });
  const monotonicMs = () => performance.now();
  const jitter = Math.random;

  const db = openDatabase(config.databaseUrl, { poolSize: POOL_SIZE });
  const producer = createProducer({
    redisUrl: config.redisUrl,
    prefix: keyPrefix,
    ...(nearHorizonMs === undefined ? {} : { nearHorizonMs }),
    onError: logAs('redis', 'jobs cannot be added'),
  });
  const renderer = createRenderer({ onError: logAs('rendering', 'a render thread died') });
  const isAddressAllowed = createAddressPolicy(config.egressAllowCidrs);
  const channels = {
    email: createEmailChannel({ isAddressAllowed }),
    webhook: createWebhookChannel({ isAddressAllowed }),
  };
  const slots = createSlots(config.concurrency, { perChannel: { email: CONNECTIONS_PER_CHANNEL } });
  const newId = createUuidV7Source();
  const secretBox = createSecretBox(config.encryptionKeys);
  const attemptDeps = {
    secretBox,
    resealSecrets: createLazyReseal({
      db,
      secretBox,
      onError: logAs('reseal', 'a secret could not be sealed with the current key'),
    }),
    renderer,
    channels,
    finish: createFinish(db),
    disableChannel: (channelId: string, reason: string) =>
      disableChannel({ db, newId }, { channelId, reason }),
    enqueue: producer.enqueue,
    jitter,
    monotonicMs,
  };
  const findChannel = createRunChannelLookup(db);
  const delivering = createDelivering({
    slots,
    findChannel,
    findDueRuns: (channelId, limit) => findDueRunsOfChannel(db, { channelId, limit }),
    claim: createClaim(db),
    newId,
    runAttempt: (run, bounds) => runAttempt(attemptDeps, run, bounds),
    report: createReport(logger, metrics),
    onError: logAs('delivery', 'a run could not be taken up'),
    monotonicMs,
  });
  const consume = (kind: ChannelKind) =>
    createConsumer(kind, delivering.deliver, {
      redisUrl: config.redisUrl,
      prefix: keyPrefix,
      concurrency: config.concurrency,
      onError: logAs(`consumer:${kind}`, 'jobs cannot be taken, or one could not be handled'),
    });
  const consumerOf = { email: consume('email'), webhook: consume('webhook') };
  const consumers = Object.values(consumerOf);
  const recoveries = metrics.counter(
    'postrider_consumer_recoveries_total',
    'Consumers that were replaced because they got no jobs although runs were due.',
    ['kind'],
  );
  const watchQueue = createWatchdog({
    consumers: consumerOf,
    isPaused: producer.paused,
    onRecover(kind) {
      recoveries.inc({ kind });
      logger.warn('a consumer got no jobs although runs are due: it is replaced', { kind });
    },
    onGiveUp: (kind) => onGiveUp?.(`the consumer of ${kind} jobs gets none although runs are due`),
    monotonicMs,
    ...(watchdogBounds ? { bounds: watchdogBounds } : {}),
  });
  const sweeps = startSweeps({
    db,
    producer,
    parking: delivering.parking,
    watchQueue,
    log,
    newId,
    jitter,
    monotonicMs,
    ...(sweepIntervals ? { intervals: sweepIntervals } : {}),
    ...(nearHorizonMs === undefined ? {} : { nearHorizonMs }),
  });

  metrics.gauge('postrider_slots_in_use', 'Deliveries that are open.', [], (gauge) =>
    gauge.set(slots.inUse()),
  );
  metrics.gauge('postrider_channels_parked', 'Channels that wait for a slot.', [], (gauge) =>
    gauge.set(delivering.parking.parked().length),
  );

  let stopped: Promise<void> | undefined;
  const health = await createHealthServer({
    port: config.port,
    host: config.host,
    ready: () =>
      checkReadiness({
        findPendingMigrations: () => pendingMigrations(db),
        isRedisReady: producer.ready,
      }),
    isStopping: () => stopped !== undefined,
    metrics,
  });

  async function stop(deadlineMs: number): Promise<void> {
    delivering.stopTaking();
    const background = [...consumers.map((consumer) => consumer.pause()), sweeps.stop()];
    // A sweep that waits for a silent Postgres, or a consumer for Redis, shall not take the attempts' time.
    await Promise.all([
      delivering.drain(deadlineMs),
      settlesWithin(background, deadlineMs + WRITE_ALLOWANCE_MS),
    ]);
    channels.email.close();
    channels.webhook.close();
    const closings = [
      ...consumers.map((consumer) => consumer.close()),
      producer.close(),
      renderer.close(),
      health.close(),
      db.$disconnect(),
    ].map((closing) => closing.catch(logAs('stop', 'something could not be closed')));
    if (!(await settlesWithin(closings, CLOSE_ALLOWANCE_MS))) {
      log.warn('stop', 'something did not close in time', { allowance_ms: CLOSE_ALLOWANCE_MS });
    }
    log.flush();
  }

  return {
    port: health.port,
    stop(deadlineMs) {
      stopped ??= stop(deadlineMs);
      return stopped;
    },
  };
}
