import {
  acrossEnvironments,
  findSessionFault,
  openPooledDatabase,
  pendingMigrations,
  readBacklog,
} from '@postrider/db';
import { createUuidV7Source } from '@postrider/domain';
import { createProducer, DEFAULT_KEY_PREFIX, withDeadline } from '@postrider/queue';
import {
  checkReadiness,
  createBoundedLog,
  createHealthServer,
  createMetrics,
  type Logger,
  measureBacklog,
  measureBreakers,
  measurePool,
  openTracing,
} from '@postrider/telemetry';
import type { Config } from './config.ts';
import { wireDelivery } from './deliver/wire.ts';
import { createLogErrors } from './log-errors.ts';
import { stopInOrder } from './stop.ts';
import { type SweepIntervals, startSweeps } from './sweeps/start.ts';
import type { WatchdogBounds } from './watchdog.ts';
import { startConsumers } from './watched-consumers.ts';

/** Connections to Postgres: claims and finishes are batched, so a few carry all slots. */
const POOL_SIZE = 10;
/** Entries per kind of fault and minute: an outage must not fill the log. */
const LOG_LINES_PER_MINUTE = 5;
/** Well below the 10 s that Prometheus waits for a scrape. */
const BACKLOG_DEADLINE_MS = 2_000;

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
  /** See {@link stopInOrder}. A second call waits for the first. */
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
  const tracing = await openTracing({ ...config, service: 'postrider-worker', logger });
  const log = createBoundedLog(logger, { perKeyPerMinute: LOG_LINES_PER_MINUTE });
  const logErrors = createLogErrors(log);
  const monotonicMs = () => performance.now();
  const jitter = Math.random;
  const newId = createUuidV7Source();

  const { db, poolUse } = openPooledDatabase(config.databaseUrl, { poolSize: POOL_SIZE });
  // Sweeps find what is due, of whichever environment it is.
  const across = acrossEnvironments(db);
  void findSessionFault(db).then((fault) => fault && logger.warn(fault));
  const producer = createProducer({
    redisUrl: config.redisUrl,
    prefix: keyPrefix,
    ...(nearHorizonMs === undefined ? {} : { nearHorizonMs }),
    onError: logErrors('redis', 'jobs cannot be added'),
    onUnsafeEviction: (policy) =>
      logger.warn('a full Redis throws jobs away: its maxmemory-policy should be noeviction', {
        maxmemory_policy: policy,
      }),
  });
  const delivery = wireDelivery({
    config,
    db,
    enqueue: producer.enqueue,
    logger,
    logErrors,
    metrics,
    tracing,
    newId,
    jitter,
    monotonicMs,
  });
  const { delivering, slots } = delivery;
  const consumers = startConsumers({
    config,
    keyPrefix,
    deliver: delivering.deliver,
    isPaused: producer.paused,
    logger,
    logErrors,
    metrics,
    monotonicMs,
    watchdogBounds,
    onGiveUp,
  });
  const sweeps = startSweeps({
    db: across,
    metrics,
    onReleased: delivery.onReleased,
    producer,
    parking: delivering.parking,
    watchQueue: consumers.watchQueue,
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

  measureBacklog(metrics, {
    read: () => withDeadline(readBacklog(across), BACKLOG_DEADLINE_MS, 'reading the backlog'),
    monotonicMs,
  });
  measurePool(metrics, poolUse);
  measureBreakers(metrics, { queue: () => !producer.ready() });

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

  const stop = (deadlineMs: number) =>
    stopInOrder(
      {
        delivering,
        consumers,
        sweeps,
        closings: () => [
          producer.close(),
          delivery.close(),
          health.close(),
          db.$disconnect(),
          ...(tracing ? [tracing.close()] : []),
        ],
        log,
        logErrors,
        monotonicMs,
      },
      deadlineMs,
    );

  return {
    port: health.port,
    stop(deadlineMs) {
      stopped ??= stop(deadlineMs);
      return stopped;
    },
  };
}
