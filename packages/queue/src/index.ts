export { BreakerOpenError, createBreaker } from './breaker.ts';
export {
  DEFAULT_KEY_PREFIX,
  type ParsedJob,
  parseJob,
  queueName,
  queuePrefix,
  type StoredJob,
} from './job.ts';
export { createListenerRelay, type ListenerRelay, type RelayedDelivery } from './listener-relay.ts';
export {
  createProducer,
  type Enqueue,
  NEAR_HORIZON_MS,
  type Producer,
  type ProducerOptions,
} from './producer.ts';
export { openRedis, type RedisClient } from './redis.ts';
