import { randomUUID } from 'node:crypto';
import { Client, type Dispatcher, Pool } from 'undici';

/** Waits of the generator; longer than any of the service, which answers within 15 s. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Between rounds connections stay open; the service closes idle ones after some seconds of its own. */
const KEEP_ALIVE_MS = 4_000;

const OPTIONS = {
  pipelining: 1,
  headersTimeout: ANSWER_TIMEOUT_MS,
  bodyTimeout: ANSWER_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
} as const;

/** The status of the answer, once it came whole; null when none came. */
type OnAnswer = (status: number | null) => void;

/** One or more connections to a server, each of which carries one request at a time. */
export interface Connections {
  /** Posts an event; more than there are connections wait for their turn. */
  post(token: string, body: string, onAnswer: OnAnswer): void;
  close(): Promise<void>;
}

function handlerOf(onAnswer: OnAnswer): Dispatcher.DispatchHandler {
  let status = 0;
  return {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, statusCode) => {
      status = statusCode;
    },
    onResponseData: () => undefined,
    onResponseEnd: () => onAnswer(status),
    onResponseError: () => onAnswer(null),
  };
}

/** Opens connections to the server of `url` and posts to its path. They are made when first used. */
export function openConnections(url: string, count: number): Connections {
  const { origin, pathname } = new URL(url);
  const dispatcher =
    count === 1 ? new Client(origin, OPTIONS) : new Pool(origin, { ...OPTIONS, connections: count });
  return {
    post(token, body, onAnswer) {
      const headers = [
        ['authorization', `Bearer ${token}`],
        ['content-type', 'application/json'],
        ['idempotency-key', randomUUID()],
      ].flat();
      dispatcher.dispatch({ method: 'POST', path: pathname, headers, body }, handlerOf(onAnswer));
    },
    close: () => dispatcher.destroy(),
  };
}
