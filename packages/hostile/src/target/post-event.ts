import { randomUUID } from 'node:crypto';
import type { Target } from './target.ts';

const DEADLINE_MS = 30_000;

/** Asks the API as a client that reads the answer; the status is null when none came. */
export async function askApi(
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

/** Posts bytes without a token of the API, as a provider does. */
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
  askApi(target, { path: '/api/v1/events', token, body });

/** An answer that a client may get for whatever it sends: done, refused, or asked to wait. */
export const isFitting = (status: number | null) => status !== null && (status < 500 || status === 503);
