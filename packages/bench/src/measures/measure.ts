import type { MeasureReport } from '../report.ts';
import type { Sender } from '../stack/services.ts';
import type { Workbench } from '../stack/workbench.ts';

/** How much is measured. */
export interface Extent {
  readonly rounds: number;
  /** Milliseconds of each round of constant length, and of what comes before it. */
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** How many of something: `most` in the full form, never less than `least`. */
  amount(least: number, most: number): number;
}

export interface MeasureDeps {
  readonly bench: Workbench;
  readonly extent: Extent;
  /** Which HTTP client the workers send webhooks with. */
  readonly sender: Sender;
  /** Prints the progress. */
  readonly say: (text: string) => void;
}

/** What a measure can say of itself. */
export type Findings = Omit<MeasureReport, 'disturbance'>;

/** One table of the report. */
export interface Measure {
  readonly name: string;
  readonly run: (deps: MeasureDeps) => Promise<Findings>;
}
