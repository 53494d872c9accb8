import type { AddressPolicy, AttemptErrorCode, JsonObject } from '@postrider/domain';
import type { EgressProxy } from './http/proxy.ts';
import type { ResolveHost } from './vetted-address.ts';

/** One attempt to send one run. */
export interface Delivery<Content> {
  /** The run's public id: what receivers recognise a repeated send by. */
  readonly runId: string;
  readonly channel: {
    /** UUID. */
    readonly id: string;
    /** Rises with every change of the channel: connections made for an earlier one are not used again. */
    readonly revision: number;
    readonly config: JsonObject;
  };
  readonly recipient: JsonObject;
  /** What the run sends, for those who route or recognise messages by it. */
  readonly message: {
    /** Public. */
    readonly id: string;
    readonly eventKey: string;
    readonly payload: JsonObject;
    /** When it was accepted. */
    readonly createdAt: Date;
  };
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Whether an operator tries the channel: what is sent then says so. */
  readonly test: boolean;
  /** Its place among the runs of its ordering key, from 1; null or left out: it is not ordered. */
  readonly sequence?: number | null;
  /** Where the recipient leaves the stream of the message; null or left out: there is none. */
  readonly unsubscribeUrl?: string | null;
  /** What is sent, complete: a sender decides nothing of it. */
  readonly content: Content;
  /** Of a kind whose secret is generated: opened, the current one first, then the one before while it is still valid. */
  readonly secrets: readonly string[];
  /** Those that the operator gave, opened, by their names. */
  readonly credentials: Readonly<Record<string, string>>;
  /**
   * Wall clock in milliseconds, by the database: receivers refuse a signature whose time is minutes off, and
   * this machine's clock may be.
   */
  readonly nowMs: () => number;
  /** Time limit of the whole attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** The W3C `traceparent` that the receiver may continue; null when the run is not traced. */
  readonly traceparent: string | null;
  /** Ends the attempt at once, as when its time is up. */
  readonly signal: AbortSignal;
  /** Called with what becomes known of the exchange, part by part. */
  readonly note?: NoteExchange;
}

/** Headers as names and values, in the order in which they were sent. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What was exchanged besides the content and the answer. */
export interface ExchangeFacts {
  /** Secrets are masked. */
  readonly requestHeaders?: HeaderList;
  /** `address:port`. */
  readonly connectedAddress?: string;
  /** The first 4 KiB. */
  readonly responseHeaders?: HeaderList;
}

export type NoteExchange = (facts: ExchangeFacts) => void;

export interface RemoteResponse {
  /** Status code of HTTP or reply code of SMTP. */
  readonly statusCode: number;
  /** The beginning of what was answered: text that Postgres can hold. */
  readonly bodyExcerpt: string | null;
}

/** A sender of the channel that was tried before the one that decided the attempt. */
export interface TriedSender {
  /** Its name in the channel's config. */
  readonly sender: string;
  /** `unknown`: it may have taken the message, which may then arrive twice. */
  readonly outcome: 'failed' | 'unknown';
  readonly code: AttemptErrorCode;
  /** Names neither secrets nor payload. */
  readonly message: string;
}

/** Who a message was handed to, where a kind has several ways. */
interface HandedTo {
  /** The name of the sender in the channel's config; left out where a kind has none. */
  readonly sender?: string;
  /** What the provider calls the message, at most 200 characters of text that Postgres can hold. */
  readonly providerMessageId?: string;
  /** The senders before that one, in their order; left out where there was none. */
  readonly tried?: readonly TriedSender[];
}

/** The outcome of a send. Expected failures are results; a sender throws only for bugs. */
export type SendResult = HandedTo &
  (
    | { readonly outcome: 'delivered'; readonly response: RemoteResponse | null }
    | {
        /** `failed`: the message was certainly not taken. `unknown`: it may have been, only the answer did not come. */
        readonly outcome: 'failed' | 'unknown';
        readonly code: AttemptErrorCode;
        /** For the operator; names neither secrets nor payload. */
        readonly message: string;
        readonly retryable: boolean;
        /** What the receiver asked for, in milliseconds. */
        readonly retryAfterMs: number | null;
        /** Whether the endpoint asked never to be called again. */
        readonly endpointGone: boolean;
        readonly response: RemoteResponse | null;
      }
  );

export type SendFailure = Exclude<SendResult, { outcome: 'delivered' }>;

/** Sends the deliveries of one channel kind. */
export interface Sender<Content> {
  send(delivery: Delivery<Content>): Promise<SendResult>;
  /** Closes the connections that are kept open. */
  close(): void;
}

/** A sender of a channel that is taken out of its turn for a while, or comes back. */
export type SenderStateChange = { readonly channelId: string; readonly sender: string } & (
  | { readonly state: 'open'; readonly pauseMs: number; readonly reason: string }
  | { readonly state: 'closed' }
);

/** A sender that was out of its turn when the process began. */
export interface OpenSender {
  readonly channelId: string;
  readonly sender: string;
  /** Wall clock in milliseconds. */
  readonly untilMs: number;
}

/** What senders work with. */
export interface SenderOptions {
  /** The addresses that may be connected to. */
  readonly isAddressAllowed: AddressPolicy;
  /** Replaces the resolver of host names. */
  readonly resolve?: ResolveHost;
  /** Called when the state of a sender changes. Returns at once and never throws. */
  readonly onSenderState?: (change: SenderStateChange) => void;
  readonly openSenders?: readonly OpenSender[];
  /** The HTTP client; Node's own when left out. */
  readonly httpClient?: 'node' | 'got' | 'undici';
  /** Through which HTTP goes out; directly when left out. */
  readonly egressProxy?: EgressProxy | undefined;
  /** Whether webhooks go to https alone. */
  readonly httpsOnly?: boolean;
}

/** A failure with the common case filled in: it failed for certain and may be tried again. */
export function failure(
  code: AttemptErrorCode,
  message: string,
  details: Partial<Omit<SendFailure, 'code' | 'message'>> = {},
): SendFailure {
  return {
    outcome: 'failed',
    retryable: true,
    retryAfterMs: null,
    endpointGone: false,
    response: null,
    ...details,
    code,
    message,
  };
}
