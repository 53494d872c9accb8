export { ensureAppRoles, urlForRole } from '../app-roles.ts';
export { seedDemo } from '../start/seed.ts';
export { findPgBouncer, startPgBouncer } from './pgbouncer.ts';
export { findKeys, removeKeys, startRedisCluster } from './redis-cluster.ts';
export { startRedisBehindSentinel } from './redis-sentinel.ts';
export { startTestService, type TestService, type TestServiceOptions } from './service.ts';
export {
  type App,
  createService,
  nodeArgumentsOf,
  productionEnvironment,
  ROOT,
  type Service,
  type ServiceOptions,
  type Stores,
} from './service-process.ts';
export { testRedisTopologies } from './test-topologies.ts';
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.ts';
