import { setTimeout as wait } from 'node:timers/promises';
import { LEASE_MARGIN_MS } from '@postrider/db';
import type { Service } from '@postrider/local-stack/testing';
import { type Random, type TcpProxy, waitFor } from '@postrider/rig';
import { ATTEMPT_TIMEOUT_MS } from '../stack/stack.ts';
import type { Context } from './scenario.ts';
import { restartApi, untilNextAnswer, untilNextSend } from './steps.ts';
import { NETWORK_FAULTS, type NetworkFault, type Strike } from './strikes.ts';

const LONGEST_OUTAGE_MS = 3_000;
const PAUSE_BETWEEN_MS = { least: 2_000, most: 5_000 };
/** Past the lease of whatever the worker had open, and a sweep. */
const PAST_LEASE_MS = ATTEMPT_TIMEOUT_MS + LEASE_MARGIN_MS + 2_000;
const OPEN = { timeoutMs: 60_000, pollMs: 100 };
/** Long enough that a silence outlasts the time limit of an attempt. */
const CUT_MS: Readonly<Record<NetworkFault, number>> = {
  stall: ATTEMPT_TIMEOUT_MS + 1_000,
  half_open: ATTEMPT_TIMEOUT_MS + 1_000,
  reset: 1_000,
  slow: 3_000,
};

/** What a random fault needs, beside the scenario's own. */
interface Inflicting extends Context {
  /** Events that have their final answer. */
  readonly answered: () => number;
  /** Workers that are paused: no other fault finds them. */
  readonly paused: Set<Service>;
  /** Faults of the network that struck. */
  readonly strikes: Strike[];
  /** Ends after the fault that began it, while others strike. */
  readonly background: Promise<void>[];
}

type RandomFault = (inflicting: Inflicting) => Promise<void>;

const awake = ({ stack, random, paused }: Inflicting): Service =>
  random.pick(stack.workers.filter((worker) => !paused.has(worker)));

async function cut(
  { random, strikes }: Inflicting,
  place: Strike['place'],
  proxy: TcpProxy | null,
): Promise<void> {
  const fault = random.pick(NETWORK_FAULTS);
  const from = Date.now();
  proxy?.set(fault);
  await wait(CUT_MS[fault]);
  proxy?.set(null);
  strikes.push({ place, fault, from, to: Date.now() });
}

const FAULTS: Readonly<Record<string, RandomFault>> = {
  async kill_api({ stack, random }) {
    const api = random.pick(stack.apis);
    await api.kill();
    await api.start();
  },
  async kill_worker(inflicting) {
    const worker = awake(inflicting);
    await worker.kill();
    await worker.start();
  },
  restart_api: (inflicting) => restartApi(inflicting, inflicting.random.pick(inflicting.stack.apis)),
  async restart_worker(inflicting) {
    const worker = awake(inflicting);
    await worker.stop();
    await worker.start();
  },
  async pause_worker_past_lease(inflicting) {
    const { paused, background } = inflicting;
    await Promise.all(background);
    const worker = awake(inflicting);
    const slots = () => worker.metric('postrider_slots_in_use');
    await waitFor('the worker to have an attempt open', async () => (await slots()) > 0, OPEN);
    paused.add(worker);
    worker.pause();
    const resumed = wait(PAST_LEASE_MS).then(() => {
      worker.resume();
      paused.delete(worker);
    });
    background.push(resumed);
  },
  async flush_redis({ stack }) {
    await stack.redis.flush();
  },
  async crash_redis({ stack, random }) {
    await stack.redis.crash();
    await wait(random.between(0, LONGEST_OUTAGE_MS));
    await stack.redis.start();
  },
  async crash_postgres({ stack, random }) {
    await stack.postgres.crash();
    await wait(random.between(0, LONGEST_OUTAGE_MS));
    await stack.postgres.start();
  },
  // Where nothing flows a cut is not felt: the fault before it may still have its effects.
  async cut_receivers(inflicting) {
    await untilNextSend(inflicting);
    await cut(inflicting, 'receivers', inflicting.stack.receiverProxy);
  },
  async cut_postgres(inflicting) {
    await untilNextAnswer('the fault before', inflicting.answered);
    await cut(inflicting, 'postgres', inflicting.stack.postgresProxy);
  },
};

/** Every item, for ever: each once in a new random order, then each once more. */
export function* shuffledBags<Item>(items: readonly Item[], random: Random): Generator<Item, never> {
  for (;;) {
    const left = new Set(items);
    while (left.size > 0) {
      const item = random.pick([...left]);
      left.delete(item);
      yield item;
    }
  }
}

interface Inflicted {
  readonly names: readonly string[];
  readonly strikes: readonly Strike[];
}

/**
 * Inflicts faults, one begun every 2 to 5 s or when the one before has ended, until each kind has struck and
 * `isOver`. Resolves when nothing is broken any more.
 */
export async function inflictUntil(
  isOver: () => boolean,
  context: Context,
  answered: () => number,
): Promise<Inflicted> {
  const kinds = Object.keys(FAULTS);
  const names: string[] = [];
  const inflicting: Inflicting = { ...context, answered, paused: new Set(), strikes: [], background: [] };
  for (const name of shuffledBags(kinds, context.random)) {
    if (isOver() && names.length >= kinds.length) break;
    const { least, most } = PAUSE_BETWEEN_MS;
    const pause = wait(context.random.between(least, most));
    await FAULTS[name]?.(inflicting);
    names.push(name);
    await pause;
  }
  await Promise.all(inflicting.background);
  return { names, strikes: inflicting.strikes };
}
