import {
  PostriderApiError,
  PostriderConnectionError,
  PostriderError,
  PostriderTimeoutError,
} from './errors.ts';
import { DEFAULT_RETRY, nextDelayMs, type RetryOptions } from './retry.ts';

/** Dependencies of the client, which tests replace. */
export interface Surroundings {
  readonly fetch: (request: Request) => Promise<Response>;
  /** In [0, 1). */
  readonly random: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after this many milliseconds; rejects with the signal's reason if it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A new idempotency key: a UUID. */
  readonly newKey: () => string;
}

export interface ConnectionOptions {
  /** The service's address, such as `https://notify.example.com`. */
  readonly baseUrl: string;
  /** Time limit of one try including its body, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  readonly surroundings?: Partial<Surroundings>;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, or the wait before a retry, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time limit of one try; that of the client by default. */
  readonly timeoutMs?: number;
  /** X-Request-ID: your id, 1 to 128 visible ASCII characters, echoed and logged by the service. */
  readonly requestId?: string;
  /** X-Reason: why you are making the change, for the audit log; 1 to 500 printable characters. */
  readonly reason?: string;
}

/**
 * When a call may be repeated. `always`: it is idempotent. `refused`: only after a response that says that nothing
 * was done (429). `never`: the caller decides.
 */
type Repetition = 'always' | 'refused' | 'never';

type Answer<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response };

/** The signal and headers of one try. */
export type TryInit = { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> };

/** Makes one try of a call. */
export type Try<Data> = (init: TryInit) => Promise<Answer<Data>>;

/** Makes a call, with retries if necessary, and returns the data of its success. */
export type Perform = <Data>(
  attempt: Try<Data>,
  options?: CallOptions & { repetition?: Repetition; idempotencyKey?: string },
) => Promise<Data>;

/**
 * For calls that would take effect again if repeated. They are only repeated if nothing was done, because the
 * management API has no idempotency keys.
 */
export function once(options: CallOptions | undefined) {
  return { ...options, repetition: 'refused' as const };
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** The longest timer of JavaScript. A longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

const wait: Surroundings['wait'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(finish, Math.min(ms, MAX_TIMER_MS));
    signal?.addEventListener('abort', abort, { once: true });
    function finish(): void {
      signal?.removeEventListener('abort', abort);
      resolve();
    }
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });

export const SURROUNDINGS: Surroundings = {
  fetch: (request) => globalThis.fetch(request),
  random: Math.random,
  now: Date.now,
  wait,
  newKey: () => crypto.randomUUID(),
};

/** More than any response has: a page of 100 messages with the largest payloads is about half of it. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Statuses of responses without a body (https://fetch.spec.whatwg.org/#null-body-status). Browsers may give them an empty stream. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Limits what is read of a response, so that a wrong server cannot fill the memory: a longer body fails with a
 * PostriderConnectionError.
 */
export function limitBody(response: Response): Response {
  if (!response.body || WITHOUT_BODY.has(response.status)) return response;
  let left = MAX_RESPONSE_BYTES;
  const limited = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      left -= piece.byteLength;
      if (left >= 0) controller.enqueue(piece);
      else controller.error(new PostriderConnectionError('The response is larger than 64 MiB.'));
    },
  });
  return new Response(response.body.pipeThrough(limited), response);
}

/** A header's value that is sent as UTF-8: `fetch` sends each character as one byte. */
const utf8Header = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

/** Makes one try within its time limit. The caller's signal aborts it too. */
async function withinTime<Data>(
  attempt: Try<Data>,
  headers: TryInit['headers'],
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Answer<Data>> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await attempt({ signal: controller.signal, headers });
  } catch (cause) {
    signal?.throwIfAborted();
    if (timedOut) throw new PostriderTimeoutError(`No response within ${timeoutMs} ms.`, { cause });
    if (cause instanceof PostriderError) throw cause;
    throw new PostriderConnectionError('No response: the connection failed.', { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Whether a call that failed with this error may be repeated. */
export function mayRepeat(error: unknown, repetition: Repetition): boolean {
  if (repetition === 'never') return false;
  if (!(error instanceof PostriderApiError))
    return error instanceof PostriderError && repetition === 'always';
  if (error.status === 429) return true;
  return repetition === 'always' && (error.status >= 500 || error.code === 'idempotency_in_progress');
}

/**
 * Makes calls with the retries that the service documents (docs/specification.md, "Idempotency"): after a lost
 * connection, 5xx, 429 and 409 `idempotency_in_progress`, with exponential delays and not before `Retry-After`. Other
 * refusals fail at once.
 */
export function createPerform(options: ConnectionOptions): Perform {
  const { random, now, wait: pause } = { ...SURROUNDINGS, ...options.surroundings };
  const policy = { ...DEFAULT_RETRY, ...options.retry };

  async function tryOnce<Data>(attempt: Try<Data>, call: CallOptions): Promise<Data> {
    const headers: Record<string, string> = {
      ...(call.requestId && { 'X-Request-ID': call.requestId }),
      ...(call.reason && { 'X-Reason': utf8Header(call.reason) }),
    };
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const { data, error, response } = await withinTime(attempt, headers, { timeoutMs, signal: call.signal });
    if (!response.ok) throw new PostriderApiError(response, error, now());
    // As a proxy answers that does not reach the service: nothing may have been stored.
    if (data === undefined && response.status !== 204)
      throw new PostriderConnectionError('The response has no content.');
    return data as Data;
  }

  return async (attempt, { repetition = 'always', idempotencyKey, ...call } = {}) => {
    for (let number = 1; ; number += 1) {
      try {
        return await tryOnce(attempt, call);
      } catch (error) {
        if (error instanceof PostriderError) error.idempotencyKey = idempotencyKey ?? null;
        const retryAfterMs = error instanceof PostriderApiError ? error.retryAfterMs : null;
        const delay = mayRepeat(error, repetition)
          ? nextDelayMs(policy, { attempt: number, retryAfterMs, random })
          : null;
        if (delay === null) throw error;
        await pause(delay, call.signal);
      }
    }
  };
}
