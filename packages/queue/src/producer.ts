import { type ChannelKind, withDeadline } from '@postrider/domain';
import { Redis } from 'ioredis';
import { type Breaker, createBreaker } from './breaker.ts';
import { jobId, type RunToEnqueue, runKey, runsInJob, toStoredJob } from './job.ts';
import { createQueues, type JobQueue } from './queues.ts';
import { openRedis, type RedisClient } from './redis.ts';
import { DEFAULT_KEY_PREFIX, queuePrefix, shardOf } from './shards.ts';

/**
 * Runs of one job. More would save little, and fewer workers would share what is accepted at once (decision 30).
 */
export const RUNS_PER_JOB = 32;
/** How much earlier than its job's last run a delayed run may be due. It waits that long, because none may be early. */
export const SPREAD_MS = 5;

/** Runs of one kind that become due together, for one job. */
type RunGroup = [RunToEnqueue, ...RunToEnqueue[]];

/** Milliseconds until the run may start. */
const waitOf = ({ delayMs }: RunToEnqueue): number => Math.max(0, Math.ceil(delayMs));

/** A run that is due never shares a job with one that is not: it would wait for it. */
const isDueWith = (first: RunToEnqueue, run: RunToEnqueue) =>
  waitOf(run) === waitOf(first) || (waitOf(first) > 0 && waitOf(run) - waitOf(first) <= SPREAD_MS);

/**
 * Splits the runs into those of a job each: of one kind, for the same end of the queue, and due together. Those that
 * are due keep their order; the delay of a job is that of its last run.
 */
function groupRuns(runs: Iterable<RunToEnqueue>): RunGroup[] {
  const groups: RunGroup[] = [];
  const newest = new Map<string, RunGroup>();
  for (const run of [...runs].sort((one, other) => waitOf(one) - waitOf(other))) {
    const key = run.isMoved ? run.runId : `${run.channelKind} ${run.atFront ?? false}`;
    const group = newest.get(key);
    if (group && group.length < RUNS_PER_JOB && isDueWith(group[0], run)) group.push(run);
    else {
      const begun: RunGroup = [run];
      groups.push(begun);
      newest.set(key, begun);
    }
  }
  return groups;
}

/** With any other policy a full Redis throws away jobs, or parts of them, instead of refusing new ones. */
const SAFE_POLICY = 'noeviction';

/**
 * The `maxmemory-policy` of a server that may throw jobs away, or null if there is none. Uses INFO, because hosted
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
 * Runs further away than this stay in Postgres until a sweeper adds them: a million distant schedules cost Redis
 * nothing.
 */
export const NEAR_HORIZON_MS = 3_600_000;
const DEADLINE_MS = 500;
const COOLDOWN_MS = 500;
const SILENCE_LIMIT_MS = 5_000;
/** Jobs per pipeline: a few hundred take Redis some 20 ms, far below the deadline. */
const CHUNK = 250;
/** How long the key of a write probe is kept. */
const PROBE_MS = 1_000;
/** Waiting jobs whose runs are counted; the others are taken to have as many each. */
const COUNTED_JOBS = 200;

/**
 * Adds jobs for runs, best effort: never throws, and takes no longer than the deadline per 250 jobs. Runs of one turn
 * of the event loop that become due together share jobs. The sweeper finds the runs that failed. A run beyond the near
 * horizon is left to it and counts as neither.
 */
export type EnqueueRuns = (runs: readonly RunToEnqueue[]) => Promise<{ enqueued: number; failed: number }>;

export interface Producer {
  readonly enqueue: EnqueueRuns;
  /**
   * For each shard the runs in jobs that wait for a worker, estimated when the jobs are many; null when its server does not
   * answer within the deadline.
   */
  waiting(kind: ChannelKind): Promise<readonly (number | null)[]>;
  /** For each shard whether an operator has paused the queue; null when its server does not answer within the deadline. */
  paused(kind: ChannelKind): Promise<readonly (boolean | null)[]>;
  /** For each shard whether its server takes writes: one that is out of memory does not, so that nobody gets a job of it. */
  takesWrites(): Promise<readonly boolean[]>;
  /** Whether Redis is connected and the last call of each shard succeeded. */
  ready(): boolean;
  close(): Promise<void>;
}

