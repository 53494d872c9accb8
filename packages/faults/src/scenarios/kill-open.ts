import { setTimeout as wait } from 'node:timers/promises';
import { waitFor } from '@postrider/rig';
import type { Context } from './scenario.ts';

const OPEN = { timeoutMs: 30_000, pollMs: 50 };

interface Killing {
  readonly kills: number;
  /** Least number of open attempts in the installation at a kill; 1 by default. */
  readonly openAttempts?: number;
  /** Called after each kill, with its number from 1, before the workers start again. */
  readonly whileDown?: (count: number) => Promise<void>;
}

/**
 * Kills a worker while attempts are open and starts it again, `kills` times. The last time it kills all workers, so that
 * attempts are open in a process that is killed.
 */
export async function killWhileOpen(
  { stack, random }: Pick<Context, 'stack' | 'random'>,
  { kills, openAttempts = 1, whileDown }: Killing,
): Promise<void> {
  const isOpen = async () => (await stack.db.attempt.count({ where: { status: 'running' } })) >= openAttempts;
  for (let count = 1; count <= kills; count += 1) {
    const workers = count === kills ? stack.workers : [random.pick(stack.workers)];
    await wait(random.between(50, 500));
    await waitFor('attempts to be open', isOpen, OPEN);
    await Promise.all(workers.map((worker) => worker.kill()));
    await whileDown?.(count);
    await Promise.all(workers.map((worker) => worker.start()));
  }
}
