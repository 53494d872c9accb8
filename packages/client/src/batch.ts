import { PostriderApiError, PostriderError } from './errors.ts';
import type { components } from './generated.ts';
import { DEFAULT_RETRY, nextDelayMs } from './retry.ts';
import { type CallOptions, type ConnectionOptions, SURROUNDINGS } from './transport.ts';
import type { Accepted, EventInput } from './types.ts';

/** One event of a batch. */
export interface BatchEvent {
  readonly event: EventInput;
  /** As for a single event; made by the client when left out. */
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
   * Sends any number of events, up to 100 in a request, and resolves with a result for each, in their order. An event
   * that may succeed later (429, 5xx, 409 `idempotency_in_progress`) is sent again as often as a single one would be.
   * When the service does not answer, the events that have no result yet get that error, and no more are sent. Rejects
   * only when the caller's signal ends it, and with a TypeError for an event that no request can hold, or an atomic
   * batch that needs several requests.
   */
  sendBatch(events: readonly BatchEvent[], options?: BatchOptions): Promise<EventResult[]>;
}

const CREATED = 201;
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

/** Sends one body to the batch operation, repeating it as every call is repeated. */
export type PostBatch = (
  body: string,
  call: CallOptions,
) => Promise<{ readonly results: readonly WireResult[] }>;

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
  status === 429 ||
  status >= 500 ||
  code === 'idempotency_in_progress' ||
  (atomic && code === 'batch_aborted');

/** Events that may be accepted later, with the errors that say so. */
type Refused = Map<Prepared, PostriderApiError>;

type Outcome =
  | { readonly accepted: Accepted; readonly replayed: boolean }
  | { readonly error: PostriderError };

/** The results of one `sendBatch`, as they come in. */
class Results {
  readonly all: EventResult[] = [];
  settled = 0;

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

  function outcomeOf({ key }: Prepared, result: WireResult | undefined): Outcome {
    if (result?.status !== CREATED) return { error: errorOf(result ?? MISSING, key, now()) };
    return { accepted: result.body as Accepted, replayed: result.idempotent_replayed ?? false };
  }

  /** Sends one request; returns the events that may be accepted later, with the errors that say so. */
  async function sendOnce(
    request: readonly Prepared[],
    { atomic = false, onProgress: _, ...call }: BatchOptions,
    results: Results,
  ): Promise<Refused> {
    const body = `{"events":[${request.map(({ text }) => text).join(',')}],"atomic":${atomic}}`;
    const { results: answers } = await post(body, call);
    const outcomes = request.map((event, place) => outcomeOf(event, answers[place]));
    const mayRetry = (outcome: Outcome) =>
      'error' in outcome && outcome.error instanceof PostriderApiError && mayPass(outcome.error, atomic);
    // An atomic batch is sent again as a whole, or not at all.
    const isOver = atomic && outcomes.some((outcome) => 'error' in outcome && !mayRetry(outcome));
    const refused: Refused = new Map();
    request.forEach((event, place) => {
      const outcome = outcomes[place] as Outcome;
      if (!isOver && mayRetry(outcome) && 'error' in outcome)
        refused.set(event, outcome.error as PostriderApiError);
      else results.settle(event, outcome);
    });
    return refused;
  }

  /** Sends each event that is open once; null when the service did not answer, and everything has its result. */
  async function sendAll(
    open: readonly Prepared[],
    batch: BatchOptions,
    { results, total }: { results: Results; total: number },
  ): Promise<Refused | null> {
    const requests = [...requestsOf(open)];
    if (batch.atomic && requests.length > 1)
      throw new TypeError('An atomic batch must fit into one request.');
    const refused: Refused = new Map();
    for (const [number, request] of requests.entries()) {
      try {
        for (const [event, error] of await sendOnce(request, batch, results)) refused.set(event, error);
      } catch (error) {
        if (!(error instanceof PostriderError)) throw error;
        const unsettled = [...refused.keys(), ...requests.slice(number).flat()];
        for (const event of unsettled) results.settle(event, { error });
        return null;
      }
      batch.onProgress?.(results.settled, total);
    }
    return refused;
  }

  return {
    async sendBatch(events, batch = {}) {
      const results = new Results();
      let open = events.map(prepare);
      for (let attempt = 1; open.length > 0; attempt += 1) {
        const refused = await sendAll(open, batch, { results, total: events.length });
        if (refused === null || refused.size === 0) break;
        const waits = [...refused.values()].map((error) => error.retryAfterMs ?? 0);
        const retryAfterMs = Math.max(...waits) || null;
        const delay = nextDelayMs(policy, { attempt, retryAfterMs, random });
        if (delay === null) for (const [event, error] of refused) results.settle(event, { error });
        if (delay === null) break;
        await wait(delay, batch.signal);
        open = [...refused.keys()];
      }
      batch.onProgress?.(results.settled, events.length);
      return results.all;
    },
  };
}
