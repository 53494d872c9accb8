import type { TraceSpan, Tracing } from '@postrider/telemetry';
import type { Request } from 'express';
import type { RequestRecord } from './request-log.ts';

/** Asked every few seconds by machines, and of no interest. */
const UNTRACED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Begins the span of a request below its caller's; null for probes. */
export function beginTrace(tracing: Tracing, req: Request, parent: string | null): TraceSpan | null {
  if (UNTRACED.has(req.path)) return null;
  return tracing.begin(req.method, {
    kind: 'server',
    parent,
    attributes: { 'http.request.method': req.method },
  });
}

/**
 * Ends the span of a request with what its log line says. By OpenTelemetry's conventions it has failed when the
 * service has: a refusal is no failure.
 */
export function endTrace(span: TraceSpan, { method, route, status, fields }: RequestRecord): void {
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
