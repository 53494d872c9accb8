import type { Socket } from 'node:net';
import { createPostrider } from '@postrider/client';
import type { Snapshots } from '@postrider/db';
import { formatId, hashToken, isWellFormedToken, refuse, reject, retryLater } from '@postrider/domain';
import { createFairSemaphore, type EventLoopTurns } from '@postrider/fairness';
import type { Response as ExpressResponse, Request, Router } from 'express';
import { readJsonBody, takeEventLoopTurn } from '../http/admission.ts';
import { bearerToken, STOPPING, type Success, UNAUTHORIZED } from '../http/reply.ts';
import { ClientGoneError, headerOf, type RequestContext, signalOf } from '../http/request.ts';
import { mountResponders } from '../http/routes.ts';
import { INTERFACE_VERSION } from '../openapi/document.ts';
import { rejectIf, type TakeBucketTokens, takeRequestTokens } from '../pipeline/limits.ts';
import { parseBody } from '../validation/body.ts';
import type { OwnCalls } from './own-calls.ts';

/** A payload for a preview fits. */
const MAX_BODY_BYTES = 64 * 1_024;
/** The longest that a tool may wait for the API. */
const TIMEOUT_MS = 15_000;

/**
 * Calls at once in a process, of a tenant and of a token. A call holds a few replies of the API, of up to some MiB. It does not count among
 * the bytes in flight, because it would wait there for its own requests.
 */
const CALLS_AT_ONCE = {
  total: 16,
  perOwner: 4,
  perPart: 3,
  waitMs: 5_000,
  maxWaitingPerOwner: 32,
  maxWaiting: 128,
};

const NO_BATCHES = refuse('validation_failed', {
  message: 'Send one JSON-RPC message in a request, not an array.',
});
const TOO_MANY = retryLater(
  'rate_limited',
  1,
  'You are running too many tools at once: retry after the time in Retry-After.',
);
const BUSY = retryLater(
  'service_unavailable',
  1,
  'Too many tools are running at once: send the same request again.',
);
const NOT_FOR_CONSUMERS = refuse('forbidden', { message: 'The token of a consumer cannot use the tools.' });

interface McpDeps {
  readonly snapshots: Pick<Snapshots, 'token' | 'environment'>;
  readonly turns: EventLoopTurns;
  readonly takeBucketTokens: TakeBucketTokens;
  readonly isStopping?: () => boolean;
}

/** Where this process listens. The tools call it there, so that each call passes all checks of the API with the caller's token. */
function ownAddress({ localAddress = '127.0.0.1', localPort }: Socket): string {
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * `/mcp`: tools for agents over Streamable HTTP (Model Context Protocol, 2025-06-18), without sessions: any process answers any
 * request, with JSON. The token of an environment decides what the tools can do; with `?write=true` those that change something
 * are offered, too.
 */
export function mountMcp(
  { snapshots, turns, takeBucketTokens, isStopping = () => false }: McpDeps,
  { originOf, headersFor }: OwnCalls,
): Router {
  const calls = createFairSemaphore(CALLS_AT_ONCE);

  async function respond(http: Request, context: RequestContext, res: ExpressResponse): Promise<Success> {
    // A tool could not connect to this process any more.
    if (isStopping()) reject(STOPPING);
    const text = bearerToken(http.headers.authorization);
    if (text === undefined || !isWellFormedToken(text)) reject(UNAUTHORIZED);
    const token = await snapshots.token(hashToken(text));
    const snapshot = token && (await snapshots.environment(token.environmentId));
    if (!snapshot) reject(UNAUTHORIZED);
    if (token.consumerId !== null) reject(NOT_FOR_CONSUMERS);
    context.facts.tenant_id = formatId('ten', snapshot.tenant.id);
    context.facts.environment_id = formatId('env', snapshot.environment.id);
    await takeEventLoopTurn(turns, context);
    // Messages without a call of a tool cost, too.
    const limited = await takeRequestTokens(
      takeBucketTokens,
      { snapshot, consumerId: null, replyHeaders: {} },
      { wanted: 1 },
    );
    rejectIf(limited.refusal);
    const holder = { owner: snapshot.tenant.id, part: token.id };
    const message = parseBody(await readJsonBody(http, 'required', MAX_BODY_BYTES));
    if (Array.isArray(message)) reject(NO_BATCHES);
    // After the body: a client that sends it slowly holds no permit.
    const permit = await calls.acquire(holder, signalOf(res));
    if (!permit) reject(calls.isShareSpent(holder) ? TOO_MANY : BUSY);
    if (res.closed) permit.release();
    else res.once('close', permit.release);
    // Its socket has no address any more, and nobody waits.
    if (http.socket.destroyed) throw new ClientGoneError();
    return run(http, signalOf(res), text, message);
  }

  async function run(http: Request, signal: AbortSignal, token: string, message: unknown): Promise<Success> {
    const own = headersFor(originOf(http));
    const postrider = createPostrider({
      baseUrl: ownAddress(http.socket),
      token,
      timeoutMs: TIMEOUT_MS,
      retry: { maxAttempts: 1 },
      surroundings: {
        fetch(request) {
          for (const [name, value] of Object.entries(own)) request.headers.set(name, value);
          return fetch(request, { signal: AbortSignal.any([signal, request.signal]) });
        },
      },
    });
    const headers: Record<string, string> = {};
    for (const name of ['accept', 'mcp-protocol-version'] as const) {
      const value = headerOf(http, name);
      if (value !== undefined) headers[name] = value;
    }
    // Loaded with the first call: most processes never need its 10 MiB.
    const { answerMcpRequest } = await import('@postrider/mcp');
    const canWrite = http.query.write === 'true';
    return answerMcpRequest({ postrider, canWrite, version: INTERFACE_VERSION, message, headers });
  }

  return mountResponders([{ path: '/mcp', method: 'post', respond }]);
}
