import { type ChannelKind, withDeadline } from '@postrider/domain';
import { Redis } from 'ioredis';
import { type Breaker, createBreaker } from './breaker.ts';
import { jobId, type RunToEnqueue, runKey, runsInJob, toStoredJob } from './job.ts';
import { createQueues, type JobQueue } from './queues.ts';
import { openRedis, type RedisClient } from './redis.ts';
import { DEFAULT_KEY_PREFIX, queuePrefix, shardOf } from './shards.ts';

/** The most runs in a job. More would save little, and fewer workers would share a burst of events (decision 30). */
export const RUNS_PER_JOB = 32;
/** Delayed runs share a job if they are due within this time. The job waits for the last one, so none starts early. */
export const SPREAD_MS = 5;

/** The runs of one job: of one kind, and due together. */
interface RunGroup {
  readonly runs: [RunToEnqueue, ...RunToEnqueue[]];
  /** Their keys ({@link runKey}), in the same order. */
  readonly keys: [string, ...string[]];
}

/** Milliseconds until the run may start. */
const waitOf = ({ delayMs }: RunToEnqueue): number => Math.max(0, Math.ceil(delayMs));

/** A due run never shares a job with a delayed one, because it would have to wait. */
const isDueWith = (first: RunToEnqueue, run: RunToEnqueue) =>
  waitOf(run) === waitOf(first) || (waitOf(first) > 0 && waitOf(run) - waitOf(first) <= SPREAD_MS);

/**
 * Groups runs, by their keys, into jobs. The runs of a job have the same kind, go to the same end of the queue and are due
 * together. A moved run has a job of its own. Due runs keep their order. The delay of a job is that of its last run.
 */
