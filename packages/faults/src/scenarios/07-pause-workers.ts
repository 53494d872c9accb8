import { LEASE_MARGIN_MS } from '@postrider/db';
import type { Service } from '@postrider/local-stack/testing';
import { waitFor } from '@postrider/rig';
import { ATTEMPT_TIMEOUT_MS } from '../stack/stack.ts';
import { countLost } from './answers.ts';
import { acceptSlowly, type Context, type Scenario } from './scenario.ts';
import { underLoad } from './steps.ts';

const PAUSES = { short: 1, long: 5 };
/** Long enough for the lease to expire and a sweep to run. */
const PATIENCE = { timeoutMs: 3 * (ATTEMPT_TIMEOUT_MS + LEASE_MARGIN_MS), pollMs: 100 };

/** Less than the remaining worker's ten mail connections carry if each mail takes a second. */
const PACE = { lanes: 4, pauseMs: 600 };

const OPEN_ATTEMPTS = 3;

/** After this time every attempt that was open at the pause has reached its time limit. */
const LATE_RESULTS_MS = 2 * ATTEMPT_TIMEOUT_MS;
/**
 * Additional pauses, for those in which no late result was refused: the worker's connection may have died during the
 * pause, and a result that is lost with it never reaches the fence.
 */
const MORE_PAUSES = 3;

/** How many results of the worker were refused because they came too late. */
const countRefused = (worker: Service) => worker.metric('postrider_stale_results_total');

const nth = (workers: readonly Service[], count: number) => workers[count % workers.length] as Service;

const countReleased = ({ stack }: Context) =>
  stack.db.attempt.count({ where: { status: 'unknown', errorCode: 'worker_lost' } });

/** Suspends a worker until the leases of its open runs have expired. Returns how many late results were refused. */
async function pauseOnce(context: Context, worker: Service): Promise<number> {
  const { stack } = context;
  const slots = () => worker.metric('postrider_slots_in_use');
  await waitFor('the worker to have attempts open', async () => (await slots()) >= OPEN_ATTEMPTS, PATIENCE);
  const before = await countReleased(context);
  const refusedBefore = await countRefused(worker);
  worker.pause();
  await waitFor(
    'its open attempts to be taken back',
    async () => (await countReleased(context)) > before,
    PATIENCE,
  );
  const waiting = () =>
    stack.db.deliveryRun.count({
      where: { status: 'retrying', attempts: { some: { errorCode: 'worker_lost' } } },
    });
  await waitFor('another worker to have started them', async () => (await waiting()) === 0, PATIENCE).finally(
    () => worker.resume(),
  );
  const resumedAt = Date.now();
  await waitFor(
    'its late results to be refused, or given up',
    async () => (await countRefused(worker)) > refusedBefore || Date.now() - resumedAt > LATE_RESULTS_MS,
    PATIENCE,
  );
  return (await countRefused(worker)) - refusedBefore;
}

/** A worker that is suspended past its lease loses its runs, and the fence rejects its late writes. */
export const pauseWorkers: Scenario = {
  number: 7,
  name: 'pause-workers',
  fault: 'SIGSTOP of a worker past its lease, then SIGCONT, under load',
  shortSeconds: 38,
  rounds: 'pauses',
  measured: ['lost_attempts', 'refused_results'],
  treat: (random) => ({ ...acceptSlowly(random), delayMs: random.between(500, 1_500) }),
  async run(context) {
    const { stack, amount, expect } = context;
    const wanted = amount(PAUSES.short, PAUSES.long);
    const refused: number[] = [];
    const effective = () => refused.filter((results) => results > 0).length;
    await underLoad(
      context,
      async () => {
        while (effective() < wanted && refused.length < wanted + MORE_PAUSES) {
          // In turn: a worker that has just woken holds attempts that others have taken over, and would lose nothing.
          refused.push(await pauseOnce(context, nth(stack.workers, refused.length)));
        }
      },
      PACE,
    );
    expect(
      effective() === wanted,
      `late results are refused after ${wanted} pauses; they were after ${effective()}`,
    );
    return { pauses: refused.length, refused_results: refused.reduce((sum, results) => sum + results, 0) };
  },
  afterDrain: (_, ledgers) => ({ lost_attempts: countLost(ledgers) }),
};
