import { Agent, type Dispatcher } from 'undici';

/** A request to the API. */
export interface Post {
  readonly url: string;
  readonly token: string;
  /** Idempotency key; empty for none. */
  readonly key: string;
  /** JSON; empty for none. */
  readonly body: string;
}

/** A complete answer. */
export interface PostAnswer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: () => string;
}

export interface ConnectionOptions {
  /** The most connections to one server, unlimited by default. Further requests wait. */
  readonly connections?: number;
  /** How many milliseconds an answer may take to begin, and its body may pause. */
  readonly timeoutMs: number;
}

/** Connections to servers, opened when needed. Each carries one request at a time. */
export interface Connections {
  /** Sends a request. `onAnswer` gets null if there was no complete answer. */
  post(post: Post, onAnswer: (answer: PostAnswer | null) => void): void;
  close(): Promise<void>;
}

/** How long idle connections stay open between rounds; the service keeps them longer. */
const KEEP_ALIVE_MS = 4_000;

function handlerOf(onAnswer: (answer: PostAnswer | null) => void): Dispatcher.DispatchHandler {
  let status = 0;
  let headers: Readonly<Record<string, string | string[] | undefined>> = {};
  const chunks: Buffer[] = [];
  return {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, statusCode, received) => {
      status = statusCode;
      headers = received;
    },
    onResponseData: (_controller, chunk) => {
      chunks.push(chunk);
    },
    onResponseEnd: () =>
      onAnswer({
        status,
        header: (name) => headers[name]?.toString() ?? null,
        text: () => Buffer.concat(chunks).toString(),
      }),
    onResponseError: () => onAnswer(null),
  };
}

/** Prepares connections; `close` cuts them. */
export function openConnections({ connections, timeoutMs }: ConnectionOptions): Connections {
  const agent = new Agent({
    ...(connections === undefined ? {} : { connections }),
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  return {
    post({ url, token, key, body }, onAnswer) {
      const { origin, pathname } = new URL(url);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === '' ? {} : { 'idempotency-key': key }),
      };
      agent.dispatch({ origin, method: 'POST', path: pathname, headers, body }, handlerOf(onAnswer));
    },
    close: () => agent.destroy(),
  };
}
