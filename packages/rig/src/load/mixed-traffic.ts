import type { Random } from '../random.ts';
import type { ClientAnswer, Driver, EventToSend } from './client.ts';
import type { LoadOptions } from './load.ts';

/** The shares of events that are scheduled and then cancelled, and that are replayed. */
const SCHEDULED = 0.1;
const REPLAYED = 0.1;
/** The share of requests that are repeated with the same key although they were answered. */
const REPEATED = 0.1;
/** So short that some cancels arrive after their run has started. */
const AHEAD_MS = { least: 200, most: 5_000 };

/**
 * Options that make a load schedule some events and cancel their runs, replay some, and repeat some requests with the
 * same key.
 */
export function mixedTraffic(
  driver: Driver,
  random: Random,
): Required<Pick<LoadOptions, 'vary' | 'afterwards'>> {
  async function sendAgainAtTimes(send: () => Promise<unknown>): Promise<void> {
    await send();
    if (random.next() < REPEATED) await send();
  }

  async function follow(event: EventToSend, { messageId, runIds }: ClientAnswer): Promise<void> {
    if (random.next() < REPEATED) await driver.deliver(event);
    if (messageId === null) return;
    if (event.scheduleAt) {
      for (const runId of runIds) {
        const key = random.uuid();
        await sendAgainAtTimes(() => driver.cancel({ runId, key }));
      }
    } else if (random.next() < REPLAYED) {
      const key = random.uuid();
      await sendAgainAtTimes(() => driver.replay({ messageId, key }));
    }
  }

  return {
    vary(event) {
      if (random.next() >= SCHEDULED) return event;
      const aheadMs = random.between(AHEAD_MS.least, AHEAD_MS.most);
      return { ...event, scheduleAt: new Date(Date.now() + aheadMs) };
    },
    afterwards: follow,
  };
}
