import { type ChannelKind, type WakeUp, withDeadline } from '@postrider/domain';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type Breaker, createBreaker } from './breaker.ts';
import {
  chunksOf,
  DEFAULT_KEY_PREFIX,
  jobsOf,
  type NewJob,
  queueName,
  queuePrefix,
  type StoredJob,
  shardOf,
} from './job.ts';
import { openRedis, type RedisClient } from './redis.ts';

/** Nothing reads the stream of events. By default BullMQ keeps 10,000 entries. */
const EVENTS_KEPT = 100;

type JobQueue = Queue<StoredJob>;

interface Queues {
  /** Returns the queue and creates it on first use. Rejects while Redis is unreachable, and can be called again. */
  get(kind: ChannelKind, shard: number): Promise<JobQueue>;
  close(): Promise<void>;
}

/**
 * Creates queues when they are first needed, so that a process can start while Redis is down. BullMQ's Queue reads the
 * server's version only once, in its constructor, and stays unusable if that fails; such a Queue is discarded.
 */
function createQueues(
  redis: RedisClient,
  prefix: string,
  onError: (shard: number, error: unknown) => void,
): Queues {
  const open = new Map<string, Promise<JobQueue>>();
  const keyOf = (kind: ChannelKind, shard: number) => `${shard} ${kind}`;

  async function create(kind: ChannelKind, shard: number): Promise<JobQueue> {
    const queue: JobQueue = new Queue(queueName(kind), {
      connection: redis,
      prefix: queuePrefix(redis, prefix, shard),
      skipWaitingForReady: true,
      streams: { events: { maxLen: EVENTS_KEPT } },
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    });
    queue.on('error', (error) => onError(shard, error));
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      open.delete(keyOf(kind, shard));
      void queue.close().catch((failure: unknown) => onError(shard, failure));
      throw error;
    }
  }

  return {
    get(kind, shard) {
      const key = keyOf(kind, shard);
      const existing = open.get(key);
      if (existing) return existing;
      const created = create(kind, shard);
      open.set(key, created);
      return created;
    },
    async close() {
      await Promise.allSettled([...open.values()].map(async (queue) => (await queue).close()));
    },
  };
}

/** With any other policy a full Redis evicts jobs, or parts of them, instead of refusing new ones. */
const SAFE_POLICY = 'noeviction';

/**
 * Returns the `maxmemory-policy` of a server that may evict jobs, or null if there is none. Uses INFO, because hosted
 * Redis forbids CONFIG. Rejects if Redis does not respond.
 */
async function findUnsafeEviction(redis: RedisClient): Promise<string | null> {
  const servers = redis instanceof Redis ? [redis] : redis.nodes('master');
  for (const server of servers) {
    const [, policy = SAFE_POLICY] = /^maxmemory_policy:(\S+)/m.exec(await server.info('memory')) ?? [];
    if (policy !== SAFE_POLICY) return policy;
  }
  return null;
}

/** Runs due later than this get no job, so a million distant schedules use no memory in Redis. Polls find them when they are due. */
export const NEAR_HORIZON_MS = 3_600_000;
const DEADLINE_MS = 500;
const COOLDOWN_MS = 500;
const SILENCE_LIMIT_MS = 5_000;
/** Jobs per pipeline: a few hundred take Redis some 20 ms, far below the deadline. */
const CHUNK = 250;
/** So few jobs are added one by one: a pipeline gets all of BullMQ's scripts, which costs more than it saves. */
const FEW_JOBS = 4;
/**
 * Waiting jobs of a queue from which channels share no more jobs. There are many sets of channels, but each channel has at most
 * one job of its own, so without workers Redis does not grow.
 */
const CROWD = 1_000;
/**
 * Adds jobs for channels with work, best effort: never throws, and takes at most the pause and the deadline per 250 jobs. Wake-ups of a
 * channel that are added in one turn of the event loop, or during a pause, for the same moment count once. Polls find the channels that
 * failed, and those beyond the near horizon.
 */
export type Enqueue = (wakeUps: readonly WakeUp[]) => Promise<void>;

export interface Producer {
  readonly enqueue: Enqueue;
  /** Whether Redis is connected and the last call of each shard succeeded. */
  ready(): boolean;
  close(): Promise<void>;
}

export interface ProducerOptions {
  readonly redisUrl: string;
  readonly prefix?: string;
  /** Queues per kind, see `QUEUE_SHARDS`. Default: 1. */
  readonly shards?: number;
  readonly deadlineMs?: number;
  readonly nearHorizonMs?: number;
  readonly silenceLimitMs?: number;
  /** Called whenever jobs are added: the wake-ups that follow are added together when it calls `end`. Default: no pause. */
  readonly pause?: (end: () => void) => void;
  /** Called with the first error of each outage. */
  readonly onError: (error: unknown) => void;
  /** Called once, after the first connection, if `maxmemory-policy` lets Redis evict jobs. */
  readonly onUnsafeEviction?: (policy: string) => void;
}

function addJobs(queue: JobQueue, jobs: readonly NewJob[]): Promise<unknown> {
  if (jobs.length > FEW_JOBS) return queue.addBulk([...jobs]);
  return Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts)));
}

/**
 * Adds jobs to Redis, for the API after its commit, and for the worker's retries, sweeps and channels that wait. Nothing else adds jobs.
 * While Redis is down, calls fail immediately; they succeed again within about a second of its return.
 */
