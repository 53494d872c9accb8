import { setTimeout as wait } from 'node:timers/promises';
import type { ClientAnswer } from '../ledgers.ts';
import type { Random } from '../random.ts';
import type { Driver, EventToSend } from './client.ts';

export interface Load {
  /** Resolves when every event has its final answer. */
  readonly done: Promise<void>;
  /** Events that have their final answer. */
  answered(): number;
}

export interface LoadOptions {
  readonly driver: Driver;
  readonly random: Random;
  /** How many are sent; until `signal` is aborted when left out. */
  readonly events?: number;
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** Milliseconds that each of them rests between two events; none when left out. */
  readonly pauseMs?: number;
  /** Changes an event before it is sent. */
  readonly vary?: (event: EventToSend, index: number) => EventToSend;
  /** What the client does when an event has its final answer, before the next one. */
  readonly afterwards?: (event: EventToSend, answer: ClientAnswer) => Promise<void>;
  /** Sends no further event once this is aborted. */
  readonly signal?: AbortSignal;
}

/** Sends events, so many at a time, each until its answer is final. */
export function startLoad({
  driver,
  random,
  events = Number.POSITIVE_INFINITY,
  concurrency,
  pauseMs = 0,
  vary = (event) => event,
  afterwards = async () => undefined,
  signal,
}: LoadOptions): Load {
  let next = 0;
  let answered = 0;
  async function lane(): Promise<void> {
    while (next < events && !signal?.aborted) {
      const index = next;
      next += 1;
      const event = vary({ reference: `event-${random.uuid()}`, key: random.uuid() }, index);
      const answer = await driver.deliver(event);
      answered += 1;
      await afterwards(event, answer);
      if (pauseMs > 0) await wait(pauseMs);
    }
  }
  const done = Promise.all(Array.from({ length: concurrency }, lane)).then(() => undefined);
  // A lane that fails while nobody waits yet must not end the whole suite; whoever waits is told all the same.
  done.catch(() => undefined);
  return { done, answered: () => answered };
}
