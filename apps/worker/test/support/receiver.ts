import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Wall clock, in milliseconds. */
  readonly at: number;
}

/** Answers the `nth` request (from 1) to its path. */
export type Answer = (response: ServerResponse, nth: number, request: IncomingMessage) => void;

export interface Receiver {
  readonly port: number;
  /** Makes an endpoint and returns its URL. */
  endpoint(path: string, answer: Answer): string;
  /** What came to the endpoint so far. */
  received(path: string): readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** An answer with a status and, where given, headers and a body. */
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) => {
    response.writeHead(code, headers).end(body);
  };

/** The answers in turn, the last one from then on. */
export const inTurn =
  (...answers: readonly Answer[]): Answer =>
  (response, nth, request) =>
    answers[Math.min(nth, answers.length) - 1]?.(response, nth, request);

export const hang: Answer = () => undefined;
export const closeConnection: Answer = (response) => response.socket?.destroy();

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A programmable endpoint on loopback that keeps a ledger. */
export async function startReceiver(): Promise<Receiver> {
  const answers = new Map<string, Answer>();
  const ledger = new Map<string, ReceivedRequest[]>();

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const at = Date.now();
    const body = await readBody(request).catch(() => '');
    const requests = ledger.get(path) ?? [];
    requests.push({ path, method: request.method ?? '', headers: request.headers, body, at });
    ledger.set(path, requests);
    const answer = answers.get(path) ?? status(404);
    answer(response, requests.length, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    endpoint(path, answer) {
      answers.set(path, answer);
      return `http://127.0.0.1:${port}${path}`;
    },
    received: (path) => ledger.get(path) ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
