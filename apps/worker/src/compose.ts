import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import {
  acrossEnvironments,
  createServiceKeys,
  describeDatabaseError,
  findSessionWarning,
  inShare,
  openPooledDatabase,
  type PoolShares,
  readBacklog,
  readDatabaseState,
  withShare,
} from '@postrider/db';
import { createSecretBox, createUuidV7Source, withDeadline } from '@postrider/domain';
import { createListenerRelay, createProducer, DEFAULT_KEY_PREFIX, openRedis } from '@postrider/queue';
import type { createRenderer } from '@postrider/rendering';
import {
  checkReadiness,
  countRefusals,
  createBoundedLog,
  createHealthServer,
  createLogDatabaseErrors,
  createLogErrors,
  createMetrics,
  createMetricsServer,
  type Logger,
  measureBacklog,
  measureBreakers,
  measurePool,
  openTracing,
} from '@postrider/telemetry';
import type { Config } from './config.ts';
import { wireDelivery } from './deliver/wire.ts';
import { measureWaiting } from './measure-waiting.ts';
import { createIsolatedProcess } from './quarantine/isolated-process.ts';
import { startQuarantine } from './quarantine/quarantine.ts';
import { startScheduling } from './scheduler/start.ts';
import { stopInOrder } from './stop.ts';
import { type SweepPauses, startSweeps } from './sweeps/start.ts';

/** Connections to PostgreSQL. Claims and finishes are batched, so a few serve all slots. */
const POOL_SIZE = 10;

/** With ten connections, slow sweeps use at most three and slow housekeeping two, so deliveries keep five. */
function sharesOf(poolSize: number): PoolShares {
  const housekeep = Math.max(1, Math.floor(poolSize / 5));
  const sweep = Math.max(1, Math.floor((3 * poolSize) / 10));
  return {
    work: { connections: Math.max(1, poolSize - sweep - housekeep) },
    sweep: { connections: sweep },
    housekeep: { connections: housekeep },
  };
}

/** Milliseconds without a response after which the connection for listeners counts as dead. */
const SILENCE_LIMIT_MS = 5_000;
/** Lines per key, so that an outage does not fill the log. */
const LOG_LINES_PER_MINUTE = 5;
/** Well below the 10 s that Prometheus waits for a scrape. */
const BACKLOG_DEADLINE_MS = 2_000;

/** Options that only tests set. */
export interface ComposeOptions {
  /** The channel kinds; those of the service by default. The isolated process only knows those. */
  readonly kinds?: ChannelRegistry;
  readonly keyPrefix?: string;
  /** Whether to measure memory, processor time and the event loop, which no call can stop; true by default. */
  readonly processMetrics?: boolean;
  /** Creates the renderer of templates; by default one with its own processes. */
  readonly openRenderer?: typeof createRenderer;
  /** Connections to PostgreSQL. */
  readonly poolSize?: number;
  readonly sweepPauses?: SweepPauses;
  readonly nearHorizonMs?: number;
  /** Seconds for which an erasure looks for late messages; see `ErasureDeps`. */
  readonly lateMessagesSeconds?: number;
  /** Extra Node.js arguments for the isolated process. */
  readonly isolatedExecArgv?: readonly string[];
}

