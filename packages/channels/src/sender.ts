import { isAscii } from 'node:buffer';
import type {
  AddressPolicy,
  AttemptErrorCode,
  JsonObject,
  OpenSender,
  SenderStateChange,
} from '@postrider/domain';
import type { EgressProxy } from './http/proxy.ts';
import type { ResolveHost } from './vetted-address.ts';

/** One attempt to send one run. */
export interface Delivery<Content> {
  /** The run's public id, by which receivers recognise a repeated send. */
  readonly runId: string;
  readonly channel: {
    /** UUID. */
    readonly id: string;
    /** Increases with every change of the channel. Connections made for an earlier revision are not reused. */
    readonly revision: number;
    readonly config: JsonObject;
  };
  readonly recipient: JsonObject;
  /** The message of the run, for routing and tracing. */
  readonly message: {
    /** Public id. */
    readonly id: string;
    readonly eventKey: string;
    readonly payload: JsonObject;
    /** What the producer ordered it by, whether or not the channel is ordered; null or left out: nothing. */
    readonly orderingKey?: string | null;
    /** When it was accepted. */
    readonly createdAt: Date;
  };
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Whether this is a test send, which must be marked as such. */
  readonly test: boolean;
  /** Its sequence number within its ordering key, from 1. Null or left out if the channel is not ordered. */
  readonly sequence?: number | null;
  /** The unsubscribe link of the recipient. Null or left out if the message has no stream. */
  readonly unsubscribeUrl?: string | null;
  /**
   * The token in the return path by which a bounce finds the run, always the same. Rejects while the service's key cannot be
   * decrypted.
   */
  readonly bounceToken?: () => Promise<string>;
  /** The copies of the content that are suppressed: nothing is sent to them, and no header names them. */
  readonly suppressedCopies?: readonly string[];
  /** The complete content; a sender does not change it. */
  readonly content: Content;
  /** Generated secrets, decrypted: the current one first, then the previous one during its overlap. */
  readonly secrets: readonly string[];
  /** The operator's credentials, decrypted, by name. */
  readonly credentials: Readonly<Record<string, string>>;
  /**
   * The database's wall clock, in milliseconds. Receivers refuse a signature whose time is minutes off, and this
   * machine's clock may be wrong.
   */
  readonly nowMs: () => number;
  /** Time limit of the whole attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** The W3C `traceparent` that the receiver may continue; null when the run is not traced. */
  readonly traceparent: string | null;
  /** Aborts the attempt at once, as its time limit does. */
  readonly signal: AbortSignal;
  /** Called with facts about the exchange as they become known. */
  readonly reportExchange?: ReportExchange;
}

/** Headers as names and values, in the order in which they were sent. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Facts about the exchange, besides content and response. */
export interface ExchangeFacts {
  /** Secrets are masked. */
  readonly requestHeaders?: HeaderList;
  /** Remote end as `address:port`. */
  readonly connectedAddress?: string;
  /** The first 4 KiB. */
  readonly responseHeaders?: HeaderList;
}

export type ReportExchange = (facts: ExchangeFacts) => void;

export interface RemoteResponse {
  /** HTTP status code or SMTP reply code. */
  readonly statusCode: number;
  /** The beginning of the response, as text that PostgreSQL can store. */
  readonly bodyExcerpt: string | null;
}

/** A sender of the channel that was tried before the one that decided the attempt. */
export interface TriedSender {
  /** Its name in the channel's config. */
  readonly sender: string;
  /** `unknown`: it may have taken the message, which can then arrive twice. */
  readonly outcome: 'failed' | 'unknown';
  readonly code: AttemptErrorCode;
  /** For the operator. Contains neither secrets nor payload. */
  readonly message: string;
}

/** An address to which the remote end refused the message in the session itself, and to which it is not sent again. */
export interface BouncedAddress {
  readonly email: string;
  /** Whether the address does not exist, so that it must not be used again. */
  readonly permanent: boolean;
  /** What the remote end said: one line, or null. */
  readonly reason: string | null;
}

/** A copy that the remote end refused, for good or for now. */
export interface RefusedCopy {
  readonly email: string;
  /** What the remote end said: one line, or null. */
  readonly reason: string | null;
}

/** The sender that a message went through, for kinds with several senders. */
interface HandedTo {
  /** The sender's name in the channel's config; left out for a kind without senders. */
  readonly sender?: string;
  /** The provider's id of the message: at most 200 characters of text that PostgreSQL can store. */
  readonly providerMessageId?: string;
  /** The senders tried before, in order; left out if there were none. */
  readonly tried?: readonly TriedSender[];
  /** The refused addresses, also copies of a message that was taken; left out if there are none. */
  readonly bounces?: readonly BouncedAddress[];
  /** The refused copies, also of a message that was taken; left out if there are none. */
  readonly refusedCopies?: readonly RefusedCopy[];
}

/** The result of a send. Expected failures are results; a sender throws only for bugs. */
export type SendResult = HandedTo &
  (
    | { readonly outcome: 'delivered'; readonly response: RemoteResponse | null }
    | {
        /** `failed`: the message was certainly not taken. `unknown`: it may have been taken. */
        readonly outcome: 'failed' | 'unknown';
        readonly code: AttemptErrorCode;
        /** For the operator. Contains neither secrets nor payload. */
        readonly message: string;
        readonly retryable: boolean;
        /** The delay that the receiver asked for, in milliseconds. */
        readonly retryAfterMs: number | null;
        /** Whether the endpoint says that it is permanently gone. */
        readonly endpointGone: boolean;
        /**
         * `message`: only this message or its recipient is concerned. Left out: the sender, that is its account, its
         * client or the way to it, so that other messages fail as well.
         */
        readonly about?: 'message';
        readonly response: RemoteResponse | null;
      }
  );

export type SendFailure = Exclude<SendResult, { outcome: 'delivered' }>;

/** Sends the deliveries of one channel kind. */
export interface Sender<Content> {
  send(delivery: Delivery<Content>): Promise<SendResult>;
  /** Closes connections that are kept open. */
  close(): void;
}

/** Dependencies of the senders. */
export interface SenderOptions {
  /** The addresses that may be connected to. */
  readonly isAddressAllowed: AddressPolicy;
  /** Replaces the resolver of host names. */
  readonly resolve?: ResolveHost;
  /** Called when the state of a sender changes. Returns at once and never throws. */
  readonly onSenderState?: (change: SenderStateChange) => void;
  readonly openSenders?: readonly OpenSender[];
  /** The HTTP client; Node's own by default. */
  readonly httpClient?: 'node' | 'got';
  /** Proxy for outgoing HTTP; none by default. */
  readonly egressProxy?: EgressProxy | undefined;
  /** Whether webhooks may only be sent to https. */
  readonly httpsOnly?: boolean;
}

/** Creates a failure. By default it is certain and may be retried. */
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

/** The most of a response that is read and stored (docs/architecture.md, invariant 8). */
export const MAX_RESPONSE_BYTES = 16 * 1_024;

/** The bytes as text that PostgreSQL can store: valid UTF-8 without NUL, cut between characters. */
export function toExcerpt(chunks: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES);
  // Creating a decoder costs more than everything else that a response needs, and few responses need one.
  const text = isAscii(bytes)
    ? bytes.toString('latin1')
    : new TextDecoder('utf-8').decode(bytes, { stream: true });
  return text.replaceAll('\0', '\uFFFD');
}
