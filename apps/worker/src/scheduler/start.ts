import type { ChannelRegistry } from '@postrider/channels';
import { type PolledChannel, pollChannels, type UnboundDatabase, withShare } from '@postrider/db';
import type { ChannelKind, IdSource } from '@postrider/domain';
import { openRedis, type ParsedJob, type Producer, parseJob, queueName, queuePrefix } from '@postrider/queue';
import type { LogErrors, Metrics } from '@postrider/telemetry';
import { type Job, Worker } from 'bullmq';
import type { Config } from '../config.ts';
import type { Delivering } from '../deliver/attempt.ts';
import { type Claims, createChannelFacts } from './claim-batching.ts';
import { createAcquirePermits, type RenderPermits, type Slots } from './permits.ts';
import { startPoll } from './poll.ts';
import { createScheduler } from './scheduler.ts';

interface SchedulingDeps {
  readonly config: Pick<Config, 'redisUrl' | 'queueShards'>;
  readonly kinds: ChannelRegistry;
  readonly keyPrefix: string;
  /** For look-ups of channels of all environments. */
  readonly across: UnboundDatabase;
  readonly producer: Pick<Producer, 'enqueue' | 'ready'>;
  readonly claims: Claims;
  readonly slots: Slots;
  readonly renders: RenderPermits;
  readonly deliver: Delivering['deliver'];
  readonly metrics: Metrics;
  readonly logDatabaseErrors: LogErrors;
  readonly logErrors: LogErrors;
  readonly newId: IdSource;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

export interface Scheduling {
  /** Starts no further run. Channels with work are left to other workers. Resolves when all claimed runs have been started. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the scheduler with what wakes it: the jobs of every kind, and the poll. */
export function startScheduling(deps: SchedulingDeps): Scheduling {
  const { kinds, across, producer, claims, slots, renders, metrics, logDatabaseErrors, jitter, monotonicMs } =
    deps;
  /** Tells other workers. Their jobs can also come back to this one. */
  function wakeOthers(
    channelIds: readonly string[],
    channelKind: ChannelKind,
    dueMs: number | null,
    delayMs = 0,
  ): void {
    const due = dueMs === null ? {} : { dueMs };
    void producer.enqueue(channelIds.map((channelId) => ({ channelId, channelKind, delayMs, ...due })));
  }
  const scheduler = createScheduler({
    slots,
    acquire: createAcquirePermits(slots, renders),
    factsOf: createChannelFacts(across),
    claims,
    deliver: deps.deliver,
    wakeAnother: ({ channelId, kind }, dueMs) => wakeOthers([channelId], kind, dueMs),
    newId: deps.newId,
    onError: logDatabaseErrors('scheduler', 'runs of a channel could not be claimed'),
    jitter,
    monotonicMs,
  });

  const room = createRoom(slots);
  let isStopping = false;
  function onJob({ channelIds, dueMs }: ParsedJob, channelKind: ChannelKind): void {
    const free = slots.free();
    // Another worker may have slots for the other channels.
    const here = isStopping ? 0 : channelIds.length === 1 ? 1 : free;
    for (const channelId of channelIds.slice(0, here)) scheduler.wake(channelId, dueMs);
    wakeOthers(channelIds.slice(here), channelKind, dueMs, free === 0 ? SPLIT_DELAY_MS : 0);
  }
  const { redisUrl, queueShards } = deps.config;
  const receivers = kinds.kinds.flatMap((kind) =>
    Array.from({ length: queueShards }, (_, shard) =>
      createJobReceiver(kind, {
        redisUrl,
        prefix: deps.keyPrefix,
        shard,
        untilRoom: room.until,
        onJob,
        onError: deps.logErrors(`jobs:${kind}`, 'jobs cannot be received, or a job failed'),
      }),
    ),
  );

  const late = metrics.counter(
    'postrider_late_channels_total',
    'Channels that a poll found with runs that were overdue, because their wake-ups were missing or late.',
    [],
  );
  const poll = startPoll({
    poll: withShare(
      'sweep',
      (options): Promise<readonly PolledChannel[]> =>
        pollChannels(across, { kinds: kinds.kinds, ...options }),
    ),
    scheduler,
    onLate: (channels) => late.inc(channels),
    onError: logDatabaseErrors('poll', 'the channels with work could not be read'),
    jitter,
    monotonicMs,
  });

  return {
    async stop() {
      isStopping = true;
      room.end();
      const onStopError = logDatabaseErrors('stop', 'the job receivers or the poll could not be stopped');
      for (const receiver of receivers) receiver.pause().catch(onStopError);
      poll.stop().catch(onStopError);
      await scheduler.stop();
    },
    async close() {
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}

/** How long a job of several channels waits for a slot here, before other workers get them one by one. */
const SHARED_PATIENCE_MS = 100;
/** Channels with a delay get jobs of their own. */
const SPLIT_DELAY_MS = 1;

interface Room {
  /** Resolves at once if a slot is free, otherwise when one may be, or for a shared job after {@link SHARED_PATIENCE_MS}. */
  readonly until: (job: { readonly isShared: boolean }) => Promise<void>;
  /** Then nothing waits any more. */
  readonly end: () => void;
}

function createRoom(slots: Slots): Room {
  const waiting = new Set<() => void>();
  let isOver = false;
  const wakeAll = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };
  slots.onFree(wakeAll);
  return {
    async until({ isShared }) {
      if (isOver || slots.free() > 0) return;
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve();
        };
        const timer = isShared ? setTimeout(go, SHARED_PATIENCE_MS) : undefined;
        waiting.add(go);
      });
    },
    end() {
      isOver = true;
      wakeAll();
    },
  };
}

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
  /** Resolves when this process can start another run, or when it stops; for a shared job after {@link SHARED_PATIENCE_MS} in any case. */
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
      await untilRoom({ isShared: job !== null && job.channelIds.length > 1 });
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
