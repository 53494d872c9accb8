import { setTimeout as delay } from 'node:timers/promises';
import type { Response } from 'supertest';

/** Waits until a condition holds; the test's own timeout is what ends a wait in vain. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

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
