import type { ClaimedRun } from '@postrider/db';
import { parseTraceparent } from '@postrider/domain';
import type { SpanEnd, Tracing } from '@postrider/telemetry';
import type { AttemptBounds, AttemptReport } from './attempt.ts';
import { publicIds } from './public-ids.ts';

/** Runs a claimed attempt; the receiver of a webhook is told the `traceparent`. */
export type RunTracedAttempt = (
  run: ClaimedRun,
  bounds: AttemptBounds,
  traceparent: string | null,
) => Promise<AttemptReport>;

/** The trace that the run's attempts are part of: that of the request which made the run, else the message's. */
export function traceIdOf({ traceparent, message }: ClaimedRun): string {
  return (traceparent !== null && parseTraceparent(traceparent)?.traceId) || message.traceId;
}

function attributesOf(run: ClaimedRun) {
  const { run: runId, message, channel, environment, tenant } = publicIds(run);
  return {
    'postrider.run_id': runId,
    'postrider.message_id': message,
    'postrider.channel_id': channel,
    'postrider.environment_id': environment,
    'postrider.tenant_id': tenant,
    'postrider.channel_kind': run.channel.kind,
    'postrider.attempt': run.attemptNumber,
  };
}

function endOf({ result, verdict, finish, renderMs }: AttemptReport): SpanEnd {
  const code = result.outcome === 'delivered' ? null : result.code;
  return {
    attributes: {
      'postrider.status': verdict.result.status,
      'postrider.next': verdict.next.status,
      'postrider.written': finish,
      'postrider.render_ms': Math.round(renderMs),
      'error.type': code ?? undefined,
      'postrider.response_status': result.response?.statusCode,
    },
    failure: code,
  };
}

/**
 * Shows in the trace of the request that made a run each job by which a worker took the run up, from before its
 * claim, and below it the attempt, whose own `traceparent` goes to the receiver. Without tracing the receiver
 * gets the one that came with the request.
 */
export function traceAttempts(
  tracing: Tracing | null,
  { runAttempt, monotonicMs }: { runAttempt: RunTracedAttempt; monotonicMs: () => number },
): (run: ClaimedRun, bounds: AttemptBounds) => Promise<AttemptReport> {
  if (tracing === null) return (run, bounds) => runAttempt(run, bounds, run.traceparent);
  return async (run, bounds) => {
    const { kind } = run.channel;
    const job = tracing.begin(`${kind} job`, {
      kind: 'consumer',
      parent: run.traceparent,
      beganMsAgo: monotonicMs() - bounds.askedAt,
      attributes: attributesOf(run),
    });
    const attempt = tracing.begin(`${kind} attempt`, {
      kind: 'client',
      parent: job.traceparent,
      attributes: attributesOf(run),
    });
    let end: SpanEnd = { failure: 'not written' };
    try {
      const report = await runAttempt(run, bounds, attempt.traceparent);
      end = endOf(report);
      return report;
    } finally {
      attempt.end(end);
      job.end();
    }
  };
}
