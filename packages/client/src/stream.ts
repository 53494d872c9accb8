import { PostriderApiError } from './errors.ts';
import type { components } from './generated.ts';
import { DEFAULT_RETRY, nextDelayMs } from './retry.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  mayRepeat,
  type Perform,
  SURROUNDINGS,
  type Try,
  type TryInit,
} from './transport.ts';

export interface StreamOptions extends CallOptions {
  /** The id of the last received event. The stream starts with what happened since. */
  readonly lastEventId?: string | undefined;
  /**
   * Called with true whenever something arrives, also while nothing changes: then the service sends something every 15 s. The
   * first call comes once the stream has a position, up to about a second after it was opened: changes before that are not
   * reported, so read the lists then. Called with false when a connection could not be opened.
   */
  readonly onConnection?: ((isAlive: boolean) => void) | undefined;
}

/**
 * A change, described by ids and statuses. After `reset` some changes were not reported: read the lists again.
 * `reset` also comes each time the service has no room for the stream, so a caller that then reads the lists stays up
 * to date.
 */
export interface StreamEvent {
  readonly event:
    | 'message.accepted'
    | 'delivery_run.updated'
    | 'attempt.finished'
    | 'delivery_run.feedback'
    | 'reset';
  /** Empty for `reset`. */
  readonly data: Partial<components['schemas']['StreamEvent']>;
  /** The position to continue from, as `lastEventId` of the next call; null if none was received. */
  readonly lastEventId: string | null;
}

type Body = ReadableStream<Uint8Array> | null | undefined;
type StreamHeader = { readonly 'Last-Event-ID'?: string };

/**
 * Follows a stream through its ends, lost connections, 5xx and 429, until the signal aborts or the loop is left,
 * which closes the connection. Resolves once the stream is open or being retried. Rejects, like the loop later, if
 * the service refuses it.
 */
export type Follow = (
  connect: (init: TryInit, header: StreamHeader) => ReturnType<Try<Body>>,
  options: StreamOptions,
) => Promise<AsyncGenerator<StreamEvent, void, undefined>>;

/** The longest incomplete event that is buffered, in characters. */
const MAX_EVENT_CHARACTERS = 64 * 1024;
/** The service sends something every 15 s. A connection that is silent for this long is lost. */
const SILENCE_MS = 45_000;

const fieldOf = (line: string) => line.split(':', 1)[0] ?? '';
const textOf = (line: string) => line.slice(fieldOf(line).length + 1).replace(/^ /, '');

/** The fields of each block of a `text/event-stream` (HTML Living Standard, section 9.2), until it ends or breaks. */
async function* readBlocks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReadonlyMap<string, string>, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // Cancelling fails if the stream is already broken, which does not matter here.
  const cancel = () => void reader.cancel().catch(() => undefined);
  const read = async () => {
    const timer = setTimeout(cancel, SILENCE_MS);
    try {
      return await reader.read();
    } catch {
      return { done: true, value: undefined } as const;
    } finally {
      clearTimeout(timer);
    }
  };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    let text = '';
    for (let piece = await read(); !piece.done && !signal?.aborted; piece = await read()) {
      const blocks = (text + decoder.decode(piece.value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > MAX_EVENT_CHARACTERS) throw new TypeError('An event of the stream is too long.');
      for (const block of blocks)
        yield new Map(block.split('\n').map((line) => [fieldOf(line), textOf(line)]));
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

/**
 * Creates the function that follows streams. Between two streams it waits as long as the service asks, and longer
 * after each failure.
 */
export function createFollow(options: ConnectionOptions, perform: Perform): Follow {
  const { random, wait } = { ...SURROUNDINGS, ...options.surroundings };
  const policy = { ...DEFAULT_RETRY, ...options.retry, maxAttempts: Number.POSITIVE_INFINITY };

  return async (connect, { lastEventId, onConnection, ...call }) => {
    let position = lastEventId ?? null;
    let retryMs = policy.baseDelayMs;
    let failures = 0;
    /** Whether changes may have been missed that no position covers. */
    let isBehind = false;

    /** Opens a connection. Returns an error after which it should be retried. */
    async function open(): Promise<{ readonly body: Body } | { readonly error: unknown }> {
      const header: StreamHeader = position === null ? {} : { 'Last-Event-ID': position };
      try {
        return { body: await perform((init) => connect(init, header), { ...call, repetition: 'never' }) };
      } catch (error) {
        if (call.signal?.aborted || !mayRepeat(error, 'always')) throw error;
        return { error };
      }
    }

    async function* events(
      first: Awaited<ReturnType<typeof open>>,
    ): AsyncGenerator<StreamEvent, void, undefined> {
      for (let opened = first; ; opened = await open()) {
        let retryAfterMs: number | null;
        if ('error' in opened) {
          failures += 1;
          onConnection?.(false);
          isBehind = position === null;
          retryAfterMs = opened.error instanceof PostriderApiError ? opened.error.retryAfterMs : null;
          if (opened.error instanceof PostriderApiError)
            yield { event: 'reset', data: {}, lastEventId: position };
        } else {
          for await (const fields of opened.body ? readBlocks(opened.body, call.signal) : []) {
            failures = 0;
            position = fields.get('id') ?? position;
            if (position !== null) onConnection?.(true);
            if (/^\d+$/.test(fields.get('retry') ?? '')) retryMs = Number(fields.get('retry'));
            const data = fields.get('data');
            if (isBehind && position !== null) {
              isBehind = false;
              yield { event: 'reset', data: {}, lastEventId: position };
            }
            const event = fields.get('event') as StreamEvent['event'] | 'heartbeat' | undefined;
            if (data === undefined || event === undefined || event === 'heartbeat') continue;
            yield { event, data: JSON.parse(data), lastEventId: position };
          }
          retryAfterMs = retryMs;
        }
        call.signal?.throwIfAborted();
        const delay = nextDelayMs(policy, { attempt: Math.max(1, failures), retryAfterMs, random });
        if (delay === null && 'error' in opened) throw opened.error;
        await wait(delay ?? policy.maxDelayMs, call.signal);
      }
    }
    return events(await open());
  };
}
