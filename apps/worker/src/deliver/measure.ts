import type { ReleasedRun } from '@postrider/db';
import {
  CHANNEL_KINDS,
  type ChannelKind,
  LOSSES_BEFORE_END,
  LOSSES_BEFORE_QUARANTINE,
} from '@postrider/domain';
import type { Metrics } from '@postrider/telemetry';
import type { ReportAttempt } from './report.ts';

/** What counts how deliveries go on beyond the single attempt. */
export interface DeliveryMeasures {
  /** Hears of each attempt that ended here. */
  readonly attempted: ReportAttempt;
  /** Hears of the runs that were taken back from workers that were lost. */
  readonly released: (runs: readonly ReleasedRun[]) => void;
  /** Called for each run that ended the process which tried it alone. */
  readonly endedAlone: (kind: ChannelKind) => void;
}

/** From 5 ms, which is an idle service, to the hour of a long outage; seconds. */
const LATENESS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

/**
 * Counts retries, dead runs, lease reclaims and attempts of unknown result, and measures how late sending
 * begins. A run counts where its new state was written: a stale result counts for nothing. Runs that end because
 * their channel is gone are not dead runs: somebody wanted that.
 */
export function createDeliveryMeasures(metrics: Metrics): DeliveryMeasures {
  const lateness = metrics.histogram(
    'postrider_due_to_send_seconds',
    'From when a run fell due, by the clock of the database, to when sending began.',
    ['kind'],
    LATENESS_BUCKETS,
  );
  const retries = metrics.counter('postrider_retries_total', 'Runs that will be tried again.', ['kind']);
  const dead = metrics.counter('postrider_dead_runs_total', 'Runs that ended failed.', ['kind', 'code']);
  const unknown = metrics.counter(
    'postrider_unknown_attempts_total',
    'Attempts of which nobody knows whether they were delivered.',
    ['kind'],
  );
  const reclaims = metrics.counter(
    'postrider_lease_reclaims_total',
    'Runs that were taken back because the lease of their worker had run out.',
    ['kind'],
  );
  const quarantined = metrics.counter(
    'postrider_quarantined_runs_total',
    'Runs that lost so many workers in a row that they are tried alone.',
    ['kind'],
  );
  const endedInQuarantine = metrics.counter(
    'postrider_quarantine_failures_total',
    'Runs that ended failed because they lost the process that tried them alone.',
    ['kind'],
  );
  // From 0 on, so that the alert sees the first.
  for (const kind of CHANNEL_KINDS) endedInQuarantine.inc({ kind }, 0);

  return {
    attempted(run, { result, verdict, finish, renderMs }) {
      const { kind } = run.channel;
      const waitedMs = run.claimedAt.getTime() - run.dueAt.getTime();
      if (result.outcome === 'delivered' || result.code !== 'template_render_failed') {
        lateness.observe({ kind }, Math.max(0, waitedMs + renderMs) / 1_000);
      }
      if (finish === 'stale') return;
      if (verdict.result.status === 'unknown') unknown.inc({ kind });
      if (verdict.next.status === 'retrying') retries.inc({ kind });
      if (verdict.next.status === 'failed' && result.outcome !== 'delivered') {
        dead.inc({ kind, code: result.code });
      }
    },
    released(runs) {
      for (const { channelKind: kind, status, lostWorkers } of runs) {
        reclaims.inc({ kind });
        unknown.inc({ kind });
        if (status === 'retrying') retries.inc({ kind });
        else dead.inc({ kind, code: 'worker_lost' });
        if (status === 'retrying' && lostWorkers === LOSSES_BEFORE_QUARANTINE) quarantined.inc({ kind });
        if (status === 'failed' && lostWorkers >= LOSSES_BEFORE_END) endedInQuarantine.inc({ kind });
      }
    },
    endedAlone(kind) {
      unknown.inc({ kind });
      dead.inc({ kind, code: 'worker_lost' });
      endedInQuarantine.inc({ kind });
    },
  };
}
