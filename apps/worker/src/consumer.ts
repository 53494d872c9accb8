import type { ChannelRegistry } from '@postrider/channels';
import type { ChannelKind } from '@postrider/domain';
import {
  type JobRun,
  openRedis,
  type Producer,
  parseJobData,
  queueName,
  queuePrefix,
  type RedisClient,
  RUNS_PER_JOB,
  SPREAD_MS,
  toStoredJob,
} from '@postrider/queue';
import type { Logger, Metrics } from '@postrider/telemetry';
import { DelayedError, type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Config } from './config.ts';
import { type DeliverRun, PUT_BACK } from './deliver/deliver.ts';
import type { LogErrors } from './log-errors.ts';
import { createStallDetector, type SampleQueue, type StallBounds } from './stall-detector.ts';

/**
 * With these settings another worker takes over a killed worker's job after about 10 s; with the defaults it takes a
 * minute. The run's row decides whether it is sent, so a job may stall any number of times.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const MAX_STALLED = 1_000_000;
/**
 * Concurrent jobs. A job is open until its runs are claimed. The claims of this many jobs with one run each are enough to
 * end a pause (`lingerOf`).
 */
export const MAX_JOBS = 32;
/** BullMQ would wait for 15 s after the node that it needs was missing in a Cluster. */
const RETRY_AFTER_MS = 1_000;
/** BullMQ's blocking pop waits for at most 10 s, so a connection that is silent for longer is dead. */
const SILENCE_LIMIT_MS = 15_000;

interface ConsumerOptions {
  readonly redisUrl: string;
  readonly prefix: string;
  /** The shard of the kind's queue. Default: the first. */
  readonly shard?: number;
  /** One per concurrent run, shared by the consumers of the kind. */
  readonly places: Places;
  /** Called for each lost connection, each job that failed, and each run that could not be started. */
  readonly onError: (error: unknown) => void;
}

export interface Consumer {
  /** Jobs that this process has received since it started. */
  received(): number;
  /** Whether it can take another job: it is not stopping and has free places. */
  hasRoom(): boolean;
  /** Replaces the connections. Open jobs continue. */
  replace(): void;
  /** Stops taking jobs, and puts back runs that wait for a place. */
  pause(): Promise<void>;
  /**
   * Waits for open jobs, but not for the deliveries that they have started. Also waits for jobs that are being put
   * back; an interrupted one would stay locked by this process until its lock expires.
   */
  settled(): Promise<void>;
  /** Closes the connections without waiting for open jobs. */
  close(): Promise<void>;
}

/** A counting semaphore. */
export interface Places {
  /** Waits for a place; false if the semaphore was closed. */
  take(): Promise<boolean>;
  /** Releases a place. */
  give(): void;
  free(): number;
  /** Ends all waits. No further place is given. */
  close(): void;
}

/** Creates a semaphore with `total` places, which are given in the order of the calls to `take`. */
export function createPlaces(total: number): Places {
  const waiting: ((taken: boolean) => void)[] = [];
  let free = total;
  let isClosed = false;

  return {
    async take() {
      if (isClosed) return false;
      if (free === 0) return new Promise((resolve) => waiting.push(resolve));
      free -= 1;
      return true;
    },
    give() {
      const next = waiting.shift();
      if (next) next(true);
      else free += 1;
    },
    free: () => free,
    close() {
      isClosed = true;
      for (const refuse of waiting.splice(0)) refuse(false);
    },
  };
}

/** A BullMQ worker and its open jobs. */
interface CountedWorker {
  readonly redis: RedisClient;
  readonly worker: Worker;
  readonly open: Set<Promise<void>>;
}

/** A run that stays in its job, and the milliseconds after which to try it again. */
interface LeftRun extends JobRun {
  readonly delayMs: number;
}

/** The delay after which the first of the runs is due. Runs that are due almost together share one job. */
function delayOf(left: readonly LeftRun[]): number {
  const soonest = Math.min(...left.map(({ delayMs }) => delayMs));
  return Math.max(...left.map(({ delayMs }) => delayMs).filter((delayMs) => delayMs <= soonest + SPREAD_MS));
}

/**
 * Connects BullMQ to the delivery: parses each job and starts its runs. BullMQ decides nothing about a run. A job is
 * done when its runs are claimed: from then on leases cover them, and a slow endpoint does not delay the others.
 */
