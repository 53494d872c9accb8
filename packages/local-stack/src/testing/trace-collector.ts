import { type Listening, startHttpReceiver } from '@postrider/rig';

/** A span that the collector received. */
export interface CollectedSpan {
  /** `service.name` of the process that sent it. */
  readonly service: string;
  readonly name: string;
  /** The kind in OpenTelemetry's protocol: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Null for the root of a trace. */
  readonly parentSpanId: string | null;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The ids of linked spans. */
  readonly links: readonly string[];
  readonly failed: boolean;
  /** The message of a failed span; null for others. */
  readonly failure: string | null;
}

/** A stub of an OpenTelemetry collector. Its URL is for OTEL_EXPORTER_OTLP_ENDPOINT. It keeps what it gets as JSON. */
export interface TraceCollector extends Pick<Listening, 'url' | 'close'> {
  spans(): readonly CollectedSpan[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The fields of an ExportTraceServiceRequest that are read. */
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly spanId: string }[];
  readonly status: { readonly code: number; readonly message?: string };
}

const STATUS_ERROR = 2;
const millisecondsOf = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1_000n) / 1_000;

/** Each value is an object with one field, whose name is the type. */
const readAttributes = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

function readSpans({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map(
        ({ attributes, links = [], status, parentSpanId, startTimeUnixNano, endTimeUnixNano, ...span }) => ({
          service,
          name: span.name,
          kind: span.kind,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: parentSpanId || null,
          startMs: millisecondsOf(startTimeUnixNano),
          endMs: millisecondsOf(endTimeUnixNano),
          attributes: readAttributes(attributes),
          links: links.map(({ spanId }) => spanId),
          failed: status.code === STATUS_ERROR,
          failure: status.message ?? null,
        }),
      );
  });
}

/** Starts the stub on a free port of this machine. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const listening = await startHttpReceiver(({ path, method, body }, response) => {
    if (path !== '/v1/traces' || method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    spans.push(...readSpans(JSON.parse(body) as ExportRequest));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { ...listening, spans: () => spans };
}
