import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { acceptRequestId, createTraceId, formatTraceparent, parseTraceparent } from '@postrider/domain';
import type { Logger, Metrics, TraceSpan, Tracing } from '@postrider/telemetry';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { ERRORS } from './errors.ts';

/** Fields of a request's log line besides method, status and duration. No personal data, no secrets. */
interface RequestFacts {
  route?: string;
  error_code?: string;
  /** The caller of the management API, by their own name. */
  actor?: string;
  tenant_id?: string;
  environment_id?: string;
  message_id?: string;
  /** The consumer that an event created; in a batch the last one. */
  consumer_created?: string;
  idempotent_replayed?: boolean;
}

export interface RequestContext {
  /** The client's X-Request-ID; null if it is missing or invalid. */
  readonly requestId: string | null;
  /** W3C trace id: the incoming one, or a new one. */
  readonly traceId: string;
  /** The `traceparent` for the next process; null if the request is not traced. */
  readonly traceparent: string | null;
  /** The exported span; null if the request is not traced. */
  readonly span: TraceSpan | null;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  readonly facts: RequestFacts;
}

/** A step that prepares every request before a handler responds. It is synchronous. */
type Preparation = (req: IncomingMessage, res: ServerResponse) => void;

const TRACE_ID = 'X-Trace-ID';
const REQUEST_ID = 'X-Request-ID';

const CONTEXT = Symbol('context');
type WithContext = ServerResponse & { [CONTEXT]?: RequestContext };

/** The value of a header; undefined if it was not sent. Node.js joins several values with commas. */
export function headerOf({ headers }: IncomingMessage, name: Lowercase<string>): string | undefined {
  return headers[name] as string | undefined;
}

/**
 * Creates a request's context: determines its ids, and sets X-Trace-ID and a valid X-Request-ID on any response
 * (docs/specification.md, "Request and trace ids").
 */
function openRequest({
  monotonicMs,
  tracing = null,
}: {
  monotonicMs: () => number;
  tracing?: Tracing | null;
}): Preparation {
  return (req, res) => {
    const incoming = parseTraceparent(headerOf(req, 'traceparent'));
    const parent = incoming && formatTraceparent({ ...incoming, spanId: incoming.parentId });
    const span = tracing && beginTrace(tracing, req, parent);
    const requestId = acceptRequestId(headerOf(req, 'x-request-id'));
    const traceId = span?.traceId ?? incoming?.traceId ?? createTraceId();
    const context: RequestContext = {
      requestId,
      traceId,
      traceparent: span?.traceparent ?? parent,
      span,
      startedAt: monotonicMs(),
      facts: {},
    };
    (res as WithContext)[CONTEXT] = context;
    res.setHeader(TRACE_ID, traceId);
    if (requestId !== null) res.setHeader(REQUEST_ID, requestId);
  };
}

/** The context that {@link openRequest} created. */
export function contextOf(res: ServerResponse): RequestContext {
  return (res as WithContext)[CONTEXT] as RequestContext;
}

/** The client closed the connection before its response ended: none can be sent. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client closed the connection before its response ended');
  }
}

const SIGNAL = Symbol('signal');
type WithSignal = ServerResponse & { [SIGNAL]?: AbortSignal };

/**
 * Aborts with a {@link ClientGoneError} when the client closes the connection before its response has ended. Whatever
 * works or waits for the request gets this signal: its statements, by `inShare`, and lines of waiting requests.
 */
export function signalOf(res: WithSignal): AbortSignal {
  if (res[SIGNAL]) return res[SIGNAL];
  const gone = new AbortController();
  const look = () => res.writableFinished || gone.abort(new ClientGoneError());
  if (res.closed || res.destroyed) look();
  else res.once('close', look);
  res[SIGNAL] = gone.signal;
  return gone.signal;
}

