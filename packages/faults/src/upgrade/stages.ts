import { groupBy } from '@postrider/domain';
import { markdownTable, quantile } from '@postrider/rig';
import type { LedgerRun, Ledgers } from '../ledgers.ts';

/** A part of an upgrade. */
export interface Stage {
  /** The processes that run in it. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
}

/** The figures of a stage: requests by when they were sent, runs by when they were due. */
export interface StageFigures {
  readonly name: string;
  readonly requests: number;
  /** Requests that had no answer, or one with a status of 500 or more. */
  readonly failed: number;
  readonly p99Ms: number;
  readonly runs: number;
  /** From when a run was due until its first attempt began. */
  readonly medianLateMs: number;
  readonly longestLateMs: number;
  /** Sends that a receiver had already accepted. */
  readonly duplicates: number;
}

const dueOf = ({ scheduledAt, createdAt }: LedgerRun) => scheduledAt ?? createdAt;

/** How late the first attempts of runs began, in milliseconds. Cancelled runs had none. */
export const latenessOf = (runs: readonly LedgerRun[]): number[] =>
  runs.flatMap((run) => {
    const [first] = run.status === 'cancelled' ? [] : run.attempts;
    return first ? [first.startedAt - dueOf(run)] : [];
  });

/** The runs that were due in a stage. */
export function runsOf(stages: readonly Stage[], name: string, { database }: Ledgers): LedgerRun[] {
  return database.runs.filter((run) => stageAt(stages, dueOf(run)) === name);
}

/** The stage at a time; the first one for what was before. */
const stageAt = (stages: readonly Stage[], at: number): string =>
  (stages.findLast(({ beganAt }) => beganAt <= at) ?? stages[0])?.name ?? '';

/** The figures of each stage. */
export function figuresOf(stages: readonly Stage[], ledgers: Ledgers): StageFigures[] {
  const exchanges = groupBy(ledgers.client.exchanges, ({ sentAt }) => stageAt(stages, sentAt));
  const accepted = groupBy(
    ledgers.receivers.filter(({ answer }) => answer === 'accepted'),
    ({ runId }) => runId,
  );
  return stages.map(({ name }) => {
    const sent = exchanges.get(name) ?? [];
    const runs = runsOf(stages, name, ledgers);
    const late = latenessOf(runs);
    return {
      name,
      requests: sent.length,
      failed: sent.filter(({ status }) => status === null || status >= 500).length,
      p99Ms: quantile(
        sent.map(({ tookMs }) => tookMs),
        0.99,
      ),
      runs: runs.length,
      medianLateMs: quantile(late, 0.5),
      longestLateMs: Math.max(0, ...late),
      duplicates: runs.reduce((sum, { id }) => sum + Math.max(0, (accepted.get(id)?.length ?? 0) - 1), 0),
    };
  });
}

const HEAD = [
  'Stage',
  'Requests',
  'Failed',
  'p99',
  'Runs due',
  'Delay of the first attempt (median)',
  'Longest',
  'Sent twice',
];

const rounded = (value: number) => Math.round(value).toLocaleString('en-GB');

/** A line for each stage, as a Markdown table. */
export const stageTable = (stages: readonly StageFigures[]): string =>
  markdownTable(
    HEAD,
    stages.map((stage) => [
      stage.name,
      rounded(stage.requests),
      rounded(stage.failed),
      `${rounded(stage.p99Ms)} ms`,
      rounded(stage.runs),
      `${rounded(stage.medianLateMs)} ms`,
      `${rounded(stage.longestLateMs)} ms`,
      rounded(stage.duplicates),
    ]),
  );
