import { resolve } from 'node:path';
import { MEASURES } from './measures/index.ts';
import type { Extent, Measure } from './measures/measure.ts';
import { SCALING_MEASURES } from './scaling/figures.ts';
import { SENDERS, type Sender } from './stack/services.ts';

export interface Settings {
  /** From 0 (the least that is meaningful) to 1 (the full form). */
  readonly scale: number;
  readonly sender: Sender;
  /** The file that the report is written to as JSON, if any. */
  readonly reportFile: string | null;
  /** The page whose tables are written from this run's figures, if any. */
  readonly scalingPage: string | null;
  /** See `MeasureDeps`. */
  readonly against: string | null;
  readonly measures: readonly Measure[];
}

const isSender = (text: string): text is Sender => (SENDERS as readonly string[]).includes(text);

/** Names for groups of measures. */
const GROUPS: Readonly<Record<string, readonly string[]>> = { scaling: SCALING_MEASURES };

/** The named measures; all if none is named. */
function chosen(given: readonly string[]): readonly Measure[] {
  const names = given.flatMap((name) => GROUPS[name] ?? [name]);
  const unknown = names.filter((name) => !MEASURES.some((measure) => measure.name === name));
  if (unknown.length > 0) {
    const known = [...MEASURES.map(({ name }) => name), ...Object.keys(GROUPS)].join(', ');
    throw new Error(`there is no measure ${unknown.join(', ')}: there are ${known}`);
  }
  return MEASURES.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Reads the arguments and environment of `npm run bench`. Throws if one is not valid. */
export function readSettings(
  names: readonly string[],
  { BENCH_SCALE, BENCH_SENDER, BENCH_REPORT, BENCH_SCALING_PAGE, BENCH_AGAINST }: NodeJS.ProcessEnv,
): Settings {
  const scale = Number(BENCH_SCALE || 0);
  if (!(scale >= 0 && scale <= 1)) throw new Error(`BENCH_SCALE is not a number from 0 to 1: ${BENCH_SCALE}`);
  const sender = BENCH_SENDER || 'node';
  if (!isSender(sender)) throw new Error(`BENCH_SENDER is none of ${SENDERS.join(', ')}: ${sender}`);
  return {
    scale,
    sender,
    reportFile: BENCH_REPORT || null,
    scalingPage: BENCH_SCALING_PAGE || null,
    against: BENCH_AGAINST ? resolve(BENCH_AGAINST) : null,
    measures: chosen(names),
  };
}

/** A number between the least and the most, in proportion to the scale. */
const between = (scale: number, least: number, most: number) => Math.round(least + (most - least) * scale);

/** How much is measured at this scale. */
export function extentOf(scale: number): Extent {
  return {
    rounds: between(scale, 3, 5),
    roundMs: between(scale, 1_000, 10_000),
    warmUpMs: between(scale, 300, 2_000),
    amount: (least, most) => Math.max(least, Math.round(most * scale)),
  };
}
