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
