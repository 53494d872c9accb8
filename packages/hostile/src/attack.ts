import type { Target } from './target/target.ts';

/** The attack's own observations, in addition to the general measurements. */
export interface Outcome {
  /** Counts for the report. */
  readonly figures?: Readonly<Record<string, number>>;
  /** Things that must not happen but did. */
  readonly violations?: readonly string[];
}

export interface AttackContext {
  readonly target: Target;
  /** A number for the short form and one for the long form. */
  readonly amount: (short: number, long: number) => number;
  /** How long an endless attack lasts, in milliseconds. */
  readonly holdMs: number;
}

/** One attack. It must end by itself, leave no socket or server behind, and stay on this machine. */
export interface Attack {
  readonly name: string;
  readonly run: (context: AttackContext) => Promise<Outcome>;
  /** Left out of the short form. */
  readonly isLong?: boolean;
  /** Overrides of the bounds; a comment says why. */
  readonly bounds?: Partial<Bounds>;
}

/** What must hold for each attack. */
export interface Bounds {
  /** Resident memory of the API at any moment. */
  readonly apiMemoryMb: number;
  /** The same of the worker: the runbook allows it 768 MiB with everything around it. */
  readonly workerMemoryMb: number;
  /** The second tenant's p99 during the attack, as a multiple of its baseline. */
  readonly latencyFactor: number;
  /** A shorter baseline counts as this, because a few milliseconds mean nothing on a busy machine. */
  readonly latencyFloorMs: number;
  /** From the acceptance of an event of the second tenant to its delivery. */
  readonly deliveryLateMs: number;
  /** Memory and descriptors must be back within this time after the end. */
  readonly recoveryMs: number;
  /** What may remain above the baseline: connections of pools, and garbage that V8 has not collected yet. */
  readonly extraDescriptors: number;
  readonly extraMemoryMb: number;
}

/**
 * What the short form allows beyond {@link BOUNDS}: it shares the machine with other tests, so garbage collection may
 * be late. It detects unbounded growth; the long form measures.
 */
export const SHORT_FORM_MB = { peak: 100, after: 150 };
/** The bound of deliveries in the short form: a run that takes longer is stuck. */
export const SHORT_FORM_LATE_MS = 60_000;

export const BOUNDS: Bounds = {
  apiMemoryMb: 400,
  workerMemoryMb: 600,
  latencyFactor: 2,
  latencyFloorMs: 50,
  deliveryLateMs: 1_000,
  recoveryMs: 10_000,
  extraDescriptors: 32,
  extraMemoryMb: 100,
};
