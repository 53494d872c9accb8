import type { Service } from '@postrider/local-stack/testing';
import type { Driver, Random } from '@postrider/rig';
import type { Ledgers } from '../ledgers.ts';
import type { Treatment } from '../stack/receivers.ts';
import type { Stack, StackDeps, StackOptions } from '../stack/stack.ts';

/** Figures that a scenario measured, by name. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Context {
  readonly stack: Stack;
  readonly driver: Driver;
  /** API processes that clients avoid, like a load balancer. */
  readonly outOfRotation: Set<Service>;
  readonly random: Random;
  /** An amount: `short` in the short form, `long` in the long form. */
  readonly amount: Amount;
  /** Whether no other scenario shares the machine: only then does a time say something about the service. */
  readonly isAlone: boolean;
  /** Records a failed expectation. */
  expect(holds: boolean, what: string): void;
}

/** A fault, and what must hold despite it in addition to the checks of the ledgers. */
export interface Scenario {
  readonly number: number;
  /** The name on the command line. */
  readonly name: string;
  readonly fault: string;
  /** Whether it measures time and needs the machine to itself. */
  readonly isMeasuring?: boolean;
  /** About how many seconds the short form takes, if more than most: the longest begin first. */
  readonly shortSeconds?: number;
  /** The figure that says how often the fault struck. */
  readonly rounds?: string;
  /** The figures that its summary line shows. */
  readonly measured?: readonly string[];
  readonly stack?: StackOptions;
  /** Opens the scenario's own stack, instead of one with the options `stack`. */
  readonly openStack?: (deps: StackDeps) => Promise<Stack>;
  /** The npm script that runs the scenario; by default that of the suite with its number. */
  readonly script?: string;
  /** The behaviour of receivers. By default they accept everything immediately. */
  readonly treat?: (random: Random, path: string) => Treatment;
  /** Whether runs may end failed. */
  readonly mayFail?: boolean;
  /** Whether processes may end unasked. */
  readonly mayExit?: boolean;
  /** Whether clients may be refused permanently. */
  readonly mayRefuse?: boolean;
  /** Whether no attempt may end unknown, so that nothing is sent twice. */
  readonly isExactlyOnce?: boolean;
  /** Injects the fault under load. When it resolves, the load has ended and everything works again. */
  run(context: Context): Promise<Figures>;
  /** Checks the figures of the drained service. */
  readonly afterDrain?: (context: Context, ledgers: Ledgers) => Figures;
}

type Amount = (short: number, long: number) => number;

/** Amounts at a share `scale` of the long form (0 to 1), and never less than in the short form. */
export function createAmount(scale: number): Amount {
  return (short, long) => Math.max(short, Math.round(long * scale));
}

export const acceptAll = (): Treatment => ({ delayMs: 0, answer: 'accepted' });

/** Accepts most sends and refuses some, slowly, so that attempts are open when a fault strikes. */
export function acceptSlowly(random: Random): Treatment {
  return { delayMs: random.between(0, 150), answer: random.next() < 0.05 ? 'refused' : 'accepted' };
}
