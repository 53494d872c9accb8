import { setTimeout as wait } from 'node:timers/promises';
import type {
  ClientAnswer,
  ClientCancel,
  ClientExchange,
  ClientLedger,
  ClientReplay,
  ClientRequest,
} from '../ledgers.ts';
import type { Random } from '../random.ts';
import { EVENT_KEY } from '../stack/stack.ts';
import { type Answered, post } from './post.ts';

export interface EventToSend {
  readonly reference: string;
  readonly key: string;
  readonly variant?: string;
  readonly eventKey?: string;
  readonly scheduleAt?: Date;
  /** In place of the client's own: of another tenant. */
  readonly token?: string;
}

/** The client of a fault run: it writes down everything that it sent and was answered. */
export interface Driver {
  /** Sends one request and notes it. Null when no answer came. */
  request(event: EventToSend): Promise<ClientAnswer | null>;
  /**
   * Sends until the answer is final: repeats with the same key after a lost connection, 5xx, 429 and 409 in
   * progress.
   */
  deliver(event: EventToSend): Promise<ClientAnswer>;
  /** Replays a message, as persistently. */
  replay(replay: Pick<ClientReplay, 'messageId' | 'key'>): Promise<ClientAnswer>;
  /** Cancels a run, as persistently. */
  cancel(cancel: Pick<ClientCancel, 'runId' | 'key'>): Promise<ClientAnswer>;
  /** Notes that a key was a day old during the run and may have been used anew. */
  keyExpired(key: string): void;
  readonly ledger: ClientLedger;
}

/** Between two tries where the answer names no wait. */
const PAUSE_MS = 200;
/** More tries than any scenario's outages take. */
const MAX_TRIES = 2_000;

/** Answers after which the same request with the same key is right to send again. */
const isPassing = (answer: Answered) =>
  answer.status >= 500 || answer.status === 429 || answer.code === 'idempotency_in_progress';

async function untilFinal(what: string, send: () => Promise<Answered | null>): Promise<Answered> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await send();
    if (answer && !isPassing(answer)) return answer;
    await wait(answer?.retryAfterMs || PAUSE_MS);
  }
  throw new Error(`${what} had no final answer after ${MAX_TRIES} tries`);
}

/** Each event has a recipient of its own, so that a delivery to another one is seen. */
const recipientOf = (reference: string) => `${reference}@example.com`;

function bodyOf({ reference, variant = 'a', eventKey = EVENT_KEY, scheduleAt }: EventToSend): string {
  return JSON.stringify({
    event_key: eventKey,
    recipient: { email: recipientOf(reference), name: 'Ada' },
    payload: { reference, variant },
    ...(scheduleAt ? { schedule_at: scheduleAt.toISOString() } : {}),
  });
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
  const replays: ClientReplay[] = [];
  const cancels: ClientCancel[] = [];
  const expiredKeys: string[] = [];
  const exchanges: ClientExchange[] = [];

  async function send(path: string, key: string, body: string, by = token): Promise<Answered | null> {
    const [sentAt, began] = [Date.now(), performance.now()];
    const answer = await post({ url: `${random.pick(urls())}/api/v1/${path}`, token: by, key, body });
    const { status = null, retryAfterMs = null } = answer ?? {};
    exchanges.push({ sentAt, tookMs: performance.now() - began, status, retryAfterMs });
    return answer;
  }

  async function request(event: EventToSend): Promise<Answered | null> {
    const { reference, key, variant = 'a' } = event;
    const answer = await send('events', key, bodyOf(event), event.token);
    requests.push({ reference, key, variant, recipient: recipientOf(reference), answer });
    return answer;
  }

  return {
    request,
    deliver: (event) => untilFinal(`event ${event.reference}`, () => request(event)),
    replay: ({ messageId, key }) =>
      untilFinal(`the replay of ${messageId}`, async () => {
        const answer = await send(`messages/${messageId}/replay`, key, '');
        replays.push({ messageId, key, answer });
        return answer;
      }),
    cancel: ({ runId, key }) =>
      untilFinal(`the cancel of ${runId}`, async () => {
        const answer = await send(`delivery-runs/${runId}/cancel`, key, '');
        cancels.push({ runId, key, status: answer?.status ?? null, code: answer?.code ?? null });
        return answer;
      }),
    keyExpired(key) {
      expiredKeys.push(key);
    },
    ledger: { requests, replays, cancels, expiredKeys, exchanges },
  };
}
