import type { Logger } from './logger.ts';
import { unfailing } from './unfailing-tracing.ts';

/** What OpenTelemetry takes as the value of an attribute; without a value there is none. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The samplers of OpenTelemetry's environment variable `OTEL_TRACES_SAMPLER`. */
export type TraceSampler =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

export type SpanStart = {
  kind: 'server' | 'internal' | 'consumer' | 'client';
  /** The `traceparent` that it continues; null begins a trace. */
  parent: string | null;
  /** The `traceparent` of each that it serves besides its parent. */
  links?: readonly string[];
  attributes?: SpanAttributes;
  /** How long ago it began, in milliseconds. */
  beganMsAgo?: number;
};

export type SpanEnd = {
  /** In place of the name that it began with. */
  name?: string;
  attributes?: SpanAttributes;
  /** What went wrong, in a word. */
  failure?: string | null;
};

/** A piece of work that is under way. */
export type TraceSpan = {
  traceId: string;
  /** The W3C `traceparent` by which others continue the trace below it. */
  traceparent: string;
  /** Whether it will be exported. */
  isSampled: boolean;
  end(end?: SpanEnd): void;
};

export type Tracing = {
  begin(name: string, start: SpanStart): TraceSpan;
  /** Exports what has ended, for a few seconds at most. */
  close(): Promise<void>;
};

export type TracingSettings = {
  /** The name of the service, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES say otherwise. */
  service: string;
  /** OTEL_EXPORTER_OTLP_ENDPOINT: the collector; traces go to `/v1/traces` below it. */
  otlpEndpoint: string | null;
  /** OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: where traces go to, as it stands. */
  otlpTracesEndpoint: string | null;
  tracesSampler: TraceSampler;
  /** Of the samplers by ratio: the part of the traces that are exported, from 0 to 1. */
  tracesSamplerRatio: number;
  /** Is told, at a bounded rate, that spans cannot be exported. */
  logger: Pick<Logger, 'warn' | 'error'>;
};

/**
 * Opens what exports spans to an OpenTelemetry collector, or returns null when no collector is configured: then
 * its libraries are not even loaded.
 */
export async function openTracing(settings: TracingSettings): Promise<Tracing | null> {
  const { otlpEndpoint, otlpTracesEndpoint, ...rest } = settings;
  const url = otlpTracesEndpoint ?? (otlpEndpoint && `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`);
  if (url === null) return null;
  const { createTracing } = await import('./otlp-tracing.ts');
  return unfailing(createTracing({ ...rest, url }), settings.logger);
}
