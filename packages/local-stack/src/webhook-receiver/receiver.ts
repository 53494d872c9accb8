import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { listen } from '@postrider/listener';
import { Webhook } from 'standardwebhooks';
import { type ReceivedRequest, renderPage, type Signature } from './page.ts';

export interface WebhookReceiver {
  readonly port: number;
  /** The URL for webhook channels. */
  readonly hookUrl: string;
  /** The page that shows the requests; `/requests` below it returns them as JSON. */
  readonly pageUrl: string;
  close(): Promise<void>;
}

/** How many requests are kept; the oldest is dropped first. */
const KEPT_REQUESTS = 200;
/** Bounds the memory of a request. A payload has at most 256 KiB, unless the plan allows more. */
const MAX_BODY_BYTES = 1_048_576;
/** Enough for the worker and a browser, both on this machine. */
const LIMITS = { connections: 1_024, connectionsPerAddress: 1_024 };

/** The body, or null if it is too large. It is read to its end anyway, so that the client reads the answer. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : null;
}

function plainHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

function verify(secret: string, body: string, headers: Record<string, string>): Signature {
  try {
    new Webhook(secret).verify(body, headers);
    return { holds: true };
  } catch (error) {
    return { holds: false, reason: (error as Error).message };
  }
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(body);
}

function createListener(secret: string): RequestListener {
  const received: ReceivedRequest[] = [];

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (body === null) {
      answer(response, 413, 'application/json', '{"error":"too large"}');
      return;
    }
    const headers = plainHeaders(request);
    received.unshift({
      received_at: new Date().toISOString(),
      method: request.method ?? '',
      path: request.url ?? '',
      headers,
      body,
      signature: verify(secret, body, headers),
    });
    received.length = Math.min(received.length, KEPT_REQUESTS);
    answer(response, 200, 'application/json', '{"received":true}');
  }

  return (request, response) => {
    if (request.method === 'POST') {
      receive(request, response).catch(() => response.destroy());
    } else if (request.method === 'GET' && request.url === '/') {
      answer(response, 200, 'text/html', renderPage(received));
    } else if (request.method === 'GET' && request.url === '/requests') {
      answer(response, 200, 'application/json', JSON.stringify({ data: received }));
    } else {
      answer(response, 404, 'application/json', '{"error":"not found"}');
    }
  };
}

/**
 * Starts the demo's webhook receiver on 127.0.0.1. It answers every POST with 200, verifies the Standard Webhooks
 * signature with `secret` (`whsec_…`), and keeps the last 200 requests in memory for its page and for GET /requests,
 * newest first.
 */
export async function startWebhookReceiver({
  secret,
  port = 0,
}: {
  secret: string;
  port?: number;
}): Promise<WebhookReceiver> {
  const { port: bound, stop } = await listen(createListener(secret), {
    port,
    host: '127.0.0.1',
    limits: LIMITS,
  });
  return {
    port: bound,
    hookUrl: `http://127.0.0.1:${bound}/webhooks`,
    pageUrl: `http://localhost:${bound}/`,
    close: () => stop(),
  };
}
