import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { createTraceId, formatTraceparent, parseTraceparent, withDeadline } from '@postrider/domain';
import { createBoundedLog } from './bounded-log.ts';
import { masked } from './logger.ts';
import type { SpanAttributes, TraceSampler, Tracing, TracingSettings } from './tracing.ts';

/** Ordinary corrections of wall clocks are smaller than this. */
const TOLERATED_DRIFT_MS = 100;

/**
 * Creates a wall clock in fractions of a millisecond since the epoch that keeps the events of a process in order: it
 * runs monotonically, and is set to the machine's clock only when the two differ too much.
 */
export function createSpanClock(wallNow = Date.now, monotonicMs = () => performance.now()): () => number {
  let offset = wallNow() - monotonicMs();
  return () => {
    const now = offset + monotonicMs();
    const wall = wallNow();
    if (Math.abs(wall - now) <= TOLERATED_DRIFT_MS) return now;
    offset += wall - now;
    return wall;
  };
}

/** Bounds of one export and of its queue; further spans are dropped, because deliveries come first. */
const EXPORT_TIMEOUT_MS = 5_000;
const MAX_QUEUED_SPANS = 8_192;
const MAX_EXPORTED_SPANS = 1_024;
/** Short, so that a trace is complete soon after its work. */
const EXPORT_INTERVAL_MS = 1_000;
/** How long closing waits for a collector that does not respond. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * The sampler of that name, independent of the caller: an id of our own decides whether a request's trace is
 * exported. Clients choose the flag and the trace id of their `traceparent`, and could fill the exporter's queue or
 * hide with them. Spans below a request, here and in other processes, follow its decision.
 */
function samplerOf(name: TraceSampler, ratio: number): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root: Sampler = roots[name.replace('parentbased_', '') as keyof typeof roots]();
  const below: Sampler = name.startsWith('always_') ? root : new ParentBasedSampler({ root });
  return {
    shouldSample: (context, traceId, spanName, kind, attributes, links) =>
      kind === SpanKind.SERVER
        ? root.shouldSample(ROOT_CONTEXT, createTraceId(), spanName, kind, attributes, links)
        : below.shouldSample(context, traceId, spanName, kind, attributes, links),
    toString: () => `Requests{${root}}, others{${below}}`,
  };
}

function contextOf(traceparent: string): SpanContext | null {
  const parent = parseTraceparent(traceparent);
  if (!parent) return null;
  const traceFlags = parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId: parent.traceId, spanId: parent.parentId, traceFlags, isRemote: true };
}

function contextBelow(traceparent: string | null): Context {
  const parent = traceparent === null ? null : contextOf(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

function linksTo(traceparents: readonly string[]): Link[] {
  return traceparents.flatMap((traceparent) => {
    const context = contextOf(traceparent);
    return context ? [{ context }] : [];
  });
}

/** Attributes repeat values that clients chose, such as X-Actor and X-Request-ID: email addresses are removed. */
function maskedAttributes(attributes: SpanAttributes): SpanAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? masked(value) : value,
    ]),
  );
}

/** The exporter, which also reports exports that fail. */
function exporterTo(url: string, onError: (error: unknown) => void): SpanExporter {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) onError(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}

/**
 * Exports spans as OTLP over HTTP, in JSON, to `url`. Sets nothing global. The exporter itself reads the other
 * variables of its standard, such as OTEL_EXPORTER_OTLP_HEADERS, _COMPRESSION and _CERTIFICATE.
 */
export function createTracing({
  service,
  url,
  tracesSampler,
  tracesSamplerRatio,
  logger,
}: Omit<TracingSettings, 'otlpEndpoint' | 'otlpTracesEndpoint'> & { url: string }): Tracing {
  const log = createBoundedLog(logger, { perKeyPerMinute: 1 });
  const onError = (error: unknown) => log.warn('tracing', 'spans could not be exported', { error });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(tracesSampler, tracesSamplerRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: exporterTo(url, onError),
        maxQueueSize: MAX_QUEUED_SPANS,
        maxExportBatchSize: MAX_EXPORTED_SPANS,
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('postrider');
  const now = createSpanClock();

  return {
    begin(name, { kind, parent, links = [], attributes = {}, beganMsAgo = 0 }) {
      const span = tracer.startSpan(
        name,
        {
          kind: SpanKind[kind.toUpperCase() as Uppercase<typeof kind>],
          attributes: maskedAttributes(attributes),
          links: linksTo(links),
          startTime: now() - beganMsAgo,
        },
        contextBelow(parent),
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
      return {
        traceId,
        traceparent: formatTraceparent({ traceId, spanId, sampled: isSampled }),
        isSampled,
        end(end = {}) {
          if (end.name !== undefined) span.updateName(end.name);
          if (end.attributes) span.setAttributes(maskedAttributes(end.attributes));
          if (end.failure) span.setStatus({ code: SpanStatusCode.ERROR, message: masked(end.failure) });
          span.end(now());
        },
      };
    },
    async close() {
      await withDeadline(provider.shutdown(), CLOSE_TIMEOUT_MS, "the collector's answer").catch(onError);
      log.flush();
    },
  };
}