interface RequestRecord {
  readonly method: string;
  /** The route's pattern, because paths contain ids and metrics must not; null if no route matched. */
  readonly route: string | null;
  /** Null if the client disconnected before the response. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Called once per request, when its response was sent or its client has disconnected. */
type RecordRequest = (record: RequestRecord) => void;

/** Reports each request when it has ended, for one wide log line with its ids, and ends its span. */
function recordRequests(record: RecordRequest, monotonicMs: () => number): Preparation {
  return (req, res) => {
    res.once('close', () => {
      const { requestId, traceId, span, startedAt, facts } = contextOf(res);
      const { route = null, ...rest } = facts;
      const request: RequestRecord = {
        method: req.method ?? '',
        route,
        status: res.writableFinished ? res.statusCode : null,
        durationMs: Math.round((monotonicMs() - startedAt) * 10) / 10,
        fields: { request_id: requestId, trace_id: traceId, ...rest },
      };
      record(request);
      if (span) endTrace(span, request);
    });
  };
}

/** Probes are too frequent to trace. */
const UNTRACED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Starts the span of a request as a child of the caller's; null for probes. */
function beginTrace(
  tracing: Tracing,
  { method = '', url = '' }: IncomingMessage,
  parent: string | null,
): TraceSpan | null {
  if (UNTRACED.has(url.split('?', 1)[0] ?? '')) return null;
  return tracing.begin(method, {
    kind: 'server',
    parent,
    attributes: { 'http.request.method': method },
  });
}

/**
 * Ends the span of a request with the fields of its log line. By OpenTelemetry's conventions only a failure of the
 * service is an error, not a refusal.
 */
function endTrace(span: TraceSpan, { method, route, status, fields }: RequestRecord): void {
  const facts = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'trace_id' ? [[`postrider.${name}`, value] as const] : [],
  );
  span.end({
    name: route === null ? method : `${method} ${route}`,
    attributes: {
      'http.route': route ?? undefined,
      'http.response.status_code': status ?? undefined,
      ...Object.fromEntries(facts),
    },
    failure: status !== null && status >= 500 ? String(fields.error_code ?? status) : null,
  });
}

/** The label if no route matched: a path chosen by the client must not be a label. */
const NO_ROUTE = 'none';
/** The client disconnected before the response; proxies call this 499. */
const CLIENT_GONE = '499';

/** Measures requests by method, route, status and error code. */
function createApiMetrics(metrics: Metrics): RecordRequest {
  const duration = metrics.histogram(
    'postrider_api_request_duration_seconds',
    'Time from a request to the end of its response.',
    ['method', 'route', 'status'],
  );
  const refusals = metrics.counter('postrider_api_refusals_total', 'Error responses by code.', {
    code: Object.keys(ERRORS),
  });
  return ({ method, route, status, durationMs, fields }) => {
    const labels = { method, route: route ?? NO_ROUTE, status: String(status ?? CLIENT_GONE) };
    duration.observe(labels, durationMs / 1_000);
    if (typeof fields.error_code === 'string') refusals.inc({ code: fields.error_code });
  };
}

/** Writes one log line and one measurement per request. */
function recordTo(logger: Logger, metrics: Metrics): RecordRequest {
  const measure = createApiMetrics(metrics);
  return (request) => {
    measure(request);
    const { method, route, status, durationMs, fields } = request;
    const line = { method, route, status, duration_ms: durationMs, ...fields };
    if (status !== null && status >= 500) logger.error('request', line);
    else logger.info('request', line);
  };
}

/**
 * Headers of every response. It may load nothing, must not be framed, and must not be cached, because most belong to one
 * token and change over time. Routers that serve pages or public keys relax this for themselves. CORS decides which origins
 * may read responses.
 */
function defaultHeaders(): Preparation {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  });
  const headers = [...headersOf(protect as RequestHandler), ['Cache-Control', 'no-store'] as const];
  return (_req, res) => {
    for (const [name, value] of headers) res.setHeader(name, value);
  };
}

/** The headers that a handler sets on every response alike, so that they are computed once. */
function headersOf(handler: RequestHandler): [string, string][] {
  const headers: [string, string][] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  handler(response.req as Request, response as Response, (error?: unknown) => {
    if (error) throw error;
  });
  return headers;
}

/**
 * Prepares every request: creates its context, sets the headers of every response, and writes a log line, a measurement and a span
 * when it has ended.
 */
export function prepareRequests({
  logger,
  metrics,
  monotonicMs,
  tracing = null,
}: {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly monotonicMs: () => number;
  readonly tracing?: Tracing | null;
}): RequestHandler {
  const open = openRequest({ monotonicMs, tracing });
  const record = recordRequests(recordTo(logger, metrics), monotonicMs);
  const setHeaders = defaultHeaders();
  return (req, res, next) => {
    open(req, res);
    record(req, res);
    setHeaders(req, res);
    next();
  };
}
