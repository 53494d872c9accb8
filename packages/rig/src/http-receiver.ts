import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listenOnLoopback } from './loopback.ts';
import { monotonicMs } from './time.ts';

/** Longer than any sender of the service keeps an idle connection. */
const KEEP_ALIVE_MS = 60_000;

/** A completely received request. */
export interface ReceivedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** When its head arrived: wall clock, in milliseconds. */
  readonly at: number;
  /** The same by the machine's monotonic clock, which all processes share. */
  readonly monotonicAt: number;
}

/** Handles a request. A rejection closes the connection. */
export type Handle = (
  received: ReceivedRequest,
  response: ServerResponse,
  request: IncomingMessage,
) => Promise<unknown> | unknown;

/** Receives webhooks on 127.0.0.1 at any path. Incomplete requests are ignored. */
export async function startHttpReceiver(handle: Handle): Promise<Listening> {
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [at, monotonicAt] = [Date.now(), monotonicMs()];
    const { method = '', url: path = '/', headers } = request;
    const body = (await buffer(request)).toString();
    await handle({ path, method, headers, body, at, monotonicAt }, response, request);
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return listenOnLoopback(server);
}

/** Answers the `nth` request (from 1) to its path. */
export type Answer = (response: ServerResponse, nth: number, request: IncomingMessage) => void;

/** Answers with a status and, if given, headers and a body. */
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) => {
    response.writeHead(code, headers).end(body);
  };

/** Gives the answers one after the other, and repeats the last one. */
export const inTurn =
  (...answers: readonly Answer[]): Answer =>
  (response, nth, request) =>
    answers[Math.min(nth, answers.length) - 1]?.(response, nth, request);

export const hang: Answer = () => undefined;
export const closeConnection: Answer = (response) => response.socket?.destroy();

/** A receiver whose endpoints respond as a test defines. */
export interface Receiver extends Listening {
  /** Makes an endpoint and returns its URL. */
  endpoint(path: string, answer: Answer): string;
  /** The requests to the endpoint so far. */
  received(path: string): readonly ReceivedRequest[];
}

/** Starts a receiver that responds with 404 at every path that is not an endpoint yet. */
export async function startReceiver(): Promise<Receiver> {
  const answers = new Map<string, Answer>();
  const ledger = new Map<string, ReceivedRequest[]>();
  const listening = await startHttpReceiver((received, response, request) => {
    const { path } = received;
    const requests = ledger.get(path) ?? [];
    requests.push(received);
    ledger.set(path, requests);
    (answers.get(path) ?? status(404))(response, requests.length, request);
  });
  return {
    ...listening,
    endpoint(path, answer) {
      answers.set(path, answer);
      return `${listening.url}${path}`;
    },
    received: (path) => ledger.get(path) ?? [],
  };
}
