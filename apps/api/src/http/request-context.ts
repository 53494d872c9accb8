import { acceptRequestId, createTraceId, formatTraceparent, parseTraceparent } from '@postrider/domain';
import type { TraceSpan, Tracing } from '@postrider/telemetry';
import type { RequestHandler, Response } from 'express';
import { beginTrace } from './request-trace.ts';

/**
 * What the one log line of a request says besides its method, status and duration. No personal data, no
 * secrets.
 */
export interface RequestFacts {
  route?: string;
  error_code?: string;
  /** Who calls the management API, by the name that they give themselves. */
  actor?: string;
  tenant_id?: string;
  environment_id?: string;
  message_id?: string;
  idempotent_replayed?: boolean;
}

export interface RequestContext {
  /** The client's X-Request-ID, null when it sent none or one that is not acceptable. */
  readonly requestId: string | null;
  /** W3C trace id: the incoming one continued, else a new one. */
  readonly traceId: string;
  /** The `traceparent` for whoever continues the trace; null when nobody traces the request. */
  readonly traceparent: string | null;
  /** What is exported of the request; null when nothing is. */
  readonly span: TraceSpan | null;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  readonly facts: RequestFacts;
}

const LOCAL = 'postriderContext';

/**
 * Opens a request: settles its ids and puts X-Request-ID (when the client sent a good one) and X-Trace-ID on
 * its response, whatever that will be (docs/specification.md, "Request and trace ids").
 */
export function openRequest({
  monotonicNow,
  tracing = null,
}: {
  monotonicNow: () => number;
  tracing?: Tracing | null;
}): RequestHandler {
  return (req, res, next) => {
    const incoming = parseTraceparent(req.get('traceparent'));
    const parent = incoming && formatTraceparent({ ...incoming, spanId: incoming.parentId });
    const span = tracing && beginTrace(tracing, req, parent);
    const context: RequestContext = {
      requestId: acceptRequestId(req.get('x-request-id')),
      traceId: span?.traceId ?? incoming?.traceId ?? createTraceId(),
      traceparent: span?.traceparent ?? parent,
      span,
      startedAt: monotonicNow(),
      facts: {},
    };
    res.locals[LOCAL] = context;
    if (context.requestId !== null) res.setHeader('X-Request-ID', context.requestId);
    res.setHeader('X-Trace-ID', context.traceId);
    next();
  };
}

/** The context that {@link openRequest} made. */
export function contextOf(res: Response): RequestContext {
  return res.locals[LOCAL] as RequestContext;
}
