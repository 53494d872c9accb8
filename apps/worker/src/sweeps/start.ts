import { findWork, hasSearch, type SweepWithSearch, shareOfSweep, withShare } from '@postrider/db';
import { formatId } from '@postrider/domain';
import type { BoundedLog, Metrics } from '@postrider/telemetry';
import type { LogErrors } from '../log-errors.ts';
import { createRounds, type RoundsDeps } from './rounds.ts';
import { startSchedule } from './schedule.ts';

/**
 * The pause of each sweep between rounds, in milliseconds. The run of a lost worker starts again at most about 2 s after its lease
 * has ended. A bulk replay creates at most half a second's worth of its pace per page, so it is polled more often than that.
 * Expired messages are polled as often; the database keeps their pace for all workers. A round removes up to 50,000 expired
 * responses, so every five seconds is enough for 10,000 events a second.
 */
export const SWEEP_INTERVALS = {
  leases: 1_000,
  expiredAnswers: 5_000,
  deletedChannels: 1_000,
  expiredSecrets: 60_000,
  replayBatches: 250,
  expiredMessages: 250,
  erasures: 1_000,
  consoleSessions: 60_000,
  stats: 1_000,
  oldStats: 60_000,
  attention: 5_000,
  complaints: 60_000,
  health: 1_000,
  operationalEvents: 1_000,
  expiringSecrets: 60_000,
  auditChain: 1_000,
  ordering: 500,
  idleKeys: 60_000,
  limits: 1_000,
  presence: 10_000,
  listeners: 30_000,
} satisfies Record<SweepWithSearch, number> & Record<string, number>;

export type Sweep = keyof typeof SWEEP_INTERVALS;
export type SweepIntervals = Readonly<Record<Sweep, number>>;

interface SweepDeps extends Omit<RoundsDeps, 'onError' | 'onComplaintRates'> {
  readonly log: BoundedLog;
  readonly logErrors: LogErrors;
  readonly metrics: Metrics;
  readonly intervals?: SweepIntervals | undefined;
  /** A random number in [0, 1), which spreads the first rounds of many processes. */
  readonly jitter: () => number;
  readonly monotonicMs: () => number;
}

/** Starts all sweeps. One statement for each share of the connections says which of those that are due have work. */
export function startSweeps({
  log,
  logErrors,
  metrics,
  intervals = SWEEP_INTERVALS,
  jitter,
  monotonicMs,
  ...deps
}: SweepDeps): { stop: () => Promise<void> } {
  const sweep = Object.keys(SWEEP_INTERVALS);
  const rows = metrics.counter(
    'postrider_sweep_rows_total',
    'Items that sweeps have handled: runs, stored responses, or messages.',
    { sweep },
  );
  const failures = metrics.counter('postrider_sweep_failures_total', 'Rounds of sweeps that failed.', {
    sweep,
  });
  const complaintRate = metrics.gauge(
    'postrider_complaint_rate',
    'Complaints about the email of the last day, as a share: the ten streams with the highest.',
    ['environment', 'stream'],
  );
  const onError = (name: string, error: unknown) => {
    failures.inc({ sweep: name });
    logErrors(`sweep:${name}`, 'a sweep failed', { sweep: name })(error);
  };
  const rounds = createRounds({
    ...deps,
    onError,
    onComplaintRates(rates) {
      complaintRate.reset();
      for (const { environmentId, stream, rate } of rates) {
        complaintRate.set({ environment: formatId('env', environmentId), stream }, rate);
      }
    },
  });
  const round = async (name: Sweep) => {
    try {
      const handled = await rounds[name]();
      if (handled !== undefined) rows.inc({ sweep: name }, handled);
      if (name === 'leases' && handled)
        log.warn('leases', 'runs of lost workers were released', { released: handled });
    } catch (error) {
      onError(name, error);
    }
  };
  const schedules = (['sweep', 'housekeep'] as const).map((share) => {
    const own = (Object.keys(rounds) as Sweep[]).filter((name) => shareOfSweep(name) === share);
    return startSchedule({
      intervals: new Map(own.map((name) => [name, intervals[name]])),
      hasSearch,
      findWork: withShare(share, (due) => findWork(deps.db, share, due)),
      round: withShare(share, round),
      onSearchError: logErrors(`search:${share}`, 'the search for work of sweeps failed', { share }),
      jitter,
      monotonicMs,
    });
  });
  return {
    async stop() {
      await Promise.all(schedules.map((schedule) => schedule.stop()));
    },
  };
}
