export { BreakerOpenError, createBreaker } from './breaker.ts';
export {
  createProducer,
  type Enqueue,
  NEAR_HORIZON_MS,
  type ParsedJob,
  type Producer,
  type ProducerOptions,
  parseJob,
  type StoredJob,
} from './producer.ts';
export { openRedis, type RedisClient } from './redis.ts';
export { DEFAULT_KEY_PREFIX, queueName, queuePrefix } from './shards.ts';
