import { Redis } from 'ioredis';

/** The jobs of a queue, by state. */
export interface LeftJobs {
  readonly waiting: readonly string[];
  readonly delayed: readonly string[];
  readonly active: readonly string[];
}

const QUEUES = ['postrider:postrider-webhook', 'postrider:postrider-email'];

/** Reads the ids of the jobs that processes of release 0.1.0 have left in Redis, of both kinds. */
export async function readLeftJobs(redisUrl: string): Promise<LeftJobs> {
  const redis = new Redis(redisUrl);
  try {
    const ofAll = async (read: (queue: string) => Promise<string[]>) =>
      (await Promise.all(QUEUES.map(read))).flat();
    return {
      waiting: await ofAll((queue) => redis.lrange(`${queue}:wait`, 0, -1)),
      delayed: await ofAll((queue) => redis.zrange(`${queue}:delayed`, '0', '-1')),
      active: await ofAll((queue) => redis.lrange(`${queue}:active`, 0, -1)),
    };
  } finally {
    redis.disconnect();
  }
}
