import type { RequestHandler } from 'express';
import { contextOf } from './request-context.ts';
import { endTrace } from './request-trace.ts';

/** One request, as it is logged and measured. */
export interface RequestRecord {
  readonly method: string;
  /** The route's pattern, null when no route took the request: paths carry ids, and a metric must not. */
  readonly route: string | null;
  /** Null when the client went away before it was answered. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Hears of every request once, when its response is sent or its client gone. */
export type RecordRequest = (record: RequestRecord) => void;

/**
 * Reports each request when it is over: one wide log line per request, with the ids that tie it to everything
 * else, and the end of its trace here.
 */
export function recordRequests(record: RecordRequest, monotonicNow: () => number): RequestHandler {
  return (req, res, next) => {
    res.once('close', () => {
      const { requestId, traceId, span, startedAt, facts } = contextOf(res);
      const { route = null, ...rest } = facts;
      const request: RequestRecord = {
        method: req.method,
        route,
        status: res.writableFinished ? res.statusCode : null,
        durationMs: Math.round((monotonicNow() - startedAt) * 10) / 10,
        fields: { request_id: requestId, trace_id: traceId, ...rest },
      };
      record(request);
      if (span) endTrace(span, request);
    });
    next();
  };
}
