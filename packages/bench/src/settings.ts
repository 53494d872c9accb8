import { MEASURES } from './measures/index.ts';
import type { Extent, Measure } from './measures/measure.ts';
import { SCALING_MEASURES } from './scaling/figures.ts';
import { SENDERS, type Sender } from './stack/services.ts';

export interface Settings {
  /** From 0 (the least that means something) to 1 (the full form). */
  readonly scale: number;
  readonly sender: Sender;
  /** Where the report is written as JSON; null: nowhere. */
  readonly reportFile: string | null;
  /** A page whose tables are written with the figures of this run; null: none. */
  readonly scalingPage: string | null;
  readonly measures: readonly Measure[];
}

const isSender = (text: string): text is Sender => (SENDERS as readonly string[]).includes(text);

/** A name for all the measures of a purpose. */
const GROUPS: Readonly<Record<string, readonly string[]>> = { scaling: SCALING_MEASURES };

/** The measures that are named; all when none is. */
function chosen(given: readonly string[]): readonly Measure[] {
  const names = given.flatMap((name) => GROUPS[name] ?? [name]);
  const unknown = names.filter((name) => !MEASURES.some((measure) => measure.name === name));
  if (unknown.length > 0) {
    const known = [...MEASURES.map(({ name }) => name), ...Object.keys(GROUPS)].join(', ');
    throw new Error(`there is no measure ${unknown.join(', ')}: there are ${known}`);
  }
  return MEASURES.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Reads what `npm run bench` was called with. Throws on anything that it does not understand. */
export function readSettings(
  names: readonly string[],
  { BENCH_SCALE, BENCH_SENDER, BENCH_REPORT, BENCH_SCALING_PAGE }: NodeJS.ProcessEnv,
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
    measures: chosen(names),
  };
}

/** Between the least and the most of something, in proportion to the scale. */
const between = (scale: number, least: number, most: number) => Math.round(least + (most - least) * scale);

/** How much is measured at a scale. */
export function extentOf(scale: number): Extent {
  return {
    rounds: between(scale, 3, 5),
    roundMs: between(scale, 1_000, 10_000),
    warmUpMs: between(scale, 300, 2_000),
    amount: (least, most) => Math.max(least, Math.round(most * scale)),
  };
}
