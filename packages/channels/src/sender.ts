import { isAscii } from 'node:buffer';
import { hash } from 'node:crypto';
import {
  type AccountStateChange,
  type AddressPolicy,
  type AttemptError,
  type AttemptErrorCode,
  type AttemptOutcome,
  type ChannelKind,
  createAddressPolicy,
  type JsonObject,
  type OpenBreaker,
  type RelayToListener,
  type RemoteResponse,
} from '@postrider/domain';
import type { ChannelKindDefinition } from './channel.ts';
import type { ResolveHost } from './host.ts';
import type { GetAwsCredentials } from './http/aws-access.ts';
import type { EgressProxy } from './http/egress-proxy.ts';
import type { ChannelRegistry } from './registry.ts';

/** One attempt: the claimed run with what each stage added. */
export interface Delivery<Content> {
  /** Public ids. That of the run is the one by which receivers recognise a repeated send. */
  readonly ids: { readonly run: string; readonly message: string; readonly environment: string };
  readonly channel: {
    /** UUID. */
    readonly id: string;
    /** Increases with every change of the channel. Connections made for an earlier revision are not reused. */
    readonly revision: number;
    readonly config: JsonObject;
    /** Whether a token configured it: it then only connects to public addresses. */
    readonly publicOnly: boolean;
  };
  readonly message: {
    readonly eventKey: string;
    readonly recipient: JsonObject;
    readonly payload: JsonObject;
    /** What the producer ordered it by, whether or not the channel is ordered; null or left out: nothing. */
    readonly orderingKey?: string | null;
    /** When it was accepted. */
    readonly createdAt: Date;
    /** Whether this is a test send, which must be marked as such. */
    readonly test: boolean;
  };
  /** From 1. */
  readonly attemptNumber: number;
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
  /** The first ones, see {@link keptHeaders}. */
  readonly responseHeaders?: HeaderList;
}

export type ReportExchange = (facts: ExchangeFacts) => void;

/** Sends the deliveries of one channel kind. */
export interface Sender<Content> {
  /** Expected failures are outcomes; a sender throws only for bugs. */
  send(delivery: Delivery<Content>): Promise<AttemptOutcome>;
  /** Closes connections that are kept open. */
  close(): void;
}

/** Dependencies of the senders. */
export interface SenderOptions {
  /** The addresses that may be connected to; for channels that are `publicOnly` only public ones. */
  readonly isAddressAllowed: AddressPolicy;
  /** Replaces the resolver of host names. */
  readonly resolve?: ResolveHost;
  /** Called when the state of a mail account changes. Returns at once and never throws. */
  readonly onAccountState?: (change: AccountStateChange) => void;
  /** Mail accounts that other processes, or this one before it was restarted, found failing; none by default. */
  readonly openBreakers?: readonly OpenBreaker[];
  /** The HTTP client; Node's own by default. */
  readonly httpClient?: 'node' | 'got';
  /** Proxy for outgoing HTTP; none by default. */
  readonly egressProxy?: EgressProxy | undefined;
  /** Hands deliveries to listeners; without it there are none. */
  readonly relayToListener?: RelayToListener;
  /** The installation's own access to AWS, for marked channels; without it their attempts fail and are retried. */
  readonly awsCredentials?: GetAwsCredentials | undefined;
  /** Whether webhooks may only be sent to https. */
  readonly httpsOnly?: boolean;
}

type Failure = Extract<AttemptOutcome, { error: AttemptError }>;

/** Creates the outcome of a failure. By default it is certain, happened while sending, and may be retried. */
export function failure(
  code: AttemptErrorCode,
  message: string,
  {
    status = 'failed',
    response = null,
    bounces,
    skippedCopies,
    ...error
  }: Partial<Omit<AttemptError, 'code' | 'message'> & Omit<Failure, 'error'>> = {},
): Failure {
  const byDefault = { stage: 'send', retryable: true, retryAfterMs: null, endpointGone: false } as const;
  return { status, response, bounces, skippedCopies, error: { ...byDefault, ...error, code, message } };
}

/** Whether a step has ended the attempt, instead of returning what the next step needs. */
export const isOutcome = (step: object): step is AttemptOutcome => 'status' in step;

