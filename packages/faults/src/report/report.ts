import type { LedgerSummary } from '../check/summary.ts';
import type { Violation } from '../check/violation.ts';
import type { Figures } from '../scenarios/scenario.ts';

/** What a scenario showed. */
export interface ScenarioReport {
  readonly number: number;
  readonly name: string;
  readonly fault: string;
  readonly seed: number;
  readonly scale: number;
  /** From the start of the load to the end of the checks. */
  readonly seconds: number;
  readonly drainSeconds: number;
  /** Null when the scenario broke off before its ledgers could be read. */
  readonly summary: LedgerSummary | null;
  readonly figures: Figures;
  /** Names of figures: how often the fault struck, and what is worth a line. */
  readonly rounds: string | null;
  readonly measured: readonly string[];
  /** What the scenario wanted and did not find. */
  readonly unmet: readonly string[];
  readonly violations: readonly Violation[];
}

export const hasFailed = ({ unmet, violations }: ScenarioReport): boolean =>
  unmet.length > 0 || violations.length > 0;
