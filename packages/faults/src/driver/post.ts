import type { ClientAnswer } from '../ledgers.ts';

const REQUEST_DEADLINE_MS = 20_000;

/** An answer with what a client needs to go on, beside what is noted of it. */
export type Answered = ClientAnswer & {
  readonly code: string | undefined;
  /** Null when the answer names no wait. */
  readonly retryAfterMs: number | null;
};

export interface Post {
  readonly url: string;
  readonly token: string;
  readonly key: string;
  /** JSON; empty for none. */
  readonly body: string;
}

function understand(response: Response, text: string): Answered {
  const body = JSON.parse(text) as {
    message_id?: string;
    delivery_runs?: { id: string }[];
    error?: { code: string };
  };
  const retryAfter = response.headers.get('retry-after');
  return {
    status: response.status,
    messageId: body.message_id ?? null,
    runIds: (body.delivery_runs ?? []).map(({ id }) => id),
    replayed: response.headers.get('idempotent-replayed') === 'true',
    code: body.error?.code,
    retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1_000,
  };
}

/** Posts once. Null when no answer of the API came: the connection broke, 20 s went by, or it is not JSON. */
export async function post({ url, token, key, body }: Post): Promise<Answered | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body,
      signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
    });
    return understand(response, await response.text());
  } catch {
    return null;
  }
}
