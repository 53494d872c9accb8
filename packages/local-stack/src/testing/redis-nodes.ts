import { Redis } from 'ioredis';

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
