import { findWork, hasSearch, shareOfSweep, withShare } from '@postrider/db';
import { formatId } from '@postrider/domain';
import type { BoundedLog, LogErrors, Metrics } from '@postrider/telemetry';
import { startSchedule } from './schedule.ts';
import { createSweeps, type Sweep, type SweepDeps } from './sweeps.ts';

/** Pauses that replace those of the sweeps, in milliseconds. */
export type SweepPauses = Readonly<Partial<Record<Sweep, number>>>;

interface StartDeps extends Omit<SweepDeps, 'onComplaintRates'> {
  readonly log: BoundedLog;
  readonly logDatabaseErrors: LogErrors;
  readonly metrics: Metrics;
  readonly pauses?: SweepPauses | undefined;
  /** A random number in [0, 1), which spreads the first rounds of many processes. */
  readonly jitter: () => number;
  readonly monotonicMs: () => number;
}

/** Starts all sweeps. One statement for each share of the connections says which of those that are due have work. */
export function startSweeps({
  log,
  logDatabaseErrors,
  metrics,
  pauses = {},
  jitter,
  monotonicMs,
  ...deps
}: StartDeps): { stop: () => Promise<void> } {
  const complaintRate = metrics.gauge(
    'postrider_complaint_rate',
    'Complaints about the email of the last day, as a share: the ten streams with the highest.',
    ['environment', 'stream'],
  );
  const sweeps = createSweeps({
    ...deps,
    onComplaintRates(rates) {
      complaintRate.reset();
      for (const { environmentId, stream, rate } of rates) {
        complaintRate.set({ environment: formatId('env', environmentId), stream }, rate);
      }
    },
  });
  const names = Object.keys(sweeps) as Sweep[];
  const rows = metrics.counter(
    'postrider_sweep_rows_total',
    'Items that sweeps have handled: runs, stored responses, or messages.',
    { sweep: names },
  );
  const failures = metrics.counter('postrider_sweep_failures_total', 'Rounds of sweeps that failed.', {
    sweep: names,
  });
  const round = async (name: Sweep) => {
    const onError = (error: unknown) => {
      failures.inc({ sweep: name });
      logDatabaseErrors(`sweep:${name}`, 'a sweep failed', { sweep: name })(error);
    };
    try {
      const handled = await sweeps[name].round(onError);
      if (handled !== undefined) rows.inc({ sweep: name }, handled);
      if (name === 'leases' && handled)
        log.warn('leases', 'runs of lost workers were released', { released: handled });
    } catch (error) {
      onError(error);
    }
  };
  const schedules = (['sweep', 'housekeep'] as const).map((share) => {
    const own = names.filter((name) => shareOfSweep(name) === share);
    return startSchedule({
      pauses: new Map(own.map((name) => [name, pauses[name] ?? sweeps[name].pauseMs])),
      hasSearch,
      findWork: withShare(share, (due) => findWork(deps.db, share, due)),
      round: withShare(share, round),
      onSearchError: logDatabaseErrors(`search:${share}`, 'the search for work of sweeps failed', { share }),
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
