import type { Driver } from '../driver/client.ts';
import type { Ledgers } from '../ledgers.ts';
import type { Random } from '../random.ts';
import type { Treatment } from '../receivers/ledger.ts';
import type { Service } from '../stack/service.ts';
import type { Stack, StackOptions } from '../stack/stack.ts';

/** Figures that a scenario measured, by name. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Context {
  readonly stack: Stack;
  readonly driver: Driver;
  /** API processes that the client does not choose, as a load balancer would not. */
  readonly outOfRotation: Set<Service>;
  readonly random: Random;
  /** 1 for the short form; the long form is 10. */
  readonly scale: number;
  /** Notes that something which must hold does not. */
  expect(holds: boolean, what: string): void;
}

/** One fault and what must hold under it, beside what the ledgers are always checked for. */
export interface Scenario {
  readonly number: number;
  /** As it is named on the command line. */
  readonly name: string;
  readonly fault: string;
  readonly stack?: StackOptions;
  /** What the receivers do; takes all at once and accepts when left out. */
  readonly treat?: (random: Random, path: string) => Treatment;
  /** Inflicts the fault under load. When it resolves, the load has ended and nothing is broken any more. */
  run(context: Context): Promise<Figures>;
  /** Looks at the figures of the drained service. */
  readonly afterDrain?: (context: Context, ledgers: Ledgers) => Figures;
}

export const takeAll = (): Treatment => ({ delayMs: 0, answer: 'accepted' });

/** Mostly takes, sometimes refuses; takes its time, so that attempts are open when a fault strikes. */
export function takeSlowly(random: Random): Treatment {
  return { delayMs: random.between(0, 150), answer: random.next() < 0.05 ? 'refused' : 'accepted' };
}
