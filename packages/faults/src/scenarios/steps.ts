import { setTimeout as wait } from 'node:timers/promises';
import { withDeadline } from '@postrider/domain';
import type { Service } from '@postrider/local-stack/testing';
import { type LoadOptions, mixedTraffic, startLoad, waitFor } from '@postrider/rig';
import type { Context } from './scenario.ts';

/** Enough for every fault to find open requests and attempts, and not too much for two cores. */
const LANES = 8;
const PAUSE_MS = 100;
/** Within this time the last events have their final answers, or the service does not recover. */
const END_TIMEOUT_MS = 180_000;

interface Traffic {
  readonly lanes?: number;
  readonly pauseMs?: number;
  /** Whether the client also schedules, cancels and replays. */
  readonly isMixed?: boolean;
  /** Changes an event before it is sent; overrides that of mixed traffic. */
  readonly vary?: LoadOptions['vary'];
  /** Called with the answer to an event; overrides that of mixed traffic. */
  readonly afterwards?: LoadOptions['afterwards'];
}

/**
 * Sends events while `inflict` runs. Resolves with their number when each has its final answer.
 */
export async function underLoad(
  { driver, random }: Pick<Context, 'driver' | 'random'>,
  inflict: (answered: () => number) => Promise<void>,
  { lanes = LANES, pauseMs = PAUSE_MS, isMixed = false, vary, afterwards }: Traffic = {},
): Promise<number> {
  const over = new AbortController();
  const load = startLoad({
    driver,
    random,
    concurrency: lanes,
    pauseMs,
    signal: over.signal,
    ...(isMixed && mixedTraffic(driver, random)),
    ...(vary && { vary }),
    ...(afterwards && { afterwards }),
  });
  try {
    await inflict(load.answered);
  } finally {
    over.abort();
    await withDeadline(load.done, END_TIMEOUT_MS, 'the final answers to the last events');
  }
  return load.answered();
}

/** Generous: the scenarios themselves check how soon sending resumes. */
const SEND_TIMEOUT_MS = 120_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** Waits until a count has grown and returns how long that took, in milliseconds. */
async function untilGrown(what: string, timeoutMs: number, count: () => number): Promise<number> {
  const before = count();
  const began = performance.now();
  await waitFor(what, () => count() > before, { timeoutMs });
  return Math.round(performance.now() - began);
}

/** Milliseconds from now until a receiver gets something. */
export function untilNextSend({ stack }: Pick<Context, 'stack'>): Promise<number> {
  return untilGrown('a send to arrive', SEND_TIMEOUT_MS, () => stack.sends.sends.length);
}

/** Milliseconds from now, the end of `fault`, until one more event has its final answer. */
export function untilNextAnswer(fault: string, answered: () => number): Promise<number> {
  return untilGrown(`an event to have its final answer after ${fault}`, ANSWER_TIMEOUT_MS, answered);
}

/** Stops an API process gracefully and restarts it, while clients use the others. */
export async function restartApi({ outOfRotation }: Context, api: Service): Promise<void> {
  outOfRotation.add(api);
  await api.stop();
  await api.start();
  outOfRotation.delete(api);
}

/** Events after which the workers have met the load. */
const WARM_EVENTS = 150;
const WARM_MS = 500;
/** A busy machine works off the backlog of a cold start slowly. */
const WARM_TIMEOUT_MS = 300_000;

/**
 * Waits until workers that have just started keep up with the load: no run waits for its first attempt for longer than half a second.
 * Returns the time, in milliseconds since 1970. Runs that were accepted before it had to wait for cold workers.
 */
export async function untilWarm(
  { stack: { db } }: Pick<Context, 'stack'>,
  answered: () => number,
): Promise<number> {
  const goal = answered() + WARM_EVENTS;
  const hasBacklog = async () => {
    const createdAt = { lt: new Date(Date.now() - WARM_MS) };
    const where = { attemptCount: 0, completedAt: null, scheduledAt: null, createdAt };
    return (await db.deliveryRun.count({ where })) > 0;
  };
  const isWarm = async () => answered() >= goal && !(await hasBacklog());
  await waitFor('the workers to keep up', isWarm, { timeoutMs: WARM_TIMEOUT_MS });
  return Date.now();
}

const OPEN = { timeoutMs: 30_000, pollMs: 50 };

interface Killing {
  readonly kills: number;
  /** The minimum of open attempts in the installation at a kill; 1 by default. */
  readonly openAttempts?: number;
  /** Called after each kill, with its number from 1, before the workers start again. */
  readonly whileDown?: (count: number) => Promise<void>;
}

/**
 * Kills a worker while attempts are open and restarts it, `kills` times. The last time it kills all workers, so that a
 * killed process certainly had open attempts.
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
