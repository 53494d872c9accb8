export { BreakerOpenError, createBreaker } from './breaker.ts';
export { RUNS_PER_JOB, SPREAD_MS } from './groups.ts';
export {
  generationOf,
  type JobData,
  jobId,
  parseJobData,
  type RunToEnqueue,
  type StoredJob,
  toStoredJob,
} from './job.ts';
export { DEFAULT_KEY_PREFIX, queueName } from './names.ts';
export {
  createProducer,
  type EnqueueRuns,
  NEAR_HORIZON_MS,
  type Producer,
  type ProducerOptions,
} from './producer.ts';
export { openRedis, type RedisClient } from './redis.ts';
export { queuePrefix } from './shards.ts';
