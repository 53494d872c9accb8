import type { ChannelKind } from '@postrider/domain';
import { Queue } from 'bullmq';
import type { StoredJob } from './job.ts';
import type { RedisClient } from './redis.ts';
import { queueName, queuePrefix } from './shards.ts';

/** Nothing reads the stream of events, of which BullMQ keeps 10,000 entries by default. */
const EVENTS_KEPT = 100;

export type JobQueue = Queue<StoredJob>;

export interface Queues {
  /** Returns the queue and creates it on first use. Rejects while Redis is unreachable, and can be called again. */
  get(kind: ChannelKind, shard: number): Promise<JobQueue>;
  close(): Promise<void>;
}

/**
 * Creates queues when they are first needed, so that a process can start while Redis is down. BullMQ's Queue reads the
 * server's version only once, in its constructor, and stays unusable if that fails; such a Queue is discarded.
 */
export function createQueues(
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
