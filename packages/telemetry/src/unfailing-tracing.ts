import { createSpanId, createTraceId, formatTraceparent, parseTraceparent } from '@postrider/domain';
import { createBoundedLog } from './bounded-log.ts';
import type { Logger } from './logger.ts';
import type { TraceSpan, Tracing } from './tracing.ts';

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
