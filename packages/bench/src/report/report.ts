import { medians, ratios, type Values } from './rounds.ts';

/** One line of a table. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  /** Medians over the rounds. */
  readonly values: Values;
  readonly rounds: readonly Values[];
  readonly floor: { readonly what: string; readonly values: Values } | null;
  /** Of the values to the floor's: medians over the rounds. */
  readonly ratios: Values | null;
}

export interface GoalResult {
  readonly figure: string;
  readonly goal: string;
  readonly value: number;
  readonly reached: boolean;
}

/** What one measure found. */
export interface MeasureReport {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly goals: readonly GoalResult[];
  /** Why its figures cannot be trusted; nothing when they can. */
  readonly faults: readonly string[];
  /** Part of the processors that other programs used meanwhile: what it is more, the less the figures say. */
  readonly disturbance: number;
  /** What a reader has to know of the figures. */
  readonly notes: readonly string[];
}

export interface RowInput {
  readonly what: string;
  readonly unit: string;
  readonly rounds: readonly Values[];
  readonly floor?: { readonly what: string; readonly rounds: readonly Values[] };
}

/** Makes a line of what the rounds gave. */
export function row({ what, unit, rounds, floor }: RowInput): Row {
  return {
    what,
    unit,
    rounds,
    values: medians(rounds),
    floor: floor ? { what: floor.what, values: medians(floor.rounds) } : null,
    ratios: floor ? ratios(rounds, floor.rounds) : null,
  };
}

/** Judges a figure that has to be at least, or at most, so much. A figure that is not there is not reached. */
export function goal(
  figure: string,
  value: number,
  bound: { readonly atLeast: number } | { readonly atMost: number },
): GoalResult {
  const reached = 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
  const text = 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
  return { figure, goal: text, value, reached };
}