export function createConsumer(kind: ChannelKind, deliver: DeliverRun, options: ConsumerOptions): Consumer {
  const { places, shard = 0 } = options;
  /** The number of runs in the last job, as an estimate for the next. */
  let runsPerJob = RUNS_PER_JOB;
  let received = 0;
  let stopping = false;

  /**
   * Takes only as many jobs as there are free places, because another process may have a place for a run that would
   * wait here.
   */
  const jobsAtOnce = (open: number) =>
    Math.max(1, Math.min(MAX_JOBS, open + Math.ceil(places.free() / runsPerJob)));

  /** Waits for a place and starts the run. Null if the run no longer needs its job. */
  async function startRun(run: JobRun): Promise<LeftRun | null> {
    const { runId, route } = run;
    if (!(await places.take())) return { ...run, delayMs: PUT_BACK.delayMs };
    let ended: Promise<void> | undefined;
    try {
      const started = await deliver(runId, route && { runId, kind, ...route });
      if (started.outcome === 'later') return { ...run, delayMs: started.delayMs };
      ended = started.ended;
    } catch (error) {
      // Postgres is unreachable. Do not retry the job at once: the sweep adds the run again.
      options.onError(error);
    } finally {
      void (ended ?? Promise.resolve()).then(places.give);
    }
    return null;
  }

  async function handle(job: Job, token?: string): Promise<void> {
    const runs = parseJobData(job.data);
    if (!runs) return;
    runsPerJob = runs.length;
    const left = (await Promise.all(runs.map(startRun))).filter((run) => run !== null);
    if (left.length === 0) return;
    if (left.length < runs.length) await job.updateData(toStoredJob(left));
    await job.moveToDelayed(Date.now() + delayOf(left), token);
    throw new DelayedError();
  }

  function begin(): CountedWorker {
    const redis = openRedis(options.redisUrl, { offline: 'queue', silenceLimitMs: SILENCE_LIMIT_MS });
    // BullMQ forwards errors until it closes. Later ones come from a connection that is already closed.
    redis.on('error', () => undefined);
    const open = new Set<Promise<void>>();
    const worker = new Worker(
      queueName(kind),
      async (job, token) => {
        received += 1;
        const handling = handle(job, token);
        open.add(handling);
        worker.concurrency = jobsAtOnce(open.size);
        try {
          await handling;
        } finally {
          open.delete(handling);
          worker.concurrency = jobsAtOnce(open.size);
        }
      },
      workerOptions(redis, { prefix: options.prefix, shard, concurrency: jobsAtOnce(0) }),
    );
    worker.on('error', options.onError);
    worker.on('failed', (_job, error) => options.onError(error));
    return { redis, worker, open };
  }

  function end({ worker, redis }: CountedWorker): Promise<void> {
    const closed = worker.close(true);
    redis.disconnect();
    return closed;
  }

  let current = begin();

  return {
    received: () => received,
    hasRoom: () => !stopping && current.open.size < current.worker.concurrency,
    replace() {
      if (stopping) return;
      // Not awaited, because closing waits for a server that may never respond (taskforcesh/bullmq issue 4656).
      end(current).catch(options.onError);
      current = begin();
    },
    pause() {
      stopping = true;
      places.close();
      return current.worker.pause(true);
    },
    async settled() {
      while (current.open.size > 0) await Promise.allSettled(current.open);
    },
    close: () => end(current),
  };
}

function workerOptions(
  redis: RedisClient,
  { prefix, shard, concurrency }: { prefix: string; shard: number; concurrency: number },
): WorkerOptions {
  return {
    connection: redis,
    prefix: queuePrefix(redis, prefix, shard),
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED,
    runRetryDelay: RETRY_AFTER_MS,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
}

interface ConsumersDeps {
  readonly kinds: ChannelRegistry;
  readonly config: Pick<Config, 'concurrency' | 'redisUrl' | 'queueShards'>;
  readonly keyPrefix: string;
  readonly deliver: DeliverRun;
  readonly isPaused: Producer['paused'];
  readonly acceptsWrites: Producer['acceptsWrites'];
  readonly logger: Logger;
  readonly logErrors: LogErrors;
  readonly metrics: Metrics;
  readonly monotonicMs: () => number;
  readonly stallBounds?: StallBounds | undefined;
  /** Called when no consumer of a kind gets jobs any more, and only a new process can help. */
  readonly onGiveUp?: ((reason: string) => void) | undefined;
}

/** One consumer per shard of each channel kind, and a detector that replaces stalled ones. */
export interface Consumers extends Pick<Consumer, 'pause' | 'settled' | 'close'> {
  readonly sampleQueue: SampleQueue;
}

/** Starts consuming jobs of every kind, and counts replaced consumers. */
export function startConsumers(deps: ConsumersDeps): Consumers {
  const { config, kinds, keyPrefix, deliver, isPaused, acceptsWrites } = deps;
  const { logger, logErrors, metrics, monotonicMs, stallBounds, onGiveUp } = deps;
  function consume(kind: ChannelKind): readonly Consumer[] {
    const places = createPlaces(config.concurrency);
    return Array.from({ length: config.queueShards }, (_, shard) =>
      createConsumer(kind, deliver, {
        redisUrl: config.redisUrl,
        prefix: keyPrefix,
        shard,
        places,
        onError: logErrors(`consumer:${kind}`, 'jobs cannot be consumed, or a job failed'),
      }),
    );
  }
  const consumersOf = new Map(kinds.kinds.map((kind) => [kind, consume(kind)]));
  const consumers = [...consumersOf.values()].flat();
  const recoveries = metrics.counter(
    'postrider_consumer_recoveries_total',
    'Consumers that were replaced because they got no jobs although runs were due.',
    { kind: kinds.kinds },
  );
  const sampleQueue = createStallDetector({
    consumers: consumersOf,
    isPaused,
    acceptsWrites,
    onRecover(kind) {
      recoveries.inc({ kind });
      logger.warn('a consumer gets no jobs although runs are due: replacing it', { kind });
    },
    onGiveUp: (kind) => onGiveUp?.(`the consumer of ${kind} jobs gets none although runs are due`),
    monotonicMs,
    ...(stallBounds ? { bounds: stallBounds } : {}),
  });

  return {
    sampleQueue,
    async pause() {
      await Promise.all(consumers.map((consumer) => consumer.pause()));
    },
    async settled() {
      await Promise.all(consumers.map((consumer) => consumer.settled()));
    },
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
    },
  };
}
