import { setTimeout as wait } from 'node:timers/promises';
import type { ClientAnswer, ClientCancel, ClientLedger, ClientRequest } from '../ledgers.ts';
import type { Random } from '../random.ts';

export interface EventToSend {
  readonly reference: string;
  readonly key: string;
  readonly variant?: string;
  readonly eventKey?: string;
  readonly scheduleAt?: Date;
}

/** The client of a fault run: it writes down everything that it sent and was answered. */
export interface Driver {
  /** Sends one request and notes it. Null when no answer came. */
  request(event: EventToSend): Promise<ClientAnswer | null>;
  /** Sends until the answer is final: repeats with the same key after a lost connection, 5xx, 429 and 409 in progress. */
  deliver(event: EventToSend): Promise<ClientAnswer>;
  cancel(runId: string): Promise<number | null>;
  /** Notes that a key was a day old during the run and may have been used anew. */
  keyExpired(key: string): void;
  readonly ledger: ClientLedger;
  /** Longest wait for an answer so far, in milliseconds. */
  slowestMs(): number;
}

const REQUEST_DEADLINE_MS = 20_000;
/** Between two tries where the answer names no wait. */
const PAUSE_MS = 200;
/** More tries than any scenario's outages take. */
const MAX_TRIES = 2_000;

/** Answers after which the same request with the same key is right to send again. */
const isPassing = (answer: ClientAnswer & { code?: string }) =>
  answer.status >= 500 || answer.status === 429 || answer.code === 'idempotency_in_progress';

type Noted = ClientAnswer & { readonly code: string | undefined; readonly retryAfterMs: number };

function noted(response: Response, text: string): Noted {
  const body = JSON.parse(text) as {
    message_id?: string;
    delivery_runs?: { id: string }[];
    error?: { code: string };
  };
  return {
    status: response.status,
    messageId: body.message_id ?? null,
    runIds: (body.delivery_runs ?? []).map(({ id }) => id),
    replayed: response.headers.get('idempotent-replayed') === 'true',
    code: body.error?.code,
    retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1_000,
  };
}

/** A client of any of the API processes, chosen anew for each request. */
export function createDriver({
  urls,
  token,
  random,
}: {
  /** Where the API is to be asked now. */
  urls: () => readonly string[];
  token: string;
  random: Random;
}): Driver {
  const requests: ClientRequest[] = [];
  const cancels: ClientCancel[] = [];
  const expiredKeys: string[] = [];
  let slowestMs = 0;

  async function post(path: string, headers: Record<string, string>, body: string): Promise<Noted | null> {
    const began = performance.now();
    try {
      const response = await fetch(`${random.pick(urls())}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
      });
      return noted(response, await response.text());
    } catch {
      return null;
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
  }

  async function send(event: EventToSend): Promise<Noted | null> {
    const { reference, key, variant = 'a', eventKey = 'order.shipped', scheduleAt } = event;
    const body = {
      event_key: eventKey,
      recipient: { email: 'ada@example.com', name: 'Ada' },
      payload: { reference, variant },
      ...(scheduleAt ? { schedule_at: scheduleAt.toISOString() } : {}),
    };
    const answer = await post('/api/v1/events', { 'idempotency-key': key }, JSON.stringify(body));
    requests.push({ reference, key, variant, answer });
    return answer;
  }

  return {
    request: send,
    async deliver(event) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const answer = await send(event);
        if (answer && !isPassing(answer)) return answer;
        await wait(answer?.retryAfterMs || PAUSE_MS);
      }
      throw new Error(`event ${event.reference} had no final answer after ${MAX_TRIES} tries`);
    },
    keyExpired(key) {
      expiredKeys.push(key);
    },
    async cancel(runId) {
      const answer = await post(`/api/v1/delivery-runs/${runId}/cancel`, {}, '');
      cancels.push({ runId, status: answer?.status ?? null });
      return answer?.status ?? null;
    },
    ledger: { requests, cancels, expiredKeys },
    slowestMs: () => slowestMs,
  };
}
