import type { ChannelRegistry } from '@postrider/channels';
import type { ChannelKind } from '@postrider/domain';
import {
  openRedis,
  type Producer,
  parseJobData,
  queueName,
  queuePrefix,
  type RedisClient,
} from '@postrider/queue';
import type { Logger, Metrics } from '@postrider/telemetry';
import { DelayedError, type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Config } from './config.ts';
import type { DeliverRun } from './deliver/deliver.ts';
import type { LogErrors } from './log-errors.ts';
import { createStallDetector, type SampleQueue, type StallBounds } from './stall-detector.ts';

/**
 * With these a killed worker's job is taken over after some 10 s; the defaults need a minute. Whether the run is
 * then sent is decided by its row, so a job may stall any number of times.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const MAX_STALLED = 1_000_000;
/** BullMQ would rest for 15 s after a Cluster has been without the node that it needs. */
const RETRY_AFTER_MS = 1_000;
/** BullMQ's blocking pop waits 10 s at most: a connection that is silent for longer is dead. */
const SILENCE_LIMIT_MS = 15_000;

export interface ConsumerOptions {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly concurrency: number;
  /** Called for each lost connection and each handler that threw. */
  readonly onError: (error: unknown) => void;
}

export interface Consumer {
  /** Jobs that this process has received since it started. */
  received(): number;
  /** Whether it may get another job: it is not stopping, and has a place free. */
  hasRoom(): boolean;
  /** Takes jobs through new connections; the old ones are closed, and open jobs go on. */
  replace(): void;
  /** Takes no further job. */
  pause(): Promise<void>;
  /**
   * Waits for open jobs, including those being put back: one that is cut off while it is put back stays with this
   * process until its lock ends.
   */
  settled(): Promise<void>;
  /** Closes the connections without waiting for open jobs. */
  close(): Promise<void>;
}

/** A BullMQ worker and its open jobs. */
interface CountedWorker {
  readonly redis: RedisClient;
  readonly worker: Worker;
  readonly open: Set<Promise<void>>;
}

/** The adapter between BullMQ and the delivery: parse, call, done. BullMQ decides nothing about a run. */
export function createConsumer(kind: ChannelKind, deliver: DeliverRun, options: ConsumerOptions): Consumer {
  let received = 0;
  let stopping = false;

  async function handle(job: Job, token?: string): Promise<void> {
    const data = parseJobData(job.data);
    if (!data) return;
    const result = await deliver(data.runId);
    if (result.outcome === 'done') return;
    await job.moveToDelayed(Date.now() + result.delayMs, token);
    throw new DelayedError();
  }

  function begin(): CountedWorker {
    const redis = openRedis(options.redisUrl, { offline: 'queue', silenceLimitMs: SILENCE_LIMIT_MS });
    // BullMQ forwards errors until it closes; later ones are about a connection that is already closed.
    redis.on('error', () => undefined);
    const open = new Set<Promise<void>>();
    const worker = new Worker(
      queueName(kind),
      async (job, token) => {
        received += 1;
        const handling = handle(job, token);
        open.add(handling);
        try {
          await handling;
        } finally {
          open.delete(handling);
        }
      },
      workerOptions(redis, options),
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
    hasRoom: () => !stopping && current.open.size < options.concurrency,
    replace() {
      if (stopping) return;
      // Not awaited: closing waits for a server that may never answer (taskforcesh/bullmq issue 4656).
      end(current).catch(options.onError);
      current = begin();
    },
    pause() {
      stopping = true;
      return current.worker.pause(true);
    },
    async settled() {
      while (current.open.size > 0) await Promise.allSettled(current.open);
    },
    close: () => end(current),
  };
}

function workerOptions(redis: RedisClient, { prefix, concurrency }: ConsumerOptions): WorkerOptions {
  return {
    connection: redis,
    prefix: queuePrefix(redis, prefix),
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED,
    runRetryDelay: RETRY_AFTER_MS,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
}

export interface ConsumersDeps {
  readonly kinds: ChannelRegistry;
  readonly config: Pick<Config, 'concurrency' | 'redisUrl'>;
  readonly keyPrefix: string;
  readonly deliver: DeliverRun;
  readonly isPaused: Producer['paused'];
  readonly logger: Logger;
  readonly logErrors: LogErrors;
  readonly metrics: Metrics;
  readonly monotonicMs: () => number;
  readonly stallBounds?: StallBounds | undefined;
  /** Called when no consumer of a kind gets jobs any more, and only a new process can help. */
  readonly onGiveUp?: ((reason: string) => void) | undefined;
}

/** One consumer for each channel kind, and the detector that replaces one that has stalled. */
export interface Consumers extends Pick<Consumer, 'pause' | 'settled' | 'close'> {
  readonly sampleQueue: SampleQueue;
}

/** Starts to take jobs of every kind, and counts the consumers that have to be replaced. */
export function startConsumers(deps: ConsumersDeps): Consumers {
  const { config, kinds, keyPrefix, deliver, isPaused, logger, logErrors, metrics, monotonicMs } = deps;
  const { stallBounds, onGiveUp } = deps;
  const consume = (kind: ChannelKind) =>
    createConsumer(kind, deliver, {
      redisUrl: config.redisUrl,
      prefix: keyPrefix,
      concurrency: config.concurrency,
      onError: logErrors(`consumer:${kind}`, 'jobs cannot be taken, or one could not be handled'),
    });
  const consumerOf = new Map(kinds.kinds.map((kind) => [kind, consume(kind)]));
  const consumers = [...consumerOf.values()];
  const recoveries = metrics.counter(
    'postrider_consumer_recoveries_total',
    'Consumers that were replaced because they got no jobs although runs were due.',
    ['kind'],
  );
  const sampleQueue = createStallDetector({
    consumers: consumerOf,
    isPaused,
    onRecover(kind) {
      recoveries.inc({ kind });
      logger.warn('a consumer got no jobs although runs are due: it is replaced', { kind });
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
