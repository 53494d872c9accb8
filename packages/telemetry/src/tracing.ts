import { createSpanId, createTraceId, formatTraceparent, parseTraceparent } from '@postrider/domain';
import { createBoundedLog } from './bounded-log.ts';
import type { Logger } from './logger.ts';

/** A value of an OpenTelemetry attribute; an undefined one is left out. */
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
  /** The `traceparent` to continue; null begins a trace. */
  parent: string | null;
  /** The `traceparent` of each further trace that it serves. */
  links?: readonly string[];
  attributes?: SpanAttributes;
  /** How long ago it began, in milliseconds. */
  beganMsAgo?: number;
};

export type SpanEnd = {
  /** Replaces the name that it began with. */
  name?: string;
  attributes?: SpanAttributes;
  /** What went wrong, in a word. */
  failure?: string | null;
};

/** A piece of work in progress. */
export type TraceSpan = {
  traceId: string;
  /** The W3C `traceparent` with which others continue the trace below it. */
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
  /** OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: the whole URL for traces. */
  otlpTracesEndpoint: string | null;
  tracesSampler: TraceSampler;
  /** For samplers by ratio: the part of the traces that are exported, from 0 to 1. */
  tracesSamplerRatio: number;
  /** Logs, at a bounded rate, that spans cannot be exported. */
  logger: Pick<Logger, 'warn' | 'error'>;
};

/**
 * Opens the export of spans to an OpenTelemetry collector. Returns null, and loads none of its libraries, if no
 * collector is configured.
 */
export async function openTracing(settings: TracingSettings): Promise<Tracing | null> {
  const { otlpEndpoint, otlpTracesEndpoint, ...rest } = settings;
  const url = otlpTracesEndpoint ?? (otlpEndpoint && `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`);
  if (url === null) return null;
  const { createTracing } = await import('./otlp-tracing.ts');
  return unfailing(createTracing({ ...rest, url }), settings.logger);
}

/** A span that is never exported; what is below it stays in the trace of its parent. */
function unexportedSpan(parent: string | null): TraceSpan {
  const traceId = parseTraceparent(parent ?? undefined)?.traceId ?? createTraceId();
  return {
    traceId,
    traceparent: formatTraceparent({ traceId, spanId: createSpanId(), sampled: false }),
    isSampled: false,
    end: () => undefined,
  };
}

/**
 * Wraps tracing so that beginning and ending a span never throws: accepting and delivering events must not fail because
 * tracing does. Logs errors at a bounded rate; a span that cannot begin is not exported.
 */
export function unfailing(tracing: Tracing, logger: Pick<Logger, 'warn' | 'error'>): Tracing {
  const log = createBoundedLog(logger, { perKeyPerMinute: 1 });
  const orElse = <T>(work: () => T, instead: () => T): T => {
    try {
      return work();
    } catch (error) {
      log.error('tracing', 'a span could not be recorded', { error });
      return instead();
    }
  };
  return {
    begin: (name, start) =>
      orElse(
        () => {
          const span = tracing.begin(name, start);
          return {
            ...span,
            end: (end) =>
              orElse(
                () => span.end(end),
                () => undefined,
              ),
          };
        },
        () => unexportedSpan(start.parent),
      ),
    async close() {
      await tracing.close();
      log.flush();
    },
  };
}
