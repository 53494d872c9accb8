import type { RemoteResponse } from '@postrider/domain';
import { explainConnection } from '../connection-errors.ts';
import { hideCredentials } from '../hide-credentials.ts';
import {
  type ExchangeFacts,
  type HeaderList,
  MAX_RESPONSE_BYTES,
  type ReportExchange,
  toExcerpt,
} from '../sender.ts';

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

/** Callbacks for the progress of an exchange. They do nothing after its end. */
export interface ExchangeRecord {
  readonly head: (statusCode: number, headers: Readonly<Record<string, unknown>>) => void;
  readonly chunk: (bytes: Uint8Array) => void;
  /** The response ended. */
  readonly end: () => void;
  /** The exchange failed. A response that had begun is kept. */
  readonly fail: (error: unknown) => void;
  readonly isOver: () => boolean;
  readonly result: Promise<Exchange>;
}

interface ExchangeDeps {
  /** How far the connection has come. */
  readonly reached: () => Reached;
  /** Ends the client's work, if it is not over. */
  readonly release: () => void;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown error';
}

/**
 * Records one exchange of any HTTP client: reads the response to its end or to the limit, aborts it at the time limit
 * or when told to, and settles once. If it was aborted before, it ends at once.
 */
export function recordExchange(post: WebhookPost, { reached, release }: ExchangeDeps): ExchangeRecord {
  const chunks: Uint8Array[] = [];
  let received = 0;
  let head: Omit<Answer, 'bodyExcerpt'> | null = null;
  let encoded = false;
  let over = false;
  let settle: (exchange: Exchange) => void = () => undefined;
  const result = new Promise<Exchange>((resolve) => {
    settle = resolve;
  });

  const soFar = (): Answer | null => head && { ...head, bodyExcerpt: encoded ? null : toExcerpt(chunks) };
  const finish = (exchange: Exchange) => {
    if (over) return;
    over = true;
    clearTimeout(deadline);
    post.signal.removeEventListener('abort', onAbort);
    settle(exchange);
    release();
  };
  const broke = (code: string, reason: string | null = null) =>
    finish({ outcome: 'broken', broken: { code, reason, ...reached(), answer: soFar() } });
  const end = () => {
    const answer = soFar();
    if (answer) finish({ outcome: 'answered', answer });
  };
  const onAbort = () => broke('ABORT_ERR');
  const deadline = setTimeout(() => broke('ETIMEDOUT'), post.timeoutMs);
  post.signal.addEventListener('abort', onAbort, { once: true });
  if (post.signal.aborted) onAbort();

  return {
    head(statusCode, headers) {
      post.reportExchange?.({ responseHeaders: keptHeaders(headers) });
      head = {
        statusCode,
        retryAfter: headers['retry-after'] as string | undefined,
        asksForPause: String(headers['webhook-delivery']).trim().toLowerCase() === 'pause',
      };
      encoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
    },
    chunk(bytes) {
      chunks.push(bytes);
      received += bytes.length;
      if (received >= MAX_RESPONSE_BYTES) end();
    },
    end,
    fail: (error) => broke(codeOf(error), explainConnection(error)),
    isOver: () => over,
    result,
  };
}

/** Characters of response headers that are stored, names and values together. */
const MAX_LENGTH = 4_096;
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

/** The first 4 KiB of response headers, with secrets masked and without NUL, which PostgreSQL cannot store. */
export function keptHeaders(headers: Readonly<Record<string, unknown>>): HeaderList {
  const kept: [string, string][] = [];
  let left = MAX_LENGTH;
  for (const [name, value] of maskHeaders(headers)) {
    left -= name.length + value.length;
    if (left < 0) break;
    kept.push([name, value.replaceAll('\0', '')]);
  }
  return kept;
}

/** Removes credentials from the headers and bodies of responses, whatever their status. */
interface HiddenAnswers {
  exchange(exchange: Exchange): Exchange;
  facts(facts: ExchangeFacts): ExchangeFacts;
}

/**
 * Hides these credentials in exchanges, because responses are stored with the attempt, which tenants can read.
 * @param secrets credentials that the request contains or was signed with
 */
export function hidingAnswers(secrets: readonly string[]): HiddenAnswers {
  const hide = (text: string) =>
    text === '' ? text : secrets.reduce((shown, secret) => hideCredentials('', secret)(shown), text);
  const answer = (received: Answer): Answer => ({
    ...received,
    bodyExcerpt: received.bodyExcerpt === null ? null : hide(received.bodyExcerpt),
  });
  return {
    exchange(exchange) {
      if (exchange.outcome === 'answered') return { outcome: 'answered', answer: answer(exchange.answer) };
      const { broken } = exchange;
      return { outcome: 'broken', broken: { ...broken, answer: broken.answer && answer(broken.answer) } };
    },
    facts({ responseHeaders, ...facts }) {
      if (!responseHeaders) return facts;
      return {
        ...facts,
        responseHeaders: responseHeaders.map(([name, value]) => [name, hide(value)] as const),
      };
    },
  };
}
