import { Redis } from 'ioredis';
import type { RedisClient } from './redis.ts';

/** With any other policy a full Redis throws away jobs, or parts of them, instead of refusing new ones. */
const SAFE_POLICY = 'noeviction';

/**
 * The `maxmemory-policy` of a server that may throw jobs away, or null if there is none. Uses INFO, because hosted
 * Redis forbids CONFIG. Rejects if Redis does not respond.
 */
export async function findUnsafeEviction(redis: RedisClient): Promise<string | null> {
  const servers = redis instanceof Redis ? [redis] : redis.nodes('master');
  for (const server of servers) {
    const [, policy = SAFE_POLICY] = /^maxmemory_policy:(\S+)/m.exec(await server.info('memory')) ?? [];
    if (policy !== SAFE_POLICY) return policy;
  }
  return null;
}