export interface RunningWorker {
  /** Port of the health server. */
  readonly port: number;
  /** Port of `/metrics`; null if there is none. */
  readonly metricsPort: number | null;
  /** See {@link stopInOrder}. A second call waits for the first. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Connects all parts of the worker and starts it. PostgreSQL and Redis need not be reachable yet: delivery starts
 * when they are.
 */
export async function startWorker(
  config: Config,
  logger: Logger,
  {
    kinds = channelKinds,
    keyPrefix = DEFAULT_KEY_PREFIX,
    processMetrics = true,
    openRenderer,
    poolSize = POOL_SIZE,
    sweepPauses,
    nearHorizonMs,
    lateMessagesSeconds,
    isolatedExecArgv,
  }: ComposeOptions = {},
): Promise<RunningWorker> {
  const metrics = createMetrics('worker', { processMetrics });
  const tracing = await openTracing({ ...config, service: 'postrider-worker', logger });
  const log = createBoundedLog(logger, { perKeyPerMinute: LOG_LINES_PER_MINUTE });
  const logDatabaseErrors = createLogDatabaseErrors(log, logger, describeDatabaseError);
  const logErrors = createLogErrors(log);
  const monotonicMs = performance.now.bind(performance);
  const jitter = Math.random;
  const newId = createUuidV7Source();

  const { db, poolUse } = openPooledDatabase(config.databaseUrl, { shares: sharesOf(poolSize) });
  // Sweeps and the quarantine search the due runs of all environments.
  const across = acrossEnvironments(db);
  void inShare('housekeep', () => findSessionWarning(db)).then((warning) => warning && logger.warn(warning));
  const producer = createProducer({
    redisUrl: config.redisUrl,
    prefix: keyPrefix,
    shards: config.queueShards,
    ...(nearHorizonMs === undefined ? {} : { nearHorizonMs }),
    onError: logErrors('redis', 'jobs cannot be added'),
    onUnsafeEviction: (policy) =>
      logger.warn('a full Redis evicts jobs: set its maxmemory-policy to noeviction', {
        maxmemory_policy: policy,
      }),
  });
  const relayRedis = openRedis(config.redisUrl, { offline: 'fail-fast', silenceLimitMs: SILENCE_LIMIT_MS });
  relayRedis.on('error', logErrors('redis', 'deliveries cannot be handed to listeners'));
  const serviceKeys = createServiceKeys({ db, secretBox: createSecretBox(config.encryptionKeys) });
  const delivery = await wireDelivery({
    config,
    db,
    serviceKeys,
    kinds,
    openRenderer,
    enqueue: producer.enqueue,
    relayToListener: createListenerRelay(relayRedis, keyPrefix).deliver,
    logger,
    logDatabaseErrors,
    logErrors,
    metrics,
    tracing,
    newId,
    jitter,
    monotonicMs,
  });
  const { delivering, claims, slots, renders } = delivery;
  const scheduling = startScheduling({
    config,
    kinds,
    keyPrefix,
    across,
    producer,
    claims,
    slots,
    renders,
    deliver: delivering.deliver,
    metrics,
    logDatabaseErrors,
    logErrors,
    newId,
    jitter,
    monotonicMs,
  });
  const sweeps = startSweeps({
    db: across,
    serviceKeys,
    kinds,
    metrics,
    onReleased: delivery.measures.released,
    auditEnvironment: config.auditEnvironment,
    // Somebody who edits the database cannot edit this line: `audit verify --expect-head` compares it.
    onChained: ({ sequence, hash }) =>
      logger.info('audit log chained', { head: `${sequence}:${Buffer.from(hash).toString('hex')}` }),
    enqueue: producer.enqueue,
    log,
    logDatabaseErrors,
    newId,
    jitter,
    pauses: sweepPauses,
    lateMessagesSeconds,
  });
  const quarantine = startQuarantine({
    db: across,
    isolated: createIsolatedProcess({
      config,
      execArgv: isolatedExecArgv,
      onMessage(message) {
        if (message.type === 'attempted') delivery.measures.attempted(message.run, message.outcome);
        else void producer.enqueue(message.wakeUps);
      },
    }),
    newId,
    logger,
    onError: logDatabaseErrors('quarantine', 'runs in quarantine cannot be tried'),
    onEnded: delivery.measures.endedAlone,
    jitter,
    monotonicMs,
  });

  metrics.gauge('postrider_slots_in_use', 'Deliveries that are open.', [], (gauge) =>
    gauge.set(config.concurrency - slots.free()),
  );
  metrics.gauge('postrider_channels_parked', 'Channels that wait for a slot or for rendering.', [], (gauge) =>
    gauge.set(slots.waiting() + renders.waiting()),
  );

  measureWaiting(metrics, across);

  measureBacklog(metrics, {
    read: withShare('housekeep', () =>
      withDeadline(readBacklog(across, kinds.kinds), BACKLOG_DEADLINE_MS, 'reading the backlog'),
    ),
    monotonicMs,
  });
  measurePool(metrics, poolUse);
  measureBreakers(metrics, { queue: () => !producer.ready() });

  let stopped: Promise<void> | undefined;
  const { host } = config;
  const onRefused = countRefusals(metrics);
  const health = {
    ready: () =>
      checkReadiness({
        readDatabaseState: withShare('work', () => readDatabaseState(db)),
        isRedisReady: producer.ready,
      }),
    isStopping: () => stopped !== undefined,
  };
  const metricsServer = await createMetricsServer({
    port: config.metricsPort,
    host,
    metrics,
    onRefused,
    health,
  });
  const healthServer = await createHealthServer({ port: config.port, host, onRefused, ...health });

  const stop = (deadlineMs: number) =>
    stopInOrder(
      {
        scheduling,
        delivering: {
          async drain(ms) {
            await Promise.all([delivering.drain(ms), quarantine.stop(ms)]);
          },
        },
        sweeps,
        closings: () => [
          producer.close(),
          delivery.close().finally(() => relayRedis.disconnect()),
          healthServer.stop(),
          ...(metricsServer ? [metricsServer.stop()] : []),
          db.$disconnect(),
          ...(tracing ? [tracing.close()] : []),
        ],
        log,
        logDatabaseErrors,
        monotonicMs,
      },
      deadlineMs,
    );

  return {
    port: healthServer.port,
    metricsPort: metricsServer?.port ?? null,
    stop(deadlineMs) {
      stopped ??= stop(deadlineMs);
      return stopped;
    },
  };
}
