export { chooseFreePort } from './free-port.ts';
export { type ConsumedRecord, findKcat, type KafkaMock, startKafkaMock } from './kafka-mock.ts';
export { findPgBouncer, startPgBouncer } from './pgbouncer.ts';
export { findPostfix, type Postfix, startPostfix } from './postfix.ts';
export { findRabbitMq, type RabbitMq, startRabbitMq } from './rabbitmq.ts';
export { startRedisCluster } from './redis-cluster.ts';
export { removeKeys } from './redis-nodes.ts';
export { startRedisBehindSentinel } from './redis-sentinel.ts';
export { startTestService, type TestService, type TestServiceOptions } from './service.ts';
export {
  type App,
  createService,
  FROM_SOURCES,
  nodeArgumentsOf,
  productionEnvironment,
  ROOT,
  type Service,
  type ServiceOptions,
  type Stores,
} from './service-process.ts';
export { testRedisTopologies } from './test-topologies.ts';
export { startTlsFront, TLS_FRONT_CERTIFICATE, type TlsFront } from './tls-front.ts';
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.ts';