export interface ProducerOptions {
  readonly redisUrl: string;
  readonly prefix?: string;
  /** Queues of each kind, see `QUEUE_SHARDS`; 1 unless given. */
  readonly shards?: number;
  readonly deadlineMs?: number;
  readonly nearHorizonMs?: number;
  readonly silenceLimitMs?: number;
  /** Called with the first error of each outage. */
  readonly onError: (error: unknown) => void;
  /** Called once, after the first connection, if `maxmemory-policy` lets Redis throw jobs away. */
  readonly onUnsafeEviction?: (policy: string) => void;
}

const toJob = (runs: RunGroup) => ({
  name: 'deliver',
  data: toStoredJob({ runIds: runs.map(({ runId }) => runId) }),
  opts: {
    jobId: jobId(runs),
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

/** Adds the jobs of the groups. BullMQ ignores a job whose id exists, so that of a run whose time was changed is removed first. */
async function addJobs(queue: JobQueue, groups: readonly RunGroup[]): Promise<unknown> {
  const moved = groups.filter(([run]) => run.isMoved);
  await Promise.all(moved.map((group) => queue.remove(jobId(group))));
  return queue.addBulk(groups.map(toJob));
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * The only way jobs get into Redis, used by the API after its commit and by the worker for retries and
 * sweeps. Works without Redis: calls fail at once while it is away, and succeed again within about a second
 * of its return.
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
  // One for each shard, because each may be on another node of a Cluster.
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

  /** The response of a shard's queue, or null if there is none within the deadline. */
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

  /** Writes a key that is gone at once, next to the shard's queues. */
  async function takesWrite(shard: number): Promise<boolean> {
    const key = `${queuePrefix(redis, prefix, shard)}:write-probe`;
    try {
      await call(shard, 'asking whether Redis takes writes', () => redis.set(key, '', 'PX', PROBE_MS));
      return true;
    } catch {
      return false;
    }
  }

  const askAll = <T>(what: string, kind: ChannelKind, question: (queue: JobQueue) => Promise<T>) =>
    Promise.all(breakers.map((_, shard) => ask(what, { kind, shard }, question)));

  /** The keys of the runs that were added. */
  async function addAll(runs: readonly RunToEnqueue[]): Promise<ReadonlySet<string>> {
    const added = new Set<string>();
    const ofShard: RunGroup[][] = breakers.map(() => []);
    for (const group of groupRuns(new Map(runs.map((run) => [runKey(run), run])).values())) {
      ofShard[shardOf(group, shards)]?.push(group);
    }
    async function addToShard(groups: readonly RunGroup[], shard: number): Promise<void> {
      // One after the other: after an outage only the first call would be let through.
      for (const kind of new Set(groups.map(([{ channelKind }]) => channelKind))) {
        const ofKind = groups.filter(([{ channelKind }]) => channelKind === kind);
        for (const chunk of chunksOf(ofKind, CHUNK)) {
          const jobs = await ask('adding jobs', { kind, shard }, (queue) => addJobs(queue, chunk));
          if (jobs !== null) for (const run of chunk.flat()) added.add(runKey(run));
        }
      }
    }
    await Promise.all(ofShard.map(addToShard));
    return added;
  }

  let together: RunToEnqueue[] = [];
  let adding: Promise<ReadonlySet<string>> | undefined;

  /** Adds the runs of all calls in one turn of the event loop together: a batch is accepted in one turn. */
  function addTogether(runs: readonly RunToEnqueue[]): Promise<ReadonlySet<string>> {
    together.push(...runs);
    adding ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      const taken = together;
      together = [];
      adding = undefined;
      return addAll(taken);
    });
    return adding;
  }

  return {
    async enqueue(runs) {
      const near = runs.filter((run) => run.delayMs <= nearHorizonMs);
      const added = await addTogether(near);
      const enqueued = near.filter((run) => added.has(runKey(run))).length;
      return { enqueued, failed: near.length - enqueued };
    },
    waiting: (kind) => askAll('counting jobs', kind, countWaitingRuns),
    takesWrites: () => Promise.all(breakers.map((_, shard) => takesWrite(shard))),
    paused: (kind) => askAll('asking whether the queue is paused', kind, (queue) => queue.isPaused()),
    ready: () => redis.status === 'ready' && breakers.every((breaker) => breaker.isClosed()),
    async close() {
      await withDeadline(queues.close(), deadlineMs, 'closing the queues').catch(() => undefined);
      redis.disconnect();
    },
  };
}
