import type { MeasureReport } from '../report.ts';
import type { Sender } from '../stack/services.ts';
import type { Workbench } from '../stack/workbench.ts';

/** How much is measured. */
export interface Extent {
  readonly rounds: number;
  /** The length of each timed round and of its warm-up, in milliseconds. */
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** How many of something: `most` in the full form, never less than `least`. */
  amount(least: number, most: number): number;
}

export interface MeasureDeps {
  readonly bench: Workbench;
  readonly extent: Extent;
  /** The HTTP client that workers send webhooks with. */
  readonly sender: Sender;
  /** The checkout of a build to compare with, for `processor`; null for none. */
  readonly against: string | null;
  /** Prints progress. */
  readonly say: (text: string) => void;
}

/** The results of a measure, without those that are added around it. */
export type Findings = Omit<MeasureReport, 'disturbance'>;

/** One table of the report. */
export interface Measure {
  readonly name: string;
  readonly run: (deps: MeasureDeps) => Promise<Findings>;
}
