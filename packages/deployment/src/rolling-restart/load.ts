import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** Requests in flight at once, and how long each lane rests between two: two cores carry it. */
const LANES = 16;
const PAUSE_MS = 50;

export interface LoadResult {
  /** Ids of the delivery runs that the answers named. */
  readonly runIds: readonly string[];
  /** What went wrong, a line each: an answer other than 201, or none. */
  readonly failures: readonly string[];
  /** Milliseconds from each request to its answer, shortest first. */
  readonly latencies: readonly number[];
}

const BODY = JSON.stringify({
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com' },
  payload: { order_id: 'A-1001' },
});

async function sendEvent(url: string, token: string): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: BODY,
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${text}`);
  return (JSON.parse(text) as { delivery_runs: { id: string }[] }).delivery_runs.map(({ id }) => id);
}

/** Sends events, each once and never again, until `work` has ended. */
export async function loadDuring(
  { url, token }: { url: string; token: string },
  work: () => Promise<void>,
): Promise<LoadResult> {
  const runIds: string[] = [];
  const failures: string[] = [];
  const latencies: number[] = [];
  let isOver = false;
  async function lane(): Promise<void> {
    while (!isOver) {
      const began = performance.now();
      try {
        runIds.push(...(await sendEvent(url, token)));
      } catch (error) {
        failures.push(`${error}`);
      }
      latencies.push(performance.now() - began);
      await wait(PAUSE_MS);
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  await work().finally(() => {
    isOver = true;
  });
  await lanes;
  return { runIds, failures, latencies: latencies.sort((a, b) => a - b) };
}
