export { type BacklogDeps, type BacklogOfKind, measureBacklog } from './backlog.ts';
export { type BoundedLog, type BoundedLogOptions, createBoundedLog } from './bounded-log.ts';
export {
  checkReadiness,
  createHealthAnswers,
  createHealthServer,
  type HealthAnswers,
  type HealthDeps,
  type Readiness,
  type ReadinessDeps,
} from './health.ts';
export { createLogger, type LogFields, type Logger, type LoggerOptions } from './logger.ts';
export {
  type Counter,
  countRefusals,
  createMetrics,
  type Gauge,
  type Histogram,
  type Metrics,
  type MetricsText,
  type Registry,
} from './metrics.ts';
export { createMetricsServer, type MetricsServerOptions } from './metrics-server.ts';
export type { PlainAnswer, PlainServerOptions } from './plain-server.ts';
export { startMemoryRelease } from './release-memory.ts';
export { type EndProcess, type StopOnSignalOptions, stopOnSignal } from './stop-on-signal.ts';
export { measureBatches, measureBreakers, measurePool, type PoolState } from './stores.ts';
export {
  openTracing,
  type SpanAttributes,
  type SpanEnd,
  type SpanStart,
  type TraceSampler,
  type TraceSpan,
  type Tracing,
  type TracingSettings,
} from './tracing.ts';
