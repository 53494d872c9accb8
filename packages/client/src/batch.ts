import { PostriderApiError, PostriderError } from './errors.ts';
import type { components } from './generated.ts';
import { DEFAULT_RETRY, nextDelayMs } from './retry.ts';
import { type CallOptions, type ConnectionOptions, SURROUNDINGS } from './transport.ts';
import type { Accepted, EventInput } from './types.ts';

/** One event of a batch. */
export interface BatchEvent {
  readonly event: EventInput;
  /** As for a single event; made by the client when left out, and then known only from the result. */
  readonly idempotencyKey?: string;
}

/** What became of one event of a batch: `accepted`, or the `error` that ended it. */
export type EventResult = {
  readonly idempotencyKey: string;
  /** Whether it had been accepted by an earlier call. */
  readonly replayed: boolean;
} & (
  | { readonly accepted: Accepted; readonly error?: never }
  | { readonly accepted?: never; readonly error: PostriderError }
);

export interface BatchOptions extends CallOptions {
  /** Store all of the events or none. They must fit into one request: 100 events, 1 MiB. */
  readonly atomic?: boolean;
  /** Called after each request with the number of events that have a result. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface BatchSending {
  /**
   * Sends any number of events, up to 100 in a request, and resolves with a result for each, in their order. Events
   * that may succeed later (429, 5xx, 409 `idempotency_in_progress`) are sent again. The tries are counted as for a
   * single event, and the count starts again whenever an event gets its result: a rate-limited plan only makes it take longer. When the
   * service does not answer, the events that have no result yet get that error, and no more are sent.
   *
   * Rejects with the reason of the caller's signal when that ends it, and with a TypeError for an event that no request
   * can hold, or an atomic batch that needs several requests. A rejection has no results and no keys: give keys of
   * your own where a signal may end it. Sent again with them, each event that was accepted gets its first result.
   */
  sendBatch(events: readonly BatchEvent[], options?: BatchOptions): Promise<EventResult[]>;
}

const CREATED = 201;
const TOO_MANY_REQUESTS = 429;
const MAX_EVENTS = 100;
const MAX_BYTES = 1024 * 1024;
/** Of `{"events":[],"atomic":false}`, and of a comma. */
const ENVELOPE_BYTES = 32;

/** An event with the text that all its tries send: the service compares its bytes. */
interface Prepared {
  readonly index: number;
  readonly key: string;
  readonly text: string;
  readonly bytes: number;
}

type WireResult = components['schemas']['EventResults']['results'][number];

/**
 * Sends one body to the batch operation, repeating it as every call is repeated. What it resolves with is not checked:
 * what answers with 200 may be a proxy, and have no JSON at all.
 */
type PostBatch = (body: string, call: CallOptions) => Promise<unknown>;

function* requestsOf(events: readonly Prepared[]): Generator<Prepared[]> {
  let request: Prepared[] = [];
  let bytes = ENVELOPE_BYTES;
  for (const event of events) {
    if (request.length === MAX_EVENTS || (request.length > 0 && bytes + event.bytes > MAX_BYTES)) {
      yield request;
      request = [];
      bytes = ENVELOPE_BYTES;
    }
    request.push(event);
    bytes += event.bytes;
  }
  if (request.length > 0) yield request;
}

/** Of an event that the service's response leaves out. */
const MISSING: WireResult = { status: 502, body: {} };

function isResult(value: unknown): value is WireResult {
  const status = typeof value === 'object' && value !== null && 'status' in value ? value.status : null;
  // The statuses that a Response can have.
  return Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
}

/** The results of `count` events in what was answered, which may be anything. */
function resultsIn(answer: unknown, count: number): WireResult[] {
  const results = typeof answer === 'object' && answer !== null && 'results' in answer ? answer.results : [];
  const list: readonly unknown[] = Array.isArray(results) ? results : [];
  return Array.from({ length: count }, (_, place) => {
    const result = list[place];
    return isResult(result) ? result : MISSING;
  });
}

function errorOf(
  { status, body, retry_after: retryAfter }: WireResult,
  key: string,
  nowMs: number,
): PostriderApiError {
  const headers = new Headers(retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)]]);
  const error = new PostriderApiError(new Response(null, { status, headers }), body, nowMs);
  error.idempotencyKey = key;
  return error;
}

/** Whether the same event may be accepted later. */
const mayPass = ({ status, code }: PostriderApiError, atomic: boolean) =>
  status === TOO_MANY_REQUESTS ||
  status >= 500 ||
  code === 'idempotency_in_progress' ||
  (atomic && code === 'batch_aborted');

/** What became of one request. */
interface Answered {
  /** The events that may be accepted later, with the errors that say so. */
  readonly refused: ReadonlyMap<Prepared, PostriderApiError>;
  /** The result of the first event that the rate limit refused. */
  readonly limited: WireResult | undefined;
}

/** What one round leaves open. */
interface Round {
  /** The errors of the events that were sent. */
  readonly refused: ReadonlyMap<Prepared, PostriderApiError>;
  /** Those that were not sent, because of `limited`. */
  readonly unsent: readonly Prepared[];
  readonly limited: WireResult | undefined;
}

type Outcome =
  | { readonly accepted: Accepted; readonly replayed: boolean }
  | { readonly error: PostriderError };

