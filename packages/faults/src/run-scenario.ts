import { createDriver, createRandom } from '@postrider/rig';
import { checkLedgers } from './check/check.ts';
import { summarise } from './check/summary.ts';
import { untilDrained } from './drain.ts';
import type { Ledgers } from './ledgers.ts';
import { readDatabaseLedger } from './read-ledger.ts';
import type { ScenarioReport } from './report.ts';
import { slowestOf } from './scenarios/answers.ts';
import { unmetBy } from './scenarios/expectations.ts';
import { acceptAll, type Context, createAmount, type Scenario } from './scenarios/scenario.ts';
import type { ClusterTemplate } from './stack/cluster-template.ts';
import {
  openStack,
  PATIENT_ATTEMPT_TIMEOUT_MS,
  type Stack,
  type StackDeps,
  type StackOptions,
} from './stack/stack.ts';

export interface RunOptions {
  readonly template: ClusterTemplate;
  readonly seed: number;
  readonly scale: number;
  /** Whether no other scenario runs meanwhile. */
  readonly isAlone: boolean;
  /** Ends the scenario and removes its stack. */
  readonly signal: AbortSignal;
}

type Outcome = Pick<
  ScenarioReport,
  'seconds' | 'drainSeconds' | 'summary' | 'figures' | 'unmet' | 'violations'
>;

const secondsSince = (began: number) => (performance.now() - began) / 1_000;

/** Resolves with the result of `work`, or rejects if the signal is aborted before. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal });
  });
  return Promise.race([work, aborted]).finally(() => over.abort());
}

/** Waits until every run has ended, and stops the processes gracefully, so that nothing more is sent. */
async function drain(stack: Stack): Promise<number> {
  const began = performance.now();
  await untilDrained(stack.db);
  const seconds = secondsSince(began);
  await Promise.all([...stack.apis, ...stack.workers].map((service) => service.stop()));
  return seconds;
}

async function inflictAndCheck(
  scenario: Scenario,
  stack: Stack,
  { seed, scale, isAlone }: RunOptions,
): Promise<Outcome> {
  const began = performance.now();
  const unmet: string[] = [];
  const outOfRotation: Context['outOfRotation'] = new Set();
  const driver = createDriver({
    urls: () => stack.apis.filter((api) => !outOfRotation.has(api)).map(({ url }) => url),
    token: stack.fixture.token,
    random: createRandom(seed + 2),
  });
  const context: Context = {
    stack,
    driver,
    outOfRotation,
    random: createRandom(seed),
    amount: createAmount(scale),
    isAlone,
    expect: (holds, what) => {
      if (!holds) unmet.push(what);
    },
  };
  const figures = await scenario.run(context);
  const drainSeconds = await drain(stack);
  const ledgers: Ledgers = {
    client: driver.ledger,
    receivers: stack.sends.sends,
    database: await readDatabaseLedger(stack.db),
  };
  const later = scenario.afterDrain?.(context, ledgers) ?? {};
  return {
    seconds: secondsSince(began),
    drainSeconds,
    summary: summarise(ledgers),
    figures: { ...figures, ...later, slowest_answer_ms: slowestOf(driver.ledger) },
    unmet: [...unmet, ...unmetBy(scenario, ledgers, [...stack.apis, ...stack.workers])],
    violations: checkLedgers(ledgers),
  };
}

const optionsOf = ({ stack, isExactlyOnce }: Scenario): StackOptions => ({
  ...(isExactlyOnce && { attemptTimeoutMs: PATIENT_ATTEMPT_TIMEOUT_MS }),
  ...stack,
});

async function onOwnStack(scenario: Scenario, options: RunOptions): Promise<Outcome> {
  const { template, seed, signal } = options;
  const receiverRandom = createRandom(seed + 1);
  const treat = scenario.treat ?? acceptAll;
  const deps: StackDeps = { template, treat: ({ path }) => treat(receiverRandom, path) };
  const stack = await (scenario.openStack?.(deps) ?? openStack(optionsOf(scenario), deps));
  try {
    // The listener below would miss a signal that is already aborted.
    signal.throwIfAborted();
    return await unlessAborted(inflictAndCheck(scenario, stack, options), signal);
  } finally {
    await stack.close();
  }
}

/** The outcome of a scenario that threw, for example because a wait timed out: it did not hold. */
function aborted(error: unknown, began: number): Outcome {
  const unmet = [`broke off: ${error instanceof Error ? error.stack : error}`];
  return {
    seconds: secondsSince(began),
    drainSeconds: 0,
    summary: null,
    figures: {},
    unmet,
    violations: [],
  };
}

/**
 * Runs one scenario on its own stack and compares the ledgers at the end. Rejects if the signal is aborted.
 */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioReport> {
  const { seed, scale, signal } = options;
  signal.throwIfAborted();
  const began = performance.now();
  const outcome = await onOwnStack(scenario, options).catch((error: unknown) => {
    signal.throwIfAborted();
    return aborted(error, began);
  });
  const { number, name, fault, rounds = null, measured = [] } = scenario;
  const script = scenario.script ?? `test:faults -- ${number}`;
  return { number, name, fault, script, seed, scale, rounds, measured, ...outcome };
}
