import { type ChannelKind, type WakeUp, withDeadline } from '@postrider/domain';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type Breaker, createBreaker } from './breaker.ts';
import { openRedis, type RedisClient } from './redis.ts';
import { DEFAULT_KEY_PREFIX, queueName, queuePrefix, shardOf } from './shards.ts';

/** Nothing reads the stream of events, of which BullMQ keeps 10,000 entries by default. */
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

/** A job as stored in Redis. It says that a channel has work; PostgreSQL knows which. Redis never holds payloads or secrets. */
export interface StoredJob {
  /** UUID of the channel. */
  readonly channel: string;
  /** See `dueMs` of `WakeUp`. */
  readonly due?: number;
}

/** What a job says: a channel has work, or in a job of an earlier release, the channels of these runs have. */
export type ParsedJob =
  | { readonly channelId: string; readonly dueMs: number | null }
  | { readonly runIds: readonly string[] };

/** The most runs in a job of an earlier release. A larger job is not from this service. */
const MAX_RUNS = 64;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Parses a job of this or an earlier release. Returns null if this version cannot read it: polls then find its runs. */
export function parseJob(data: unknown): ParsedJob | null {
  const { v, channel, due, runId, runIds } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (isUuid(channel)) return { channelId: channel, dueMs: typeof due === 'number' ? due : null };
  if (v === undefined) return isUuid(runId) ? { runIds: [runId] } : null;
  if (v !== 2 || !Array.isArray(runIds) || runIds.length === 0 || runIds.length > MAX_RUNS) return null;
  return runIds.every(isUuid) ? { runIds } : null;
}

/** Delays are rounded up to these steps, in milliseconds, so that runs that are due almost together share a job. */
const FINE_STEP_MS = 10;
const COARSE_STEP_MS = 200;
/** Longer delays, such as of schedules, take the coarse step. */
const COARSE_FROM_MS = 10_000;

/** A job to add. */
export interface NewJob {
  readonly id: string;
  readonly data: StoredJob;
  readonly delayMs: number;
}

/**
 * The job of a wake-up. Its id has the channel and, if it is delayed, the moment when it ends, so a channel has at most one job
 * for each moment. BullMQ refuses `:` and plain integers, and an id that equals one of its own key names corrupts the queue.
 * That is why ids start with `wake-`.
 * @param nowMs the time of this process, in milliseconds since the epoch, which names the moment if the wake-up has no due time
 */
export function jobOf({ channelId, delayMs, dueMs }: WakeUp, nowMs: number): NewJob {
  const data = { channel: channelId, ...(dueMs === undefined ? {} : { due: dueMs }) };
  if (delayMs <= 0) return { id: `wake-${channelId}`, data, delayMs: 0 };
  const step = delayMs < COARSE_FROM_MS ? FINE_STEP_MS : COARSE_STEP_MS;
  const endsAt = dueMs ?? nowMs + delayMs;
  const moment = Math.ceil(endsAt / step) * step;
  return { id: `wake-${channelId}-${moment}`, data, delayMs: delayMs + moment - endsAt };
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
 * Adds jobs for channels with work, best effort: never throws, and takes at most the deadline per 250 jobs. Wake-ups of a
 * channel that are added in one turn of the event loop for the same moment share a job. Polls find the channels that failed,
 * and those beyond the near horizon, which count neither as added nor as failed.
 */
export type Enqueue = (wakeUps: readonly WakeUp[]) => Promise<{ readonly failed: number }>;

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
  /** Called with the first error of each outage. */
  readonly onError: (error: unknown) => void;
  /** Called once, after the first connection, if `maxmemory-policy` lets Redis evict jobs. */
  readonly onUnsafeEviction?: (policy: string) => void;
}

/** A job with the kind of its channel, which has the queue. */
interface JobOfKind extends NewJob {
  readonly kind: ChannelKind;
}

/** The earlier due time of two wake-ups of a channel; undefined if one of them has none. */
const earlier = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : Math.min(one, other);

/** BullMQ ignores a job whose id exists. */
function addJobs(queue: JobQueue, jobs: readonly NewJob[]): Promise<unknown> {
  const toAdd = jobs.map(({ id, data, delayMs: delay }) => ({
    ...{ name: 'deliver', data, opts: { jobId: id, delay } },
  }));
  if (toAdd.length > FEW_JOBS) return queue.addBulk(toAdd);
  return Promise.all(toAdd.map(({ name, data, opts }) => queue.add(name, data, opts)));
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
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

  /** Queries a shard's queue. Returns null if there is no response within the deadline. */
  async function ask<T>(
    what: string,
    { kind, shard }: { kind: ChannelKind; shard: number },
    question: (queue: JobQueue) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await call(shard, what, async () => question(await queues.get(kind, shard)));
    } catch {
      return null;
    }
  }

  /** Adds jobs. Returns the ids of those that could not be added. */
  async function addAll(jobs: readonly JobOfKind[]): Promise<ReadonlySet<string>> {
    const failed = new Set<string>();
    const ofShard: JobOfKind[][] = breakers.map(() => []);
    for (const job of jobs) ofShard[shardOf(job.id, shards)]?.push(job);
    async function addToShard(toAdd: readonly JobOfKind[], shard: number): Promise<void> {
      // Sequentially, because after an outage the breaker lets only one call through.
      for (const kind of new Set(toAdd.map((job) => job.kind))) {
        const ofKind = toAdd.filter((job) => job.kind === kind);
        for (const chunk of chunksOf(ofKind, CHUNK)) {
          const added = await ask('adding jobs', { kind, shard }, (queue) => addJobs(queue, chunk));
          if (added === null) for (const { id } of chunk) failed.add(id);
        }
      }
    }
    await Promise.all(ofShard.map(addToShard));
    return failed;
  }

  let together = new Map<string, JobOfKind>();
  let adding: Promise<ReadonlySet<string>> | undefined;

  /** Adds the jobs of all calls in one turn of the event loop together. A batch is accepted in one turn. */
  function addTogether(jobs: readonly JobOfKind[]): Promise<ReadonlySet<string>> {
    for (const job of jobs) {
      const other = together.get(job.id);
      const due = other ? earlier(job.data.due, other.data.due) : job.data.due;
      together.set(job.id, {
        ...job,
        data: { channel: job.data.channel, ...(due === undefined ? {} : { due }) },
      });
    }
    adding ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      const taken = [...together.values()];
      together = new Map();
      adding = undefined;
      return addAll(taken);
    });
    return adding;
  }

  return {
    async enqueue(wakeUps) {
      const nowMs = Date.now();
      const near = wakeUps.filter(({ delayMs }) => delayMs <= nearHorizonMs);
      const jobs = near.map((wakeUp) => ({ ...jobOf(wakeUp, nowMs), kind: wakeUp.channelKind }));
      if (jobs.length === 0) return { failed: 0 };
      const failed = await addTogether(jobs);
      return { failed: new Set(jobs.map(({ id }) => id).filter((id) => failed.has(id))).size };
    },
    ready: () => redis.status === 'ready' && breakers.every((breaker) => breaker.isClosed()),
    async close() {
      await withDeadline(queues.close(), deadlineMs, 'closing the queues').catch(() => undefined);
      redis.disconnect();
    },
  };
}
