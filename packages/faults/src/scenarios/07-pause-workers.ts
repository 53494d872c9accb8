import { LEASE_MARGIN_MS } from '@postrider/db';
import type { Service } from '../stack/service.ts';
import { ATTEMPT_TIMEOUT_MS } from '../stack/stack.ts';
import { until } from '../until.ts';
import { countLost } from './answers.ts';
import { type Context, type Scenario, takeSlowly } from './scenario.ts';
import { underLoad } from './under-load.ts';

const PAUSES = { short: 1, long: 5 };
/** Long enough for the lease to run out and a sweeper to come by. */
const PAUSE_DEADLINE_MS = 3 * (ATTEMPT_TIMEOUT_MS + LEASE_MARGIN_MS);

/** Less than the ten mail connections of the worker that is left carry, at a second for each mail. */
const PACE = { lanes: 4, pauseMs: 600 };

const OPEN_ATTEMPTS = 3;

/** Results that the worker wrote too late. */
const countRefused = (worker: Service) => worker.metric('postrider_stale_results_total');

const nth = (workers: readonly Service[], count: number) => workers[count % workers.length] as Service;

const countTakenBack = ({ stack }: Context) =>
  stack.db.attempt.count({ where: { status: 'unknown', errorCode: 'worker_lost' } });

/**
 * A worker that sleeps past its lease loses its runs, and what it writes when it wakes is refused by the
 * fence.
 */
export const pauseWorkers: Scenario = {
  number: 7,
  name: 'pause-workers',
  fault: 'SIGSTOP of a worker past its lease, then SIGCONT, under load',
  shortFormS: 30,
  rounds: 'pauses',
  measured: ['lost_attempts', 'refused_results'],
  treat: (random) => ({ ...takeSlowly(random), delayMs: random.between(500, 1_500) }),
  async run(context) {
    const { stack, amount } = context;
    const pauses = amount(PAUSES.short, PAUSES.long);
    let refused = 0;
    await underLoad(
      context,
      async () => {
        for (let count = 0; count < pauses; count += 1) {
          // In turn: one that has just woken holds attempts that others have taken, and nothing of it would be lost.
          const worker = nth(stack.workers, count);
          await until('the worker has attempts open', PAUSE_DEADLINE_MS, async () => {
            return (await worker.metric('postrider_slots_in_use')) >= OPEN_ATTEMPTS;
          });
          const before = await countTakenBack(context);
          const refusedBefore = await countRefused(worker);
          worker.pause();
          await until('its open attempts are taken back', PAUSE_DEADLINE_MS, async () => {
            return (await countTakenBack(context)) > before;
          });
          await until('another worker has taken them up', PAUSE_DEADLINE_MS, async () => {
            const waiting = await stack.db.deliveryRun.count({
              where: { status: 'retrying', attempts: { some: { errorCode: 'worker_lost' } } },
            });
            return waiting === 0;
          }).finally(() => worker.resume());
          await until('its late writes are refused', PAUSE_DEADLINE_MS, async () => {
            return (await countRefused(worker)) > refusedBefore;
          });
          refused += (await countRefused(worker)) - refusedBefore;
        }
      },
      PACE,
    );
    return { pauses, refused_results: refused };
  },
  afterDrain: (_, ledgers) => ({ lost_attempts: countLost(ledgers) }),
};
