/** What the receiver of a listener (`postrider listen`) did: its response, or the code of the error without one. */
export type ListenerAnswer =
  | {
      readonly status: number;
      /** By names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | {
      readonly error: string;
      /** Whether the receiver may have got the request. */
      readonly connected: boolean;
    };

/** What is passed on of a response: characters of the body, headers, and characters of a header's value. */
export const LISTENER_ANSWER_LIMITS = { bodyLength: 16_384, headers: 64, headerLength: 2_048 };

/** A request for the listener of a channel. */
export interface ToRelay {
  /** UUID of the channel. */
  readonly channelId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Hands a request to the listener, and waits for the answer. Never rejects. */
export type RelayToListener = (request: ToRelay) => Promise<ListenerAnswer>;

/** The error of a request that nobody took. */
export const NO_LISTENER = 'POSTRIDER_NO_LISTENER';

/** Channels with a listener in an environment. */
export const MAX_LISTENERS_PER_ENVIRONMENT = 10;
/** Open deliveries of a channel with a listener, over all workers. */
export const MAX_IN_FLIGHT_OF_LISTENER = 4;
/** How long a channel stays after its listener is gone, in seconds. */
export const LISTENER_GONE_SECONDS = 300;