function groupRuns(runs: ReadonlyMap<string, RunToEnqueue>): RunGroup[] {
  const groups: RunGroup[] = [];
  const newest = { atFront: new Map<ChannelKind, RunGroup>(), atEnd: new Map<ChannelKind, RunGroup>() };
  for (const [key, run] of [...runs].sort(([, one], [, other]) => waitOf(one) - waitOf(other))) {
    const newestOfKind = run.atFront ? newest.atFront : newest.atEnd;
    const group = run.isMoved ? undefined : newestOfKind.get(run.channelKind);
    if (group && group.runs.length < RUNS_PER_JOB && isDueWith(group.runs[0], run)) {
      group.runs.push(run);
      group.keys.push(key);
    } else {
      const begun: RunGroup = { runs: [run], keys: [key] };
      groups.push(begun);
      if (!run.isMoved) newestOfKind.set(run.channelKind, begun);
    }
  }
  return groups;
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

/**
 * Runs due later than this stay in Postgres until a sweep adds them, so a million distant schedules use no memory in
 * Redis.
 */
export const NEAR_HORIZON_MS = 3_600_000;
const DEADLINE_MS = 500;
const COOLDOWN_MS = 500;
const SILENCE_LIMIT_MS = 5_000;
/** Jobs per pipeline: a few hundred take Redis some 20 ms, far below the deadline. */
const CHUNK = 250;
/** So few jobs are added one by one: a pipeline gets all of BullMQ's scripts, which costs more than it saves. */
const FEW_JOBS = 4;
/** Time to live of a write probe's key. */
const PROBE_MS = 1_000;
/** Number of waiting jobs whose runs are counted. The others are assumed to have as many on average. */
const COUNTED_JOBS = 200;

/**
 * Adds jobs for runs, best effort: never throws, and takes at most the deadline per 250 jobs. Runs that are added in
 * one turn of the event loop and are due together share jobs. The sweep adds runs that failed, and runs beyond the near
 * horizon, which are counted neither as enqueued nor as failed.
 */
export type EnqueueRuns = (runs: readonly RunToEnqueue[]) => Promise<{ enqueued: number; failed: number }>;

export interface Producer {
  readonly enqueue: EnqueueRuns;
  /**
   * The number of runs per shard that wait for a worker, estimated if there are many jobs; null if the shard's server
   * does not respond within the deadline.
   */
  waiting(kind: ChannelKind): Promise<readonly (number | null)[]>;
  /**
   * Whether an operator has paused the queue, per shard; null if the shard's server does not respond within the
   * deadline.
   */
  paused(kind: ChannelKind): Promise<readonly (boolean | null)[]>;
  /**
   * Whether the server accepts writes, per shard. A server that is out of memory does not, so its workers get no jobs.
   */
  acceptsWrites(): Promise<readonly boolean[]>;
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

const toJob = ({ runs, keys }: RunGroup) => ({
  name: 'deliver',
  data: toStoredJob(runs),
  opts: {
    jobId: jobId(keys),
    delay: Math.max(...runs.map(waitOf)),
    lifo: runs[0].atFront ?? false,
  },
});

async function countWaitingRuns(queue: JobQueue): Promise<number> {
  const [jobs, ids] = await Promise.all([
    queue.getWaitingCount(),
    queue.getRanges(['waiting'], 0, COUNTED_JOBS - 1),
  ]);
  const runs = ids.reduce((sum, id) => sum + runsInJob(id), 0);
  return ids.length < COUNTED_JOBS ? runs : Math.round((jobs * runs) / ids.length);
}

/** Adds a job per group. BullMQ ignores a job whose id exists, so the old job of a rescheduled run is removed first. */
async function addJobs(queue: JobQueue, groups: readonly RunGroup[]): Promise<unknown> {
  const moved = groups.filter(({ runs: [run] }) => run.isMoved);
  await Promise.all(moved.map(({ keys }) => queue.remove(jobId(keys))));
  const jobs = groups.map(toJob);
  if (jobs.length > FEW_JOBS) return queue.addBulk(jobs);
  return Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts)));
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Adds jobs to Redis, for the API after its commit and for the worker's retries and sweeps. Nothing else adds jobs.
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

  /** Writes a short-lived key next to the shard's queues. */
  async function acceptsWrite(shard: number): Promise<boolean> {
    const key = `${queuePrefix(redis, prefix, shard)}:write-probe`;
    try {
      await call(shard, 'asking whether Redis accepts writes', () => redis.set(key, '', 'PX', PROBE_MS));
      return true;
    } catch {
      return false;
    }
  }

  const queryAll = <T>(what: string, kind: ChannelKind, question: (queue: JobQueue) => Promise<T>) =>
    Promise.all(breakers.map((_, shard) => ask(what, { kind, shard }, question)));

  /** Adds runs by their keys. Returns the keys of those that could not be added. */
  async function addAll(runs: ReadonlyMap<string, RunToEnqueue>): Promise<ReadonlySet<string>> {
    const failed = new Set<string>();
    const ofShard: RunGroup[][] = breakers.map(() => []);
    for (const group of groupRuns(runs)) ofShard[shardOf(group.keys, shards)]?.push(group);
    async function addToShard(groups: readonly RunGroup[], shard: number): Promise<void> {
      // Sequentially, because after an outage the breaker lets only one call through.
      for (const kind of new Set(groups.map(({ runs: [{ channelKind }] }) => channelKind))) {
        const ofKind = groups.filter(({ runs: [{ channelKind }] }) => channelKind === kind);
        for (const chunk of chunksOf(ofKind, CHUNK)) {
          const jobs = await ask('adding jobs', { kind, shard }, (queue) => addJobs(queue, chunk));
          if (jobs === null) for (const key of chunk.flatMap(({ keys }) => keys)) failed.add(key);
        }
      }
    }
    await Promise.all(ofShard.map(addToShard));
    return failed;
  }

  let together = new Map<string, RunToEnqueue>();
  let adding: Promise<ReadonlySet<string>> | undefined;

  /** Adds the runs of all calls in one turn of the event loop together. A batch is accepted in one turn. */
  function addTogether(runs: readonly RunToEnqueue[], keys: readonly string[]): Promise<ReadonlySet<string>> {
    for (const [index, run] of runs.entries()) together.set(keys[index] as string, run);
    adding ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      const taken = together;
      together = new Map();
      adding = undefined;
      return addAll(taken);
    });
    return adding;
  }

  return {
    async enqueue(runs) {
      const near = runs.filter((run) => run.delayMs <= nearHorizonMs);
      const keys = near.map(runKey);
      const failedKeys = await addTogether(near, keys);
      const failed = failedKeys.size === 0 ? 0 : keys.filter((key) => failedKeys.has(key)).length;
      return { enqueued: near.length - failed, failed };
    },
    waiting: (kind) => queryAll('counting jobs', kind, countWaitingRuns),
    acceptsWrites: () => Promise.all(breakers.map((_, shard) => acceptsWrite(shard))),
    paused: (kind) => queryAll('asking whether the queue is paused', kind, (queue) => queue.isPaused()),
    ready: () => redis.status === 'ready' && breakers.every((breaker) => breaker.isClosed()),
    async close() {
      await withDeadline(queues.close(), deadlineMs, 'closing the queues').catch(() => undefined);
      redis.disconnect();
    },
  };
}
