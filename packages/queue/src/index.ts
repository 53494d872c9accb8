export { BreakerOpenError, createBreaker } from './breaker.ts';
export {
  generationOf,
  type JobRun,
  jobId,
  parseJobData,
  type RunToEnqueue,
  type StoredJob,
  toStoredJob,
} from './job.ts';
export {
  createProducer,
  type EnqueueRuns,
  NEAR_HORIZON_MS,
  type Producer,
  type ProducerOptions,
  RUNS_PER_JOB,
  SPREAD_MS,
} from './producer.ts';
export { openRedis, type RedisClient } from './redis.ts';
export { DEFAULT_KEY_PREFIX, queueName, queuePrefix } from './shards.ts';
