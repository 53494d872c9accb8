/** Named figures of one measurement, for example `{ p50: 1.2, p99: 4 }`. */
export type Values = Readonly<Record<string, number>>;

/** The middle one, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  const upper = ordered[Math.floor(ordered.length / 2)] ?? Number.NaN;
  const lower = ordered[Math.ceil(ordered.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

const namesIn = (rounds: readonly Values[]) => [...new Set(rounds.flatMap((values) => Object.keys(values)))];

/** The median of each figure over the rounds. */
export function medians(rounds: readonly Values[]): Values {
  const of = (name: string) => median(rounds.flatMap((values) => values[name] ?? []));
  return Object.fromEntries(namesIn(rounds).map((name) => [name, of(name)]));
}

/** What each figure is to the same one of the floor, round by round. */
function quotients(subject: Values, floor: Values): Values {
  const both = Object.keys(subject).filter((name) => floor[name] !== undefined && floor[name] !== 0);
  return Object.fromEntries(both.map((name) => [name, (subject[name] ?? 0) / (floor[name] ?? 1)]));
}

/**
 * The median of the ratios of neighbouring rounds, which share the noise of the machine; not the ratio of
 * the medians, which may come from different times.
 */
export function ratios(subject: readonly Values[], floor: readonly Values[]): Values {
  return medians(subject.map((values, round) => quotients(values, floor[round] ?? {})));
}

/**
 * Runs the measurements in turn, so many rounds, and returns the results of each in the order of the rounds:
 * floor, subject, floor, subject …
 */
export async function interleave<Result>(
  rounds: number,
  measurements: readonly (() => Promise<Result>)[],
): Promise<Result[][]> {
  const results = measurements.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, measure] of measurements.entries()) results[index]?.push(await measure());
  }
  return results;
}
