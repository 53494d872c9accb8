import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { openConnections, type PostAnswer } from './post.ts';

/** A response to a client. */
export interface ClientAnswer {
  readonly status: number;
  /** The message of a 201; otherwise null. */
  readonly messageId: string | null;
  /** The runs of a 201; otherwise empty. */
  readonly runIds: readonly string[];
  readonly replayed: boolean;
}

/** One request to ingest an event. Repetitions with the same key are separate entries. */
export interface ClientRequest {
  /** The client's id of the event. It is in the payload, so that it can be found in the database. */
  readonly reference: string;
  readonly key: string;
  /** Distinguishes bodies that were sent with the same key. It is also in the payload. */
  readonly variant: string;
  /** A mail address that no other event has. */
  readonly recipient: string;
  /** Null if there was no answer. */
  readonly answer: ClientAnswer | null;
}

/** One request to replay a message. Repetitions with the same key are separate entries. */
export interface ClientReplay {
  readonly messageId: string;
  readonly key: string;
  readonly answer: ClientAnswer | null;
}

/** One request to cancel a run, repeated like a replay. `status` is null if there was no answer. */
export interface ClientCancel {
  readonly runId: string;
  readonly key: string;
  readonly status: number | null;
  /** The code of an error; otherwise null. */
  readonly code: string | null;
}

/** One request of any kind, and how long its answer took. */
export interface ClientExchange {
  readonly sentAt: number;
  /** How many milliseconds the answer took, or the client waited. */
  readonly tookMs: number;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The wait that `Retry-After` asked for, in milliseconds; null without that header. */
  readonly retryAfterMs: number | null;
}

/** All requests and responses of a client. */
export interface ClientLedger {
  readonly requests: readonly ClientRequest[];
  readonly replays: readonly ClientReplay[];
  readonly cancels: readonly ClientCancel[];
  /** Keys that expired during the run: their records may be gone or belong to another event. */
  readonly expiredKeys: readonly string[];
  /** Every request behind the entries above, in the order in which they ended. */
  readonly exchanges: readonly ClientExchange[];
}

export interface EventToSend {
  readonly reference: string;
  readonly key: string;
  readonly variant?: string;
  readonly eventKey?: string;
  readonly scheduleAt?: Date;
  readonly orderingKey?: string;
  /** The token of another tenant; by default the driver's own. */
  readonly token?: string;
}

/** A client that records every request and response. */
export interface Driver {
  /** Sends one request. Resolves with null if there was no answer. */
  request(event: EventToSend): Promise<ClientAnswer | null>;
  /** Repeats the request with the same key after a lost connection, 5xx, 429 and 409 in progress, until the answer is final. */
  deliver(event: EventToSend): Promise<ClientAnswer>;
  /** Replays a message, and repeats like {@link Driver.deliver}. */
  replay(replay: Pick<ClientReplay, 'messageId' | 'key'>): Promise<ClientAnswer>;
  /** Cancels a run, and repeats like {@link Driver.deliver}. */
  cancel(cancel: Pick<ClientCancel, 'runId' | 'key'>): Promise<ClientAnswer>;
  /** Records that a key became a day old during the run, and may belong to another event since. */
  keyExpired(key: string): void;
  readonly ledger: ClientLedger;
}

/** The default event key of a load. */
export const EVENT_KEY = 'order.shipped';

const ANSWER_TIMEOUT_MS = 20_000;
/** The pause before a repetition without Retry-After, in milliseconds. */
const PAUSE_MS = 200;
/** More tries than any scenario's outage takes. */
const MAX_TRIES = 2_000;

/** An answer with what the client needs to continue. */
type Answered = ClientAnswer & {
  readonly code: string | undefined;
  /** Null if the answer has no Retry-After. */
  readonly retryAfterMs: number | null;
};

interface AnswerBody {
  readonly message_id?: string;
  readonly delivery_runs?: readonly { readonly id: string }[];
  readonly error?: { readonly code: string };
}

function parseJson(text: string): AnswerBody | null {
  try {
    return JSON.parse(text) as AnswerBody;
  } catch {
    return null;
  }
}

/** Parses an answer. Null if it is not JSON: then it is not from the API. */
function understand({ status, header, text }: PostAnswer): Answered | null {
  const body = parseJson(text());
  if (!body) return null;
  const retryAfter = header('retry-after');
  return {
    status,
    messageId: body.message_id ?? null,
    runIds: (body.delivery_runs ?? []).map(({ id }) => id),
    replayed: header('idempotent-replayed') === 'true',
    code: body.error?.code,
    retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1_000,
  };
}

/** Whether the client should repeat the request with the same key. */
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

/** Each event has its own recipient, so that a delivery to another one is detected. */
const recipientOf = (reference: string) => `${reference}@example.com`;

function bodyOf({
  reference,
  variant = 'a',
  eventKey = EVENT_KEY,
  scheduleAt,
  orderingKey,
}: EventToSend): string {
  return JSON.stringify({
    event_key: eventKey,
    recipient: { email: recipientOf(reference), name: 'Ada' },
    payload: { reference, variant },
    ...(scheduleAt ? { schedule_at: scheduleAt.toISOString() } : {}),
    ...(orderingKey === undefined ? {} : { ordering_key: orderingKey }),
  });
}

/** A client that sends each request to one of the API's processes. */
export function createDriver({
  urls,
  token,
  random,
}: {
  /** Base URLs of the API processes that currently accept requests. */
  urls: () => readonly string[];
  token: string;
  random: Random;
}): Driver {
  const connections = openConnections({ timeoutMs: ANSWER_TIMEOUT_MS });
  const requests: ClientRequest[] = [];
  const replays: ClientReplay[] = [];
  const cancels: ClientCancel[] = [];
  const expiredKeys: string[] = [];
  const exchanges: ClientExchange[] = [];

  /** Null if there was no answer from the API. */
  async function send(path: string, key: string, body: string, by = token): Promise<Answered | null> {
    const [sentAt, began] = [Date.now(), performance.now()];
    const url = `${random.pick(urls())}/api/v1/${path}`;
    const received = await new Promise<PostAnswer | null>((resolve) => {
      connections.post({ url, token: by, key, body }, resolve);
    });
    const answer = received && understand(received);
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
