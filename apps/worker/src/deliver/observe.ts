import type { ChannelRegistry } from '@postrider/channels';
import type { ClaimedRun, ReleasedRun } from '@postrider/db';
import {
  type AttemptOutcome,
  type ChannelKind,
  COMMON_ATTEMPT_ERROR_CODES,
  LOSSES_BEFORE_END,
  LOSSES_BEFORE_QUARANTINE,
  parseTraceparent,
} from '@postrider/domain';
import type { Logger, Metrics, SpanEnd, Tracing } from '@postrider/telemetry';

/** Called with each ended attempt. */
export type ReportAttempt = (run: ClaimedRun, outcome: AttemptOutcome<'written'>) => void;

/** The trace of the run's attempts: that of the request that created the run, or the message's. */
function traceIdOf({ traceparent, message }: ClaimedRun): string {
  return (traceparent !== null && parseTraceparent(traceparent)?.traceId) || message.traceId;
}

/** A template's error can quote personal data, so it is stored with the attempt for the tenant but not logged. */
function loggedReason({ error }: AttemptOutcome): string | null {
  return error === null || error.stage === 'render' ? null : error.message;
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

/** The wide line of an attempt: no addresses, payloads, secrets or response bodies. */
function lineOf(run: ClaimedRun, outcome: AttemptOutcome<'written'>) {
  const { status, error, response, next, expires, written, durationMs, renderMs } = outcome;
  // The logger does not let a field replace `message`, the text of the line.
  const { message: message_id, ...ids } = run.ids;
  return {
    ...ids,
    message_id,
    kind: run.channel.kind,
    trace_id: traceIdOf(run),
    request_id: run.message.requestId,
    attempt: run.attemptNumber,
    max_attempts: run.maxAttempts,
    status,
    stage: error?.stage ?? null,
    code: error?.code ?? null,
    reason: loggedReason(outcome),
    response_status: response?.statusCode ?? null,
    next: expires ? 'expired' : next.status,
    retry_in_ms: next.status === 'retrying' && !expires ? next.delayMs : null,
    duration_ms: round(durationMs),
    render_ms: round(renderMs),
    written: written === 'uncertain' ? null : written === 'finished',
  };
}

/** Logs and metrics of runs. */
export interface DeliveryMeasures {
  /** Must be called with each attempt that ended in this process, or in its isolated process. */
  readonly attempted: ReportAttempt;
  /** Must be called with the released runs of lost workers. */
  readonly released: (runs: readonly ReleasedRun[]) => void;
  /** Must be called for each run that crashed its isolated process. */
  readonly endedAlone: (kind: ChannelKind) => void;
  /** Must be called for each claim that could neither hold nor end runs that must not be sent. */
  readonly notRefused: () => void;
}

/** Bucket bounds in seconds: from 5 ms in an idle service to an hour after a long outage. */
const LATENESS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

/**
 * Logs and counts attempts, retries, dead runs, reclaimed leases and attempts with unknown result, and measures how late sending
 * starts. The process that writes a run's new state counts it, so stale results are not counted. Runs that end because their
 * channel was deleted or disabled are not dead runs, because that was intended.
 */
export function createDeliveryMeasures(
  logger: Logger,
  metrics: Metrics,
  registry: ChannelRegistry,
): DeliveryMeasures {
  const attempts = metrics.counter('postrider_attempts_total', 'Attempts that ended.', [
    'kind',
    'status',
    'code',
  ]);
  const dead = metrics.counter('postrider_dead_runs_total', 'Runs that ended failed.', ['kind', 'code']);
  // They start at 0, so that an alert notices the first.
  for (const { kind, errorCodes } of registry.definitions) {
    attempts.inc({ kind, status: 'succeeded', code: 'none' }, 0);
    for (const code of [...errorCodes, ...COMMON_ATTEMPT_ERROR_CODES]) {
      dead.inc({ kind, code }, 0);
      for (const status of ['failed', 'unknown']) attempts.inc({ kind, status, code }, 0);
    }
  }
  const durations = metrics.histogram(
    'postrider_attempt_duration_seconds',
    'Time from the claim to the response.',
    ['kind'],
  );
  const lateness = metrics.histogram(
    'postrider_due_to_send_seconds',
    'Time from when a run was due, by the database clock, to when sending began.',
    ['kind'],
    LATENESS_BUCKETS,
  );
  const count = (name: string, help: string) => metrics.counter(name, help, []);
  const stale = count(
    'postrider_stale_results_total',
    'Results that were refused because the worker had lost the run.',
  );
  const notRefused = count(
    'postrider_refusal_failures_total',
    'Claims that could neither hold nor end runs that may not be sent.',
  );
  const countByKind = (name: string, help: string) => metrics.counter(name, help, { kind: registry.kinds });
  const retries = countByKind('postrider_retries_total', 'Runs that will be retried.');
  const unknown = countByKind(
    'postrider_unknown_attempts_total',
    'Attempts that may or may not have been delivered.',
  );
  const reclaims = countByKind(
    'postrider_lease_reclaims_total',
    'Runs that were released because the lease of their worker had expired.',
  );
  const quarantined = countByKind(
    'postrider_quarantined_runs_total',
    'Runs that were quarantined because they lost several workers in a row.',
  );
  const endedInQuarantine = countByKind(
    'postrider_quarantine_failures_total',
    'Runs that failed because they crashed their isolated process.',
  );
  const lost = (kind: string) => {
    attempts.inc({ kind, status: 'unknown', code: 'worker_lost' });
    unknown.inc({ kind });
  };

  return {
    attempted(run, outcome) {
      const { status, error, next, expires, written, durationMs, renderMs } = outcome;
      const { kind } = run.channel;
      durations.observe({ kind }, durationMs / 1_000);
      if (error?.stage !== 'render') {
        const waitedMs = run.claimedAt.getTime() - run.dueAt.getTime();
        lateness.observe({ kind }, Math.max(0, waitedMs + renderMs) / 1_000);
      }
      logger.info('attempt', lineOf(run, outcome));
      if (written === 'stale') {
        stale.inc();
        return;
      }
      attempts.inc({ kind, status, code: error?.code ?? 'none' });
      if (status === 'unknown') unknown.inc({ kind });
      if (expires) dead.inc({ kind, code: 'expired' });
      else if (next.status === 'retrying') retries.inc({ kind });
      else if (error) dead.inc({ kind, code: error.code });
    },
    released(runs) {
      for (const { channelKind: kind, status, lostWorkers } of runs) {
        reclaims.inc({ kind });
        lost(kind);
        if (status === 'retrying') retries.inc({ kind });
        else dead.inc({ kind, code: 'worker_lost' });
        if (status === 'retrying' && lostWorkers === LOSSES_BEFORE_QUARANTINE) quarantined.inc({ kind });
        if (status === 'failed' && lostWorkers >= LOSSES_BEFORE_END) endedInQuarantine.inc({ kind });
      }
    },
    endedAlone(kind) {
      lost(kind);
      dead.inc({ kind, code: 'worker_lost' });
      endedInQuarantine.inc({ kind });
    },
    notRefused: () => notRefused.inc(),
  };
}

function attributesOf(run: ClaimedRun) {
  const { run: runId, message, channel, environment, tenant } = run.ids;
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

function endOf(outcome: AttemptOutcome<'written'>): SpanEnd {
  const { status, error, response, next, expires, written, renderMs } = outcome;
  return {
    attributes: {
      'postrider.status': status,
      'postrider.next': expires ? 'expired' : next.status,
      'postrider.written': written,
      'postrider.render_ms': Math.round(renderMs),
      'error.type': error?.code,
      'postrider.response_status': response?.statusCode,
    },
    failure: error?.code ?? null,
  };
}

/**
 * Runs an attempt and adds two spans to the trace of the request that created the run: the job, which begins before the claim, and its
 * child, the attempt, whose `traceparent` is sent to the receiver. Without tracing the receiver gets the `traceparent`
 * of the request.
 */
export async function traceAttempt(
  tracing: Tracing | null,
  run: ClaimedRun,
  claimedMsAgo: number,
  runAttempt: (traceparent: string | null) => Promise<AttemptOutcome<'written'>>,
): Promise<AttemptOutcome<'written'>> {
  if (tracing === null) return runAttempt(run.traceparent);
  const { kind } = run.channel;
  const attributes = attributesOf(run);
  const job = tracing.begin(`${kind} job`, {
    kind: 'consumer',
    parent: run.traceparent,
    beganMsAgo: claimedMsAgo,
    attributes,
  });
  const attempt = tracing.begin(`${kind} attempt`, { kind: 'client', parent: job.traceparent, attributes });
  let end: SpanEnd = { failure: 'not written' };
  try {
    const outcome = await runAttempt(attempt.traceparent);
    end = endOf(outcome);
    return outcome;
  } finally {
    attempt.end(end);
    job.end();
  }
}
