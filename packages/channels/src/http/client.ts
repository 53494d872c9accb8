import type { RemoteResponse } from '@postrider/domain';
import type { ReportExchange } from '../sender.ts';

/** The TLS settings of a channel, in PEM. */
export interface ClientTls {
  /** Certificate authorities for the endpoint's certificate; they replace the public ones. */
  readonly ca?: string | undefined;
  /** The client certificate with its private key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** One complete request. */
export interface WebhookPost {
  /** POST when left out. A GET has an empty body. */
  readonly method?: 'GET' | undefined;
  /** http or https; a literal address is already checked. */
  readonly url: URL;
  /** Headers by their names in lower case, without those that frame the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tls?: ClientTls | undefined;
  /** Time limit of the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the exchange at once. */
  readonly signal: AbortSignal;
  readonly reportExchange?: ReportExchange | undefined;
}

export interface Answer extends RemoteResponse {
  /** The `Retry-After` header. */
  readonly retryAfter: string | undefined;
  /** Whether the header `webhook-delivery: pause` asks to send no more for now. */
  readonly asksForPause: boolean;
}

/** How far the connection of an exchange has come. */
export interface Reached {
  /**
   * Whether the connection (with TLS for https) was established, so that the endpoint may have received the request.
   */
  readonly connected: boolean;
  /** Whether the TCP connection was established but the TLS handshake failed. */
  readonly inTlsHandshake: boolean;
}

/** An exchange without a complete response. */
export interface BrokenExchange extends Reached {
  /** Error code of Node or of the HTTP client. */
  readonly code: string;
  /** A sentence that explains the code to people; null if there is none. */
  readonly reason: string | null;
  /** The response as far as it was received. */
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
export interface HttpClient {
  readonly post: (post: WebhookPost) => Promise<Exchange>;
  /** Closes idle connections. */
  readonly close: () => void;
}

/**
 * How long an idle connection is kept. It must be below the 5 s after which Node's server closes one: a request that
 * crosses that closing would be lost with an unknown outcome.
 */
export const IDLE_CONNECTION_MS = 4_000;

/** The most interim responses (1xx) before the endpoint is treated as hostile. */
export const MAX_INTERIM_ANSWERS = 32;
