import { randomUUID } from 'node:crypto';
import type { Target } from './target.ts';

const DEADLINE_MS = 30_000;

/** Sends a request to the API and reads the answer. The status is null if there was none. */
export async function callApi(
  { api }: Target,
  { path, method = 'POST', token, body }: { path: string; method?: string; token: string; body: string },
): Promise<{ readonly status: number | null; readonly text: string }> {
  try {
    const response = await fetch(`${api.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: null, text: '' };
  }
}

/** Concurrent requests of {@link callAll}: enough to keep every renderer busy. */
const AT_ONCE = 8;

/** A request for {@link callAll}. `what` names it in violations. */
export interface Call {
  readonly path: string;
  readonly method?: string;
  readonly body: string;
  readonly what: string;
}

/** How often each status was the answer, and every answer that no client may get. */
export interface Called {
  readonly statuses: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

/** Sends the requests, some at a time. Stops when the API has ended. */
export async function callAll(target: Target, token: string, calls: Iterable<Call>): Promise<Called> {
  const statuses: Record<string, number> = {};
  const violations = new Set<string>();
  const waiting = calls[Symbol.iterator]();
  async function lane(): Promise<void> {
    for (let next = waiting.next(); !next.done && !target.api.hasEnded(); next = waiting.next()) {
      const { what, ...call } = next.value;
      const { status } = await callApi(target, { ...call, token });
      const name = `status_${status}`;
      statuses[name] = (statuses[name] ?? 0) + 1;
      if (!isFitting(status)) violations.add(`${what} was answered ${status}`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { statuses, violations: [...violations] };
}

/** Posts bytes without a token, like a provider. */
export async function postBytes(
  { api }: Target,
  { path, body, headers = {} }: { path: string; body: Buffer; headers?: Readonly<Record<string, string>> },
): Promise<{ readonly status: number | null }> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(api.url + path, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      signal,
    });
    await response.arrayBuffer();
    return { status: response.status };
  } catch {
    return { status: null };
  }
}

/** Posts one event as JSON text. */
export const postEvent = (target: Target, token: string, body: string) =>
  callApi(target, { path: '/api/v1/events', token, body });

/** Whether a client may get this status for any request: success, refusal, or 503. */
export const isFitting = (status: number | null) => status !== null && (status < 500 || status === 503);
