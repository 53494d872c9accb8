import { setTimeout as wait } from 'node:timers/promises';
import { countUp, sideBySide } from '../lanes.ts';
import type { Random } from '../random.ts';
import type { ClientAnswer, Driver, EventToSend } from './client.ts';

export interface Load {
  /** Resolves when every event has its final answer. */
  readonly done: Promise<void>;
  /** How many events have their final answer. */
  answered(): number;
}

export interface LoadOptions {
  readonly driver: Driver;
  readonly random: Random;
  /** How many events are sent; by default as many as possible until `signal` is aborted. */
  readonly events?: number;
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** Milliseconds between two events of one lane; none by default. */
  readonly pauseMs?: number;
  /** Whether to send each event only once; by default it is repeated until the answer is final. */
  readonly isOnce?: boolean;
  /** Changes an event before it is sent. */
  readonly vary?: (event: EventToSend, index: number) => EventToSend;
  /** Called with the answer to an event, before its lane sends the next. */
  readonly afterwards?: (event: EventToSend, answer: ClientAnswer) => Promise<void>;
  /** No further events are sent once this is aborted. */
  readonly signal?: AbortSignal;
}

/** Sends events, at most `concurrency` at a time. */
export function startLoad({
  driver,
  random,
  events = Number.POSITIVE_INFINITY,
  concurrency,
  pauseMs = 0,
  isOnce = false,
  vary = (event) => event,
  afterwards = async () => undefined,
  signal,
}: LoadOptions): Load {
  let answered = 0;
  async function sendOne(index: number): Promise<void> {
    const event = vary({ reference: `event-${random.uuid()}`, key: random.uuid() }, index);
    const answer = isOnce ? await driver.request(event) : await driver.deliver(event);
    answered += 1;
    if (answer) await afterwards(event, answer);
    if (pauseMs > 0) await wait(pauseMs);
  }
  const done = sideBySide(
    countUp(events, () => signal?.aborted ?? false),
    concurrency,
    sendOne,
  );
  // A load that fails before its owner awaits it must not end the process; `done` still rejects.
  done.catch(() => undefined);
  return { done, answered: () => answered };
}