/** Creates the outcome of a message that the remote end took. */
export function delivered(
  response: RemoteResponse | null,
  more: Pick<AttemptOutcome, 'bounces' | 'skippedCopies' | 'providerMessageId'> = {},
): AttemptOutcome {
  return { status: 'succeeded', error: null, response, ...more };
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

/** Response headers that are stored. */
const MAX_HEADERS = 100;
/** Characters of stored response headers, names and values together. */
const MAX_HEADERS_LENGTH = 4_096;
/** Names of headers with values that grant access. */
const SECRET_NAME = /authorization|cookie|signature|token|secret|password|(?:^|-)key(?:-|$)|api-?key/i;
export const MASKED = '(masked)';

const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

/** Masks the values of headers that grant access. */
export function maskHeaders(headers: Readonly<Record<string, unknown>>): HeaderList {
  const masked: [string, string][] = [];
  for (const name of Object.keys(headers)) {
    const isSecret = SECRET_NAME.test(name);
    for (const text of asTexts(headers[name])) masked.push([name, isSecret ? MASKED : text]);
  }
  return masked;
}

/** The first 100 response headers, at most 4 KiB, with secrets masked and without NUL, which PostgreSQL cannot store. */
export function keptHeaders(headers: Readonly<Record<string, unknown>>): HeaderList {
  const kept: [string, string][] = [];
  let left = MAX_HEADERS_LENGTH;
  for (const [name, value] of maskHeaders(headers).slice(0, MAX_HEADERS)) {
    left -= name.length + value.length;
    if (left < 0) break;
    kept.push([name, value.replaceAll('\0', '')]);
  }
  return kept;
}

const sha256 = (data: string | Buffer): string => hash('sha256', data, 'hex');

/** Replaces bytes by their digest: as JSON they would take ten times their size. */
function digestible(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return sha256(value);
  if (Array.isArray(value)) return value.map(digestible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, digestible(item)]));
}

/**
 * SHA-256 of a content, in hexadecimal: of its JSON, whose field order each kind keeps fixed. Bytes are included by
 * their SHA-256.
 */
export function contentDigest(content: unknown): string {
  return sha256(JSON.stringify(digestible(content)));
}

/**
 * Limits the time of a delivery: at its time limit, or when it is aborted, `signal` is aborted and `ended` resolves. Call `stop`
 * after the delivery, to clear the timer.
 */
export function limitTime({ timeoutMs, signal: given }: Pick<Delivery<unknown>, 'timeoutMs' | 'signal'>): {
  readonly signal: AbortSignal;
  readonly ended: Promise<'ended'>;
  readonly stop: () => void;
} {
  const limit = new AbortController();
  const { signal } = limit;
  const abort = () => limit.abort();
  const timer = setTimeout(abort, timeoutMs);
  const ended = new Promise<'ended'>((resolve) => {
    signal.addEventListener('abort', () => resolve('ended'), { once: true });
  });
  given.addEventListener('abort', abort, { once: true });
  if (given.aborted) abort();
  return {
    signal,
    ended,
    stop() {
      clearTimeout(timer);
      given.removeEventListener('abort', abort);
    },
  };
}

/** A channel kind in a process that delivers. */
export interface SendingKind extends ChannelKindDefinition {
  /** Sends a delivery, see {@link Sender}. */
  send(delivery: Delivery<unknown>): Promise<AttemptOutcome>;
}

export interface Senders {
  /** Throws an Error for an unknown kind. */
  get(kind: ChannelKind): SendingKind;
  close(): void;
}

/** Loads and creates the sender of each kind. */
export async function createSenders(registry: ChannelRegistry, options: SenderOptions): Promise<Senders> {
  const kinds = new Map<ChannelKind, SendingKind>();
  const senders: Sender<unknown>[] = [];
  const isAddressAllowed = createAddressPolicy([]);
  for (const definition of registry.definitions) {
    const { createSender } = await definition.loadSender();
    const unrestricted = createSender(options);
    // Separate senders, so that a public-only channel never uses a connection to a private address.
    const publicOnly = createSender({ ...options, isAddressAllowed });
    senders.push(unrestricted, publicOnly);
    kinds.set(definition.kind, {
      ...definition,
      send: (delivery) => (delivery.channel.publicOnly ? publicOnly : unrestricted).send(delivery),
    });
  }
  return {
    get(kind) {
      const known = kinds.get(kind);
      if (!known) throw new Error(`there is no sender of the channel kind ${kind}`);
      return known;
    },
    close() {
      for (const sender of senders) sender.close();
    },
  };
}
