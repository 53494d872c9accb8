import { withShare } from '@postrider/db';
import { formatId } from '@postrider/domain';
import type { BoundedLog, LogErrors, Metrics } from '@postrider/telemetry';
import { startLoop } from './loop.ts';
import { createSweeps, type Sweep, type SweepDefinition, type SweepDeps } from './sweeps.ts';

/** Returns the pause after a round: `pauseMs` if it handled something, otherwise twice the pause before it, at most `idleMs`. */
export const nextPause = (
  { pauseMs, idleMs }: Pick<SweepDefinition, 'pauseMs' | 'idleMs'>,
  { handled, pausedMs }: { readonly handled: boolean; readonly pausedMs: number },
): number => (handled ? pauseMs : Math.min(Math.max(2 * pausedMs, pauseMs), idleMs));

/** Fixed pauses that replace those of the sweeps, in milliseconds. */
export type SweepPauses = Readonly<Partial<Record<Sweep, number>>>;

interface StartDeps extends Omit<SweepDeps, 'onComplaintRates'> {
  readonly log: BoundedLog;
  readonly logDatabaseErrors: LogErrors;
  readonly metrics: Metrics;
  readonly pauses?: SweepPauses | undefined;
  /** A random number in [0, 1), which spreads the first rounds of many processes. */
  readonly jitter: () => number;
}

/** Starts all sweeps. One that waits, such as for a locked table, does not delay the others. */
export function startSweeps({ log, logDatabaseErrors, metrics, pauses = {}, jitter, ...deps }: StartDeps): {
  stop: () => Promise<void>;
} {
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
  function start(name: Sweep) {
    const fixedMs = pauses[name];
    const sweep: SweepDefinition = {
      ...sweeps[name],
      ...(fixedMs !== undefined && { pauseMs: fixedMs, idleMs: fixedMs }),
    };
    const onError = (error: unknown) => {
      failures.inc({ sweep: name });
      logDatabaseErrors(`sweep:${name}`, 'a sweep failed', { sweep: name })(error);
    };
    async function round(pausedMs: number): Promise<number> {
      let handled = 0;
      try {
        handled = (await sweep.round(onError)) ?? 0;
        rows.inc({ sweep: name }, handled);
        if (name === 'leases' && handled > 0)
          log.warn('leases', 'runs of lost workers were released', { released: handled });
      } catch (error) {
        onError(error);
      }
      return nextPause(sweep, { handled: handled > 0, pausedMs });
    }
    return startLoop(sweep.pauseMs * jitter(), withShare(sweep.share, round));
  }
  const loops = names.map(start);
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
