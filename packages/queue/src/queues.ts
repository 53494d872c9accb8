import type { ChannelKind } from '@postrider/domain';
import { Queue } from 'bullmq';
import type { StoredJob } from './job.ts';
import type { RedisClient } from './redis.ts';
import { queueName, queuePrefix } from './shards.ts';

/** Nobody reads the events stream; BullMQ keeps 10,000 entries of it by default. */
const EVENTS_KEPT = 100;

export type JobQueue = Queue<StoredJob>;

export interface Queues {
  /** The queue, made at its first use. Rejects while Redis cannot be reached, and can be called again. */
  get(kind: ChannelKind, shard: number): Promise<JobQueue>;
  close(): Promise<void>;
}

/**
 * BullMQ's Queue reads the server's version once, when it is made, and a Queue whose reading failed stays
 * broken. So one is made when it is first needed and thrown away when that fails, which lets a process start
 * while Redis is down.
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
