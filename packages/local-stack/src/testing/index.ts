export { findPgBouncer, type PgBouncer, startPgBouncer } from './pgbouncer.ts';
export { type RedisCluster, startRedisCluster } from './redis-cluster.ts';
export { type RedisBehindSentinel, startRedisBehindSentinel } from './redis-sentinel.ts';
export { startTestService, type TestService, type TestServiceOptions } from './service.ts';
