import { checkLedgers } from './check/check.ts';
import { type LedgerSummary, summarise } from './check/summary.ts';
import type { Violation } from './check/violation.ts';
import { countOpenRuns, readDatabaseLedger } from './database/read-ledger.ts';
import { createDriver } from './driver/client.ts';
import type { Ledgers } from './ledgers.ts';
import { createRandom } from './random.ts';
import { type Context, type Figures, type Scenario, takeAll } from './scenarios/scenario.ts';
import { openStack, type Stack } from './stack/stack.ts';
import { until } from './until.ts';

/** Per unit of scale: a lost worker's lease, retries, and a backlog on a busy machine. */
const DRAIN_DEADLINE_MS = 120_000;

export interface ScenarioReport {
  readonly number: number;
  readonly name: string;
  readonly seed: number;
  readonly scale: number;
  readonly seconds: number;
  readonly drainSeconds: number;
  readonly summary: LedgerSummary;
  readonly figures: Figures;
  /** What the scenario wanted and did not find. */
  readonly unmet: readonly string[];
  readonly violations: readonly Violation[];
}

export const hasFailed = ({ unmet, violations }: ScenarioReport): boolean =>
  unmet.length > 0 || violations.length > 0;

/** Waits until no run waits or runs, and then ends the processes in order, so that nothing is sent any more. */
async function drain(stack: Stack, scale: number): Promise<number> {
  const began = performance.now();
  await until('every run is at its end', DRAIN_DEADLINE_MS * Math.max(1, scale), async () => {
    return (await countOpenRuns(stack.db)) === 0;
  }).catch((error: unknown) => process.stderr.write(`${error}\n`));
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all([...stack.apis, ...stack.workers].map((service) => service.stop()));
  return seconds;
}

export interface RunOptions {
  readonly seed: number;
  readonly scale: number;
  /** Ends the scenario and removes its stack. */
  readonly signal: AbortSignal;
}

/** Lets `work` end, or rejects when the signal is given before. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Runs one scenario on a stack of its own and compares the ledgers in the end. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioReport> {
  options.signal.throwIfAborted();
  const receiverRandom = createRandom(options.seed + 1);
  const treat = scenario.treat ?? takeAll;
  const stack = await openStack(scenario.stack ?? {}, ({ path }) => treat(receiverRandom, path));
  try {
    return await unlessAborted(inflictAndCheck(scenario, stack, options), options.signal);
  } finally {
    await stack.close();
  }
}

async function inflictAndCheck(
  scenario: Scenario,
  stack: Stack,
  { seed, scale }: RunOptions,
): Promise<ScenarioReport> {
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
    scale,
    expect: (holds, what) => {
      if (!holds) unmet.push(what);
    },
  };
  const figures = await scenario.run(context);
  const drainSeconds = await drain(stack, scale);
  const ledgers: Ledgers = {
    client: driver.ledger,
    receivers: stack.sends.sends,
    database: await readDatabaseLedger(stack.db),
  };
  const later = scenario.afterDrain?.(context, ledgers) ?? {};
  return {
    number: scenario.number,
    name: scenario.name,
    seed,
    scale,
    seconds: (performance.now() - began) / 1_000,
    drainSeconds,
    summary: summarise(ledgers),
    figures: { ...figures, ...later, slowest_answer_ms: Math.round(driver.slowestMs()) },
    unmet,
    violations: checkLedgers(ledgers),
  };
}
