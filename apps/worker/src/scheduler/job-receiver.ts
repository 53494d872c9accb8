import type { ChannelKind } from '@postrider/domain';
import { openRedis, type ParsedJob, parseJob, queueName, queuePrefix } from '@postrider/queue';
import { type Job, Worker } from 'bullmq';

/**
 * With these settings another worker takes over a killed worker's job after about 10 s; with the defaults it takes a
 * minute. A job may stall any number of times: it only says that channels have work.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const MAX_STALLED = 1_000_000;
/** BullMQ would wait for 15 s after the node that it needs was missing in a Cluster. */
const RETRY_AFTER_MS = 1_000;
/** BullMQ's blocking pop waits for at most 10 s, so a connection that is silent for longer is dead. */
const SILENCE_LIMIT_MS = 15_000;

interface JobReceiverOptions {
  readonly redisUrl: string;
  readonly prefix: string;
  /** The shard of the kind's queue. Default: the first. */
  readonly shard?: number;
  /** Resolves when this process can start another run, or when it stops; with a job of several channels soon in any case. */
  readonly untilRoom: (job: { readonly isShared: boolean }) => Promise<void>;
  /** Called with each job after it has been removed from Redis. */
  readonly onJob: (job: ParsedJob, kind: ChannelKind) => void;
  /** Called for each lost connection, and each job that failed. */
  readonly onError: (error: unknown) => void;
}

export interface JobReceiver {
  /** Stops taking jobs. */
  pause(): Promise<void>;
  /** Closes the connections without waiting for open jobs. */
  close(): Promise<void>;
}

/**
 * Connects BullMQ to the scheduler. A job says that channels have work. BullMQ ignores a wake-up whose job exists, also while
 * that job is active. So the scheduler is told when the job is gone from Redis: an event whose wake-up was ignored had been
 * committed before, and the claim, which begins afterwards, sees it. A job waits while this process has no free slot, so that
 * another process can take the next one. A job of several channels does not wait for long, because each of them may be for another
 * process. Jobs are taken one by one: BullMQ gets the next with the call that ends the last,
 * and with several at once it would ask for a second one whenever it gets a first.
 */
export function createJobReceiver(kind: ChannelKind, options: JobReceiverOptions): JobReceiver {
  const { untilRoom, onJob, onError, shard = 0 } = options;
  const redis = openRedis(options.redisUrl, { offline: 'queue', silenceLimitMs: SILENCE_LIMIT_MS });
  // BullMQ forwards errors until it closes. Later ones come from a connection that is already closed.
  redis.on('error', () => undefined);

  function tell(job: Job | undefined): void {
    const parsed = job && parseJob(job.data);
    if (parsed) onJob(parsed, kind);
  }

  const worker = new Worker(
    queueName(kind),
    async ({ data }) => {
      const job = parseJob(data);
      await untilRoom({ isShared: job !== null && 'channelIds' in job && job.channelIds.length > 1 });
    },
    {
      connection: redis,
      prefix: queuePrefix(redis, options.prefix, shard),
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_STALLED,
      runRetryDelay: RETRY_AFTER_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on('completed', tell);
  worker.on('failed', (job, error) => {
    onError(error);
    tell(job);
  });
  worker.on('error', onError);

  return {
    pause: () => worker.pause(true),
    close() {
      const closed = worker.close(true);
      redis.disconnect();
      return closed;
    },
  };
}
