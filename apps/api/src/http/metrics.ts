import type { Metrics } from '@postrider/telemetry';
import type { RecordRequest } from './request-log.ts';

/** Where no route took the request; its path is the client's choice and no label. */
const NO_ROUTE = 'none';
/** The client went away unanswered; 499 is what proxies call it. */
const CLIENT_GONE = '499';

/** Measures requests by method, route, status and error code. */
export function createApiMetrics(metrics: Metrics): RecordRequest {
  const duration = metrics.histogram(
    'postrider_api_request_duration_seconds',
    'Time from a request to the end of its response.',
    ['method', 'route', 'status'],
  );
  const refusals = metrics.counter(
    'postrider_api_refusals_total',
    'Requests that were answered with an error, by its code.',
    ['code'],
  );
  return ({ method, route, status, durationMs, fields }) => {
    const labels = { method, route: route ?? NO_ROUTE, status: String(status ?? CLIENT_GONE) };
    duration.observe(labels, durationMs / 1_000);
    if (typeof fields.error_code === 'string') refusals.inc({ code: fields.error_code });
  };
}