/** The results of one `sendBatch`, as they come in. */
class Results {
  readonly all: EventResult[] = [];
  readonly total: number;
  settled = 0;

  constructor(total: number) {
    this.total = total;
  }

  settle({ index, key: idempotencyKey }: Prepared, outcome: Outcome): void {
    this.all[index] = { idempotencyKey, replayed: false, ...outcome };
    this.settled += 1;
  }
}

/** Creates the sending of batches over `post`. */
export function createBatchSending(options: ConnectionOptions, post: PostBatch): BatchSending {
  const { newKey, now, random, wait } = { ...SURROUNDINGS, ...options.surroundings };
  const policy = { ...DEFAULT_RETRY, ...options.retry };

  function prepare({ event, idempotencyKey }: BatchEvent, index: number): Prepared {
    const key = idempotencyKey ?? newKey();
    const text = `{"idempotency_key":${JSON.stringify(key)},"event":${JSON.stringify(event)}}`;
    const bytes = new TextEncoder().encode(text).byteLength + 1;
    if (bytes + ENVELOPE_BYTES > MAX_BYTES) {
      throw new TypeError(`Event ${index} is larger than a request can be.`);
    }
    return { index, key, text, bytes };
  }

  function outcomeOf({ key }: Prepared, result: WireResult): Outcome {
    if (result.status !== CREATED) return { error: errorOf(result, key, now()) };
    return { accepted: result.body as Accepted, replayed: result.idempotent_replayed ?? false };
  }

  /** Sends one request, and settles what it ends. */
  async function sendOnce(
    request: readonly Prepared[],
    { atomic = false, onProgress: _, ...call }: BatchOptions,
    results: Results,
  ): Promise<Answered> {
    const body = `{"events":[${request.map(({ text }) => text).join(',')}],"atomic":${atomic}}`;
    const answers = resultsIn(await post(body, call), request.length);
    const outcomes = request.map((event, place) => outcomeOf(event, answers[place] as WireResult));
    const mayRetry = (outcome: Outcome) =>
      'error' in outcome && outcome.error instanceof PostriderApiError && mayPass(outcome.error, atomic);
    // An atomic batch is sent again as a whole, or not at all.
    const isOver = atomic && outcomes.some((outcome) => 'error' in outcome && !mayRetry(outcome));
    const refused = new Map<Prepared, PostriderApiError>();
    request.forEach((event, place) => {
      const outcome = outcomes[place] as Outcome;
      if (!isOver && mayRetry(outcome) && 'error' in outcome)
        refused.set(event, outcome.error as PostriderApiError);
      else results.settle(event, outcome);
    });
    return { refused, limited: answers.find(({ status }) => status === TOO_MANY_REQUESTS) };
  }

  /**
   * Sends each open event once, up to the request that the rate limit refuses. When the service does not answer, all of
   * them get that as their result.
   */
  async function sendRound(open: readonly Prepared[], batch: BatchOptions, results: Results): Promise<Round> {
    const requests = [...requestsOf(open)];
    if (batch.atomic && requests.length > 1)
      throw new TypeError('An atomic batch must fit into one request.');
    const refused = new Map<Prepared, PostriderApiError>();
    for (const [number, request] of requests.entries()) {
      let limited: WireResult | undefined;
      try {
        const answered = await sendOnce(request, batch, results);
        for (const [event, error] of answered.refused) refused.set(event, error);
        limited = answered.limited;
      } catch (error) {
        if (!(error instanceof PostriderError)) throw error;
        const unsettled = [...refused.keys(), ...requests.slice(number).flat()];
        for (const event of unsettled) results.settle(event, { error });
        return { refused: new Map(), unsent: [], limited: undefined };
      }
      batch.onProgress?.(results.settled, results.total);
      // The next request would be refused for the same reason.
      if (limited) return { refused, unsent: requests.slice(number + 1).flat(), limited };
    }
    return { refused, unsent: [], limited: undefined };
  }

  /** The wait before the next round in milliseconds; null when there is to be none. */
  function delayAfter({ refused }: Round, attempt: number): number | null {
    let retryAfterMs = 0;
    for (const error of refused.values()) retryAfterMs = Math.max(retryAfterMs, error.retryAfterMs ?? 0);
    return nextDelayMs(policy, { attempt, retryAfterMs: retryAfterMs || null, random });
  }

  /** Settles what a round leaves open; what was not sent, with what was said of the last that was. */
  function giveUp({ refused, unsent, limited = MISSING }: Round, results: Results): void {
    for (const [event, error] of refused) results.settle(event, { error });
    for (const event of unsent) results.settle(event, outcomeOf(event, limited));
  }

  return {
    async sendBatch(events, batch = {}) {
      const results = new Results(events.length);
      let open = events.map(prepare);
      for (let attempt = 1; open.length > 0; attempt += 1) {
        const settledBefore = results.settled;
        const round = await sendRound(open, batch, results);
        open = [...round.refused.keys(), ...round.unsent];
        if (open.length === 0) break;
        // Retry-After is that of one event: a plan with a rate needs as many rounds as the events take.
        if (results.settled > settledBefore) attempt = 1;
        const delay = delayAfter(round, attempt);
        if (delay === null) {
          giveUp(round, results);
          break;
        }
        await wait(delay, batch.signal);
      }
      batch.onProgress?.(results.settled, events.length);
      return results.all;
    },
  };
}
