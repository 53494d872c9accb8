import { Cluster, Redis } from 'ioredis';

/** A connection to one server, whatever its part; the caller disconnects it. */
export function connectTo(port: number, password?: string): Redis {
  const redis = new Redis({ host: '127.0.0.1', port, ...(password === undefined ? {} : { password }) });
  redis.on('error', () => undefined);
  return redis;
}

/** Whether a replica has all that its primary has, as far as it knows. */
export async function isReplicating(redis: Redis): Promise<boolean> {
  return (await redis.info('replication')).includes('master_link_status:up');
}

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
