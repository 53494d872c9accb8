import { LOSSES_BEFORE_END, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import type { LedgerRun, Ledgers } from '../ledgers.ts';
import { isPoison, POISON_SCRIPT, POISONS } from '../stack/poison.ts';
import { countOwnExits } from './answers.ts';
import { acceptSlowly, type Context, type Figures, type Scenario } from './scenario.ts';
import { underLoad } from './steps.ts';

/** Additional tenants. Every tenant has each kind of poison and ordinary traffic. */
const NEIGHBOURS = 2;
/** Runs per kind of poison and tenant. */
const RUNS = { short: 1, long: 10 };
/** An event key that results only in webhooks: the poison is in their body. */
const POISON_EVENT_KEY = 'order.poisoned';
/** Enough for some leases and restarts of the first run. Further runs mostly share those, and are then tried in turn. */
const END_DEADLINE_MS = 240_000;
const MORE_MS_PER_RUN = 10_000;
/** Slow, to leave processor time for restarting processes. */
const PACE = { lanes: 6, pauseMs: 400 };

const tokensOf = ({ stack }: Context) => [stack.fixture, ...stack.neighbours].map(({ token }) => token);

/**
 * How long there may be no arrival while poison crashes workers: as long as a machine with four installations needs to
 * start a worker, in case all of them crash at once.
 */
const MAX_SILENCE_MS = 30_000;

/** The longest time without a send of another run, from the acceptance of the first poison to the end of the last. */
function longestSilence({ receivers }: Ledgers, poison: readonly LedgerRun[]): number {
  const from = Math.min(...poison.map(({ createdAt }) => createdAt));
  const to = Math.max(...poison.map(({ completedAt }) => completedAt ?? from));
  const poisonIds = new Set(poison.map(({ id }) => id));
  const times = receivers.filter(({ runId, at }) => !poisonIds.has(runId) && at > from && at < to);
  const arrivals = [from, ...times.map(({ at }) => at).sort((a, b) => a - b), to];
  const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at));
  return Math.max(0, ...gaps);
}

/** Counts the poison runs that have not ended. */
async function countOpen({ stack }: Context): Promise<number> {
  const [row] = await stack.db.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS open FROM delivery_runs run
      JOIN messages message ON message.environment_id = run.environment_id AND message.id = run.message_id
     WHERE message.payload ->> 'variant' = ANY (${[...POISONS]}::text[]) AND run.completed_at IS NULL`;
  return row?.open ?? 0;
}

/** Sends the poison events of every tenant and returns how many runs they have. */
async function acceptPoison(context: Context): Promise<number> {
  const { driver, random, amount } = context;
  let runs = 0;
  for (let round = 0; round < amount(RUNS.short, RUNS.long); round += 1) {
    for (const token of tokensOf(context)) {
      for (const variant of POISONS) {
        const reference = `event-${random.uuid()}`;
        const event = { reference, key: random.uuid(), variant, eventKey: POISON_EVENT_KEY, token };
        runs += (await driver.deliver(event)).runIds.length;
      }
    }
  }
  return runs;
}

/** Whether the run failed only because of lost workers, and lost no more than allowed. */
function isEndedInTime({ status, attempts }: LedgerRun): boolean {
  const areLost = attempts.every((each) => each.status === 'unknown' && each.errorCode === 'worker_lost');
  const isBounded = attempts.length > LOSSES_BEFORE_QUARANTINE && attempts.length <= LOSSES_BEFORE_END;
  return status === 'failed' && areLost && isBounded;
}

function checkFigures({ expect, stack }: Context, ledgers: Ledgers): Figures {
  const { database, receivers } = ledgers;
  const variants = new Map(database.messages.map(({ id, variant }) => [id, variant]));
  const isOfPoison = ({ messageId }: LedgerRun) => isPoison(variants.get(messageId) ?? '');
  const poison = database.runs.filter(isOfPoison);
  const others = database.runs.filter((run) => !isOfPoison(run));
  const attempts = poison.map((run) => run.attempts.length);
  const otherwise = poison.filter((run) => !isEndedInTime(run)).length;
  const failed = others.filter(({ status }) => status === 'failed').length;
  const exits = countOwnExits({ stack });
  const allowed = LOSSES_BEFORE_QUARANTINE * poison.length;
  const sent = receivers.filter(({ content }) => content.variant === 'poison_answer').length;
  expect(otherwise === 0, `each poison run ends failed and lost; ${otherwise} did not`);
  expect(failed === 0, `no other run fails; ${failed} did`);
  expect(exits > 0, 'poison ends workers');
  expect(exits <= allowed, `poison ends at most ${allowed} workers; it ended ${exits}`);
  const silence = longestSilence(ledgers, poison);
  expect(silence <= MAX_SILENCE_MS, `other runs keep flowing; nothing arrived for ${silence} ms`);
  expect(sent > 0, 'poison that waits for the answer is sent');
  return {
    worker_exits: exits,
    most_poison_attempts: Math.max(0, ...attempts),
    least_poison_attempts: Math.min(...attempts),
    longest_silence_ms: silence,
    other_runs: others.length,
    others_tried_alone: others.filter(wasQuarantined).length,
  };
}

/** Whether the run lost so many workers in a row that it was quarantined. */
function wasQuarantined({ attempts }: LedgerRun): boolean {
  let losses = 0;
  for (const { errorCode } of attempts) {
    losses = errorCode === 'worker_lost' ? losses + 1 : 0;
    if (losses >= LOSSES_BEFORE_QUARANTINE) return true;
  }
  return false;
}

/**
 * Runs that crash every process that handles them cost a bounded number of processes and no other run, even during
 * restarts and wipes.
 */
export const poisonRuns: Scenario = {
  number: 16,
  name: 'poison-runs',
  fault: 'runs that end every process that handles them, in three tenants, under load',
  shortSeconds: 146,
  mayFail: true,
  mayExit: true,
  rounds: 'poison_runs',
  measured: ['worker_exits', 'most_poison_attempts', 'longest_silence_ms'],
  stack: { workers: 3, neighbours: NEIGHBOURS, workerPreload: POISON_SCRIPT },
  treat: (random) => ({ ...acceptSlowly(random), answer: 'accepted' }),
  async run(context) {
    const { stack, random } = context;
    const tokens = tokensOf(context);
    let poisonRuns = 0;
    await underLoad(
      context,
      async () => {
        poisonRuns = await acceptPoison(context);
        const patience = { timeoutMs: END_DEADLINE_MS + poisonRuns * MORE_MS_PER_RUN, pollMs: 100 };
        await waitFor('a worker is lost', () => countOwnExits(context) > 0, patience);
        await stack.redis.flush();
        await waitFor('the poison is at its end', async () => (await countOpen(context)) === 0, patience);
      },
      { ...PACE, vary: (event) => ({ ...event, token: random.pick(tokens) }) },
    );
    return { poison_runs: poisonRuns };
  },
  afterDrain: checkFigures,
};
