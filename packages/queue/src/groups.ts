import type { RunToEnqueue } from './job.ts';

/**
 * Runs of one job. More would save little, and fewer workers would share what is accepted at once (decision 30).
 */
export const RUNS_PER_JOB = 32;
/** How much earlier than its job's last run a delayed run may be due. It waits that long, because none may be early. */
export const SPREAD_MS = 5;

/** Runs of one kind that become due together, for one job. */
export type RunGroup = [RunToEnqueue, ...RunToEnqueue[]];

/** Milliseconds until the run may start. */
export const waitOf = ({ delayMs }: RunToEnqueue): number => Math.max(0, Math.ceil(delayMs));

/** A run that is due never shares a job with one that is not: it would wait for it. */
const isDueWith = (first: RunToEnqueue, run: RunToEnqueue) =>
  waitOf(run) === waitOf(first) || (waitOf(first) > 0 && waitOf(run) - waitOf(first) <= SPREAD_MS);

/**
 * Splits the runs into those of a job each: of one kind, for the same end of the queue, and due together. Those that
 * are due keep their order; the delay of a job is that of its last run.
 */
export function groupRuns(runs: Iterable<RunToEnqueue>): RunGroup[] {
  const groups: RunGroup[] = [];
  const newest = new Map<string, RunGroup>();
  for (const run of [...runs].sort((one, other) => waitOf(one) - waitOf(other))) {
    const key = run.isMoved ? run.runId : `${run.channelKind} ${run.atFront ?? false}`;
    const group = newest.get(key);
    if (group && group.length < RUNS_PER_JOB && isDueWith(group[0], run)) group.push(run);
    else {
      const begun: RunGroup = [run];
      groups.push(begun);
      newest.set(key, begun);
    }
  }
  return groups;
}
