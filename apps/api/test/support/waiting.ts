import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@postrider/rig';
import type { Response } from 'supertest';

/** Resolves when a condition holds; rejects when it does not in the time of {@link waitFor}. */
export const until = (condition: () => boolean | Promise<boolean>): Promise<boolean> =>
  waitFor(`${condition}`, condition);

/**
 * Sends a request, and sends it again as docs/errors.md asks of a client, as long as the first one with its key
 * has not ended: of many with one key, some wait for longer than 2 s on a busy machine.
 */
export async function untilAnswered(send: () => PromiseLike<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.body.error?.code !== 'idempotency_in_progress') return response;
    await delay(Number(response.headers['retry-after']) * 1_000);
  }
}

/** A promise that is settled from outside. */
export function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
