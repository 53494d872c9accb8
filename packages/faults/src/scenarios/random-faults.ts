import { setTimeout as wait } from 'node:timers/promises';
import { LEASE_MARGIN_MS } from '@postrider/db';
import type { Service } from '@postrider/local-stack/testing';
import { type Random, type TcpProxy, waitFor } from '@postrider/rig';
import { ATTEMPT_TIMEOUT_MS } from '../stack/stack.ts';
import type { Context } from './scenario.ts';
import { restartApi, untilNextAnswer, untilNextSend } from './steps.ts';
import { NETWORK_FAULTS, type NetworkFault, type Strike } from './strikes.ts';

const MAX_OUTAGE_MS = 3_000;
const PAUSE_BETWEEN_MS = { least: 2_000, most: 5_000 };
/** Long enough for the worker's leases to expire and a sweep to run. */
const PAST_LEASE_MS = ATTEMPT_TIMEOUT_MS + LEASE_MARGIN_MS + 2_000;
const OPEN = { timeoutMs: 60_000, pollMs: 100 };
/** How long each fault lasts; silence outlasts the time limit of an attempt. */
const CUT_MS: Readonly<Record<NetworkFault, number>> = {
  stall: ATTEMPT_TIMEOUT_MS + 1_000,
  half_open: ATTEMPT_TIMEOUT_MS + 1_000,
  reset: 1_000,
  slow: 3_000,
};

/** What a random fault needs, in addition to the scenario's context. */
interface Inflicting extends Context {
  /** How many events have their final answer. */
  readonly answered: () => number;
  /** Paused workers, which other faults leave alone. */
  readonly paused: Set<Service>;
  /** The network faults that struck. */
  readonly strikes: Strike[];
  /** Work that continues while other faults strike. */
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
    await wait(random.between(0, MAX_OUTAGE_MS));
    await stack.redis.start();
  },
  async crash_postgres({ stack, random }) {
    await stack.postgres.crash();
    await wait(random.between(0, MAX_OUTAGE_MS));
    await stack.postgres.start();
  },
  // A cut only has an effect while data flows, which the previous fault may still prevent.
  async cut_receivers(inflicting) {
    await untilNextSend(inflicting);
    await cut(inflicting, 'receivers', inflicting.stack.receiverProxy);
  },
  async cut_postgres(inflicting) {
    await untilNextAnswer('the fault before', inflicting.answered);
    await cut(inflicting, 'postgres', inflicting.stack.postgresProxy);
  },
};

/** Yields the items endlessly: each once in a random order, then each once in another random order, and so on. */
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
 * Inflicts a fault every 2 to 5 s, or when the previous one has ended, until each kind has struck and `isOver` returns
 * true. Resolves when everything works again.
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
