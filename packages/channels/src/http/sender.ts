import type { NoteExchange, RemoteResponse } from '../sender.ts';
import type { ResolveHost } from '../vetted-address.ts';
import type { EgressProxy } from './proxy.ts';

/** The TLS identity of a channel, in PEM. */
export interface ClientTls {
  /** The authorities that the endpoint's certificate must come from, in place of the public ones. */
  readonly ca?: string | undefined;
  /** What the endpoint is shown, with its private key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** One request, complete. */
export interface WebhookPost {
  /** POST when left out. A GET has an empty body. */
  readonly method?: 'GET' | undefined;
  /** http or https, its literal address already vetted. */
  readonly url: URL;
  /** Names in lower case, without those that frame the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tls?: ClientTls | undefined;
  /** Time limit of the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the exchange at once. */
  readonly signal: AbortSignal;
  readonly note?: NoteExchange | undefined;
}

export interface Answer extends RemoteResponse {
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined;
}

/** How far the connection of an exchange has come. */
export interface Reached {
  /**
   * Whether the connection (with TLS where the URL says so) stood, so that the request may have been
   * received.
   */
  readonly connected: boolean;
  /** Whether a TCP connection stood but the TLS handshake did not come to its end. */
  readonly inTlsHandshake: boolean;
}

/** What is known of an exchange that did not come to a full response. */
export interface BrokenExchange extends Reached {
  /** Node's or the HTTP client's error code. */
  readonly code: string;
  /** What had been received until then. */
  readonly answer: Answer | null;
}

/** The result of a POST: a response, read to its end or to the excerpt limit, or an error. */
export type Exchange =
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'broken'; readonly broken: BrokenExchange };

/**
 * Interface of the HTTP client. A sender follows no redirect, retries nothing, decompresses nothing, ignores proxy
 * environment variables, connects only to addresses from `resolve`, settles within the time limit of the post, and
 * never rejects.
 */
export interface HttpSender {
  readonly post: (post: WebhookPost) => Promise<Exchange>;
  /** Closes what connections are kept open. */
  readonly close: () => void;
}

export type CreateHttpSender = (resolve: ResolveHost, proxy?: EgressProxy) => HttpSender;

/**
 * How long an idle connection is kept. Below the 5 s after which Node's own server closes one: a request that
 * meets that closing would be lost, and its outcome unknown.
 */
export const IDLE_CONNECTION_MS = 4_000;

/** Interim answers (1xx) that are listened to before the endpoint is taken to be hostile. */
export const MAX_INTERIM_ANSWERS = 32;
