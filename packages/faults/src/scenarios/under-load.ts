import { type LoadOptions, mixedTraffic, startLoad } from '@postrider/rig';
import type { Context } from './scenario.ts';

/** Enough that every fault finds requests and attempts open, and little enough that two cores carry it. */
const LANES = 8;
const PAUSE_MS = 100;

interface Traffic {
  readonly lanes?: number;
  readonly pauseMs?: number;
  /** Whether the client also schedules, cancels and replays. */
  readonly isMixed?: boolean;
  /** Changes an event of a load that is not mixed before it is sent. */
  readonly vary?: LoadOptions['vary'];
}

/**
 * Sends events for as long as `inflict` takes, and resolves when each of them has its final answer. Returns
 * how many.
 */
export async function underLoad(
  { driver, random }: Pick<Context, 'driver' | 'random'>,
  inflict: (answered: () => number) => Promise<void>,
  { lanes = LANES, pauseMs = PAUSE_MS, isMixed = false, vary }: Traffic = {},
): Promise<number> {
  const over = new AbortController();
  const load = startLoad({
    driver,
    random,
    concurrency: lanes,
    pauseMs,
    signal: over.signal,
    ...(vary && { vary }),
    ...(isMixed && mixedTraffic(driver, random)),
  });
  try {
    await inflict(load.answered);
  } finally {
    over.abort();
    await load.done;
  }
  return load.answered();
}
