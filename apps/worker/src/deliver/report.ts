import type { ClaimedRun } from '@postrider/db';
import type { Logger, Metrics } from '@postrider/telemetry';
import type { AttemptReport } from './attempt.ts';
import { publicIds } from './public-ids.ts';
import { traceIdOf } from './trace-attempts.ts';

/** Hears of each attempt that ended. */
export type ReportAttempt = (run: ClaimedRun, report: AttemptReport) => void;

const round = (ms: number): number => Math.round(ms * 10) / 10;

/**
 * A template's error can quote what it was rendered with: it is kept with the attempt, for the tenant, and
 * not in the log.
 */
function reasonOf(result: AttemptReport['result']): string | null {
  if (result.outcome === 'delivered' || result.code === 'template_render_failed') return null;
  return result.message;
}

/** One wide line per attempt and the figures of it; no addresses, payloads, secrets or response bodies. */
export function createReport(logger: Logger, metrics: Metrics): ReportAttempt {
  const attempts = metrics.counter('postrider_attempts_total', 'Attempts that ended.', [
    'kind',
    'status',
    'code',
  ]);
  const durations = metrics.histogram('postrider_attempt_duration_seconds', 'From the claim to the answer.', [
    'kind',
  ]);

  const stale = metrics.counter(
    'postrider_stale_results_total',
    'Results that were refused because the run had been taken from this worker.',
    [],
  );

  return (run, { result, verdict, finish, durationMs, renderMs }) => {
    const { kind } = run.channel;
    const code = result.outcome === 'delivered' ? null : result.code;
    attempts.inc({ kind, status: verdict.result.status, code: code ?? 'none' });
    durations.observe({ kind }, durationMs / 1_000);
    if (finish === 'stale') stale.inc();
    logger.info('attempt', {
      ...publicIds(run),
      kind,
      trace_id: traceIdOf(run),
      request_id: run.message.requestId,
      attempt: run.attemptNumber,
      max_attempts: run.maxAttempts,
      status: verdict.result.status,
      code,
      reason: reasonOf(result),
      response_status: result.response?.statusCode ?? null,
      next: verdict.next.status,
      retry_in_ms: verdict.next.status === 'retrying' ? verdict.next.delayMs : null,
      duration_ms: round(durationMs),
      render_ms: round(renderMs),
      written: finish === 'uncertain' ? null : finish === 'finished',
    });
  };
}
