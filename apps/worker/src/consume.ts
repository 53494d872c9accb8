import type { ChannelKind } from '@postrider/domain';
import { openRedis, parseJobData, QUEUE_NAMES, queuePrefix, type RedisClient } from '@postrider/queue';
import { DelayedError, type Job, Worker, type WorkerOptions } from 'bullmq';
import type { DeliverRun } from './deliver/deliver.ts';

/**
 * With these a killed worker's job is taken up after some 10 s; the defaults need a minute. Whether the run
 * is then sent is decided by its row, so a job may stall any number of times.
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
  /** Hears of lost connections and of handlers that threw. */
  readonly onError: (error: unknown) => void;
}

export interface Consumer {
  /** Jobs that were handed to this process, since it began. */
  handed(): number;
  /** Whether it may be handed another job: it takes jobs, and not all of its places are taken. */
  hasRoom(): boolean;
  /** Takes jobs by new connections; those of the old are given up, and what is open goes on. */
  replace(): void;
  /** Takes no further job. */
  pause(): Promise<void>;
  /**
   * Waits for the jobs that are open, and for those that are put back to be there again: one whose putting
   * back is cut off stays with this process until its lock ends.
   */
  settled(): Promise<void>;
  /** Closes the connections without waiting for what is still open. */
  close(): Promise<void>;
}

/** A BullMQ worker and its jobs that are open. */
interface CountedWorker {
  readonly redis: RedisClient;
  readonly worker: Worker;
  readonly open: Set<Promise<void>>;
}

/** The adapter between BullMQ and the delivery: parse, call, done. BullMQ decides nothing about a run. */
export function createConsumer(kind: ChannelKind, deliver: DeliverRun, options: ConsumerOptions): Consumer {
  let handed = 0;
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
    const redis = openRedis(options.redisUrl, { whenAway: 'wait', silenceLimitMs: SILENCE_LIMIT_MS });
    // BullMQ hands these on until it closes; later ones are about what is closed.
    redis.on('error', () => undefined);
    const counted: CountedWorker = {
      redis,
      open: new Set(),
      worker: new Worker(
        QUEUE_NAMES[kind],
        async (job, token) => {
          handed += 1;
          const handling = handle(job, token);
          counted.open.add(handling);
          try {
            await handling;
          } finally {
            counted.open.delete(handling);
          }
        },
        workerOptions(redis, options),
      ),
    };
    counted.worker.on('error', options.onError);
    counted.worker.on('failed', (_job, error) => options.onError(error));
    return counted;
  }

  function end({ worker, redis }: CountedWorker): Promise<void> {
    const closed = worker.close(true);
    redis.disconnect();
    return closed;
  }

  let current = begin();

  return {
    handed: () => handed,
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
