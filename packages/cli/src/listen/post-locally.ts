import type { DeliveryToPost } from '@postrider/client';
import { LISTENER_ANSWER_LIMITS } from '@postrider/domain';
import { reasonBelow } from '../failure.ts';

/** What the receiver did, in the form in which the service takes it. */
export type LocalAnswer =
  | { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
  | { readonly error: string; readonly connected: boolean };

/** Errors before a connection: the receiver has certainly not got the request. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

/** The beginning of a body, as text. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const { bodyLength } = LISTENER_ANSWER_LIMITS;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= bodyLength) break;
  }
  return Buffer.concat(chunks).subarray(0, bodyLength).toString('utf8');
}

/** Posts a request to a receiver on this machine, within its time limit. Follows no redirect, and never rejects. */
export async function postLocally(
  url: string,
  { headers, body, timeout_ms }: DeliveryToPost,
): Promise<LocalAnswer> {
  try {
    const signal = AbortSignal.timeout(timeout_ms);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const kept = [...response.headers]
      .filter(([, value]) => value.length <= LISTENER_ANSWER_LIMITS.headerLength)
      .slice(0, LISTENER_ANSWER_LIMITS.headers);
    const text = await beginningOf(response.body);
    return { status: response.status, headers: Object.fromEntries(kept), body: text };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const code = isLate ? 'ETIMEDOUT' : (reasonBelow(error) ?? 'unknown error');
    return { error: code, connected: !NOT_CONNECTED.includes(code) };
  }
}