export function createProducer({
  redisUrl,
  prefix = DEFAULT_KEY_PREFIX,
  shards = 1,
  deadlineMs = DEADLINE_MS,
  nearHorizonMs = NEAR_HORIZON_MS,
  silenceLimitMs = SILENCE_LIMIT_MS,
  pause,
  onError,
  onUnsafeEviction,
}: ProducerOptions): Producer {
  // One per shard, because each may be on a different node of a Cluster.
  const breakers: readonly Breaker[] = Array.from({ length: shards }, () =>
    createBreaker({ cooldownMs: COOLDOWN_MS, onOpen: onError }),
  );
  const redis = openRedis(redisUrl, { offline: 'fail-fast', silenceLimitMs });
  const tripAll = (error: unknown) => {
    for (const breaker of breakers) breaker.trip(error);
  };
  redis.on('error', tripAll);
  const queues = createQueues(redis, prefix, (shard, error) => breakers[shard]?.trip(error));

  redis.on('ready', () => {
    for (const breaker of breakers) breaker.allowTrial();
  });
  redis.once('ready', async () => {
    const policy = await findUnsafeEviction(redis).catch(() => null);
    if (policy !== null) onUnsafeEviction?.(policy);
  });

  async function call<T>(shard: number, what: string, work: () => Promise<T>): Promise<T> {
    if (redis.status !== 'ready') throw new Error(`Redis is not connected (${redis.status})`);
    const breaker = breakers[shard] as Breaker;
    return breaker.run(() => withDeadline(work(), deadlineMs, what));
  }

  /** Asks a shard that failed whether it takes writes again. A full Redis still answers reads. */
  const tryShard = (shard: number) =>
    call(shard, 'a trial', () =>
      redis.set(`${queuePrefix(redis, prefix, shard)}:trial`, '', 'PX', COOLDOWN_MS),
    );
  // A process that adds no jobs would report an outage that is over.
  const trials = setInterval(() => {
    for (const [shard, breaker] of breakers.entries())
      if (!breaker.isClosed()) void tryShard(shard).catch(() => undefined);
  }, COOLDOWN_MS);
  trials.unref();

  /** The queues that had a {@link CROWD} when jobs of many channels were last added. */
  const crowded = new Map<ChannelKind, Set<number>>();

  /** Adds jobs, and notes whether the queue is crowded if that matters to the next ones. */
  async function addAndCount(kind: ChannelKind, shard: number, jobs: readonly NewJob[]): Promise<unknown> {
    const queue = await queues.get(kind, shard);
    const shards = crowded.get(kind) ?? new Set();
    crowded.set(kind, shards);
    const counts = shards.has(shard) || jobs.some(({ data }) => data.channels);
    if (!counts) return addJobs(queue, jobs);
    const [waiting] = await Promise.all([redis.llen(queue.toKey('wait')), addJobs(queue, jobs)]);
    return waiting >= CROWD ? shards.add(shard) : shards.delete(shard);
  }

  async function addAll(wakeUps: readonly WakeUp[]): Promise<void> {
    const nowMs = Date.now();
    const jobsByKind = [...new Set(wakeUps.map(({ channelKind }) => channelKind))].map((kind) => {
      const ofKind = wakeUps.filter(({ channelKind }) => channelKind === kind);
      const ofShard: NewJob[][] = breakers.map(() => []);
      for (const job of jobsOf(ofKind, { nowMs, mayShare: !crowded.get(kind)?.size }))
        ofShard[shardOf(job.opts.jobId, shards)]?.push(job);
      return [kind, ofShard] as const;
    });
    async function addToShard(shard: number): Promise<void> {
      // Sequentially, because after an outage the breaker lets only one call through.
      for (const [kind, ofShard] of jobsByKind) {
        for (const chunk of chunksOf(ofShard[shard] ?? [], CHUNK)) {
          // The breaker reports the error.
          await call(shard, 'adding jobs', () => addAndCount(kind, shard, chunk)).catch(() => undefined);
        }
      }
    }
    await Promise.all(breakers.map((_, shard) => addToShard(shard)));
  }

  /**
   * - *idle*: the next wake-up waits for the end of the turn of the event loop, in which a whole batch of events is accepted.
   * - *collecting*: wake-ups that arrive are added with it.
   * - *pausing*: jobs were added; wake-ups wait until `pausing` ends.
   */
  let together: WakeUp[] = [];
  let adding: Promise<void> | undefined;
  let pausing: Promise<void> | undefined;

  function addTogether(): Promise<void> {
    const taken = together;
    together = [];
    adding = undefined;
    pausing =
      pause &&
      new Promise<void>(pause).then(() => {
        pausing = undefined;
      });
    return addAll(taken);
  }

  return {
    async enqueue(wakeUps) {
      const near = wakeUps.filter(({ delayMs }) => delayMs <= nearHorizonMs);
      if (near.length === 0) return;
      for (const wakeUp of near) together.push(wakeUp);
      adding ??= (pausing ?? new Promise<void>((resolve) => setImmediate(resolve))).then(addTogether);
      await adding;
    },
    ready: () => redis.status === 'ready' && breakers.every((breaker) => breaker.isClosed()),
    async close() {
      clearInterval(trials);
      await adding;
      await withDeadline(queues.close(), deadlineMs, 'closing the queues').catch(() => undefined);
      redis.disconnect();
    },
  };
}
