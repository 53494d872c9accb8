import { Cluster, type Redis } from 'ioredis';

/**
 * Removes every key that begins with `prefix`, in a Cluster from each node: FLUSHALL for one test, on a Redis
 * that others use.
 */
export async function removeKeys(redis: Redis | Cluster, prefix: string): Promise<void> {
  // Before its first answer a Cluster knows no nodes.
  await redis.ping();
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const server of servers) {
    const keys = await server.keys(`${prefix}*`);
    // One by one: keys of different slots cannot go in one command.
    await Promise.all(keys.map((key) => server.unlink(key)));
  }
}
