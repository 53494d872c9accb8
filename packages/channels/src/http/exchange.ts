import type { RemoteResponse } from '@postrider/domain';
import type { TlsIdentity } from '../certificates.ts';
import type { ReportExchange } from '../sender.ts';

/** One complete request. */
export interface HttpRequest {
  /** POST when left out. A GET has an empty body. */
  readonly method?: 'GET' | undefined;
  /** http or https. */
  readonly url: URL;
  /** Headers by their names in lower case, without those that frame the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tls?: TlsIdentity | undefined;
  /** Time limit of the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the exchange at once. */
  readonly signal: AbortSignal;
  readonly reportExchange?: ReportExchange | undefined;
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

/** Why there is no complete response. */
export interface Broken extends Reached {
  /** Error code of Node or of the HTTP client. */
  readonly code: string;
  /** A sentence that explains the code to people; null if there is none. */
  readonly reason: string | null;
}

/** What the headers of a response ask for. */
export interface ResponseDirectives {
  /** The `Retry-After` header. */
  readonly retryAfter: string | undefined;
  /** Whether the header `webhook-delivery: pause` asks to send no more for now. */
  readonly asksForPause: boolean;
}

/** The result of a request: a response, read to its end or to the excerpt limit, or an error with what was received before. */
export type Exchange = ResponseDirectives &
  (
    | { readonly response: RemoteResponse; readonly broken: null }
    | { readonly response: RemoteResponse; readonly broken: Broken }
    | { readonly response: null; readonly broken: Broken }
  );

/**
 * Interface of the HTTP client. A client follows no redirect, retries nothing, decompresses nothing, ignores proxy
 * environment variables, connects only to addresses from `resolve`, settles within the time limit of the request, and
 * never rejects.
 */
export interface HttpClient {
  readonly send: (request: HttpRequest) => Promise<Exchange>;
  /** Closes idle connections. */
  readonly close: () => void;
}
