import { chargeTo, type Database, inShare, type Share } from '@postrider/db';
import { orRefusal, retryLater } from '@postrider/domain';
import { createEventLoopTurns, type EventLoopTurns, type Holder } from '@postrider/fairness';
import type { RequestHandler } from 'express';
import { type Access, createHideOthers, seesContent, shareOfConsumer } from '../access/access.ts';
import { withoutContent } from '../access/content.ts';
import {
  admitAndReadBody,
  type ByteLimit,
  bodyLimit,
  eventLimit,
  reserveStored,
  type StoredBytesDeps,
  takeEventLoopTurn,
  UNKNOWN_CALLER,
} from '../http/admission.ts';
import { type Reply, send } from '../http/reply.ts';
import { contextOf, signalOf } from '../http/request.ts';
import { expressPath } from '../http/routes.ts';
import { createEnforceIdempotency, type IdempotencyDeps } from './idempotency.ts';
import {
  createEnforceRateLimit,
  enforceHardQuota,
  enforcePaymentAccess,
  type TakeBucketTokens,
} from './limits.ts';
import type { ApiRequest, FirstStage, Operation, RunOperation, Stage } from './stage.ts';

export interface TurnDeps {
  /** The turns of all requests of the process. */
  readonly turns: EventLoopTurns;
}

/** Right after the token: lets tenants take turns, see {@link takeEventLoopTurn}. */
function createTakeEventLoopTurn({ turns }: TurnDeps): Stage {
  return ({ context }) => {
    const turn = takeEventLoopTurn(turns, context);
    return turn instanceof Promise ? turn.then(() => null) : null;
  };
}

/** Whose share of memory and turns a request uses. */
const holderOf = ({ snapshot: { tenant, environment }, callerId, consumerId }: ApiRequest): Holder =>
  consumerId === null
    ? { owner: tenant.id, part: callerId }
    : shareOfConsumer(tenant.id, environment.id, consumerId);

/** The largest body that a request may have, in bytes. */
const limitOf = ({ operation: { traits }, snapshot: { plan } }: ApiRequest): number =>
  traits.maxBodyBytes ?? (traits.acceptsFiles ? eventLimit(plan) : bodyLimit(plan));

/**
 * Once the token is known, reserves bytes for the body and the response, per tenant and per token, so that no tenant exhausts the
 * memory of the process, and no token that of its tenant; then reads the raw body (docs/specification.md, "Request pipeline"). It is
 * parsed after the last stage.
 */
function createAdmitAndReadBody({ bytesInFlight }: { readonly bytesInFlight: ByteLimit }): Stage {
  return async (request) => {
    const { http, res, operation, onDecided } = request;
    const { bytes, charge } = await admitAndReadBody(bytesInFlight, {
      http,
      res,
      holder: holderOf(request),
      use: operation.traits.body,
      limit: limitOf(request),
      memory: operation.memory,
    });
    onDecided((reply) => reply && charge(reply));
    request.bytes = bytes;
    return null;
  };
}

/** After the rate limit, because counting takes a statement. See {@link reserveStored}. */
function createReserveStored(deps: StoredBytesDeps): Stage {
  return async (request) => {
    const { res, params, snapshot, operation } = request;
    const stored = { environmentId: snapshot.environment.id, params, res, holder: holderOf(request) };
    await reserveStored(deps, operation.memory, stored);
    return null;
  };
}

/** A larger body takes milliseconds of the event loop. */
const LARGE_BODY_BYTES = 16 * 1024;
/** More large bodies wait than the limit of bytes in flight admits. */
const ONE_BY_ONE = { sliceMs: 0, maxRestMs: 50, maxWaiting: 1_024, maxWaitingPerOwner: 256 };
const BUSY = retryLater(
  'service_unavailable',
  1,
  'Too many large requests wait: send the same request again.',
);

/**
 * The last stage: admits one large body in each turn of the event loop, with tenants and their tokens in turn, and after
 * one that took long pauses for as long as it took. Parsing and checking one takes at most about 30 ms; eight in a row would
 * stop every other request for a quarter of a second.
 */
export function createParseOneByOne(): Stage {
  const turns = createEventLoopTurns(ONE_BY_ONE);
  const admit = async (request: ApiRequest) => ((await turns.take(holderOf(request))) ? null : BUSY);
  return (request) => (request.bytes.byteLength < LARGE_BODY_BYTES ? null : admit(request));
}

/** The dependencies of the stages after the first. */
export interface PipelineDeps extends IdempotencyDeps, TurnDeps, StoredBytesDeps {
  readonly db: Database;
  readonly bytesInFlight: ByteLimit;
  readonly takeBucketTokens: TakeBucketTokens;
}

/** Takes a request through the stages, and then runs its operation. */
type Pipeline = (
  received: Omit<ApiRequest, keyof Access | 'snapshot' | 'isStillAllowed'>,
  run: RunOperation,
) => Promise<Reply>;

/**
 * The stages of a protected request in order (docs/specification.md, "Request pipeline"; the tenant's turn, the limit of
 * bytes in flight, 413 and 415 come between the first two). The operation parses, validates and executes requests that pass.
 * @param authenticate the first stage, which finds the caller and the environment
 */
export function createPipeline(authenticate: FirstStage, deps: PipelineDeps): Pipeline {
  const stages: readonly Stage[] = [
    createTakeEventLoopTurn(deps),
    createAdmitAndReadBody(deps),
    createEnforceIdempotency(deps),
    enforceHardQuota,
    enforcePaymentAccess,
    createEnforceRateLimit(deps),
    createHideOthers(deps),
    createReserveStored(deps),
    createParseOneByOne(),
  ];

  async function decide(request: ApiRequest, run: RunOperation): Promise<Reply> {
    for (const stage of stages) {
      const checked = stage(request);
      const reply = checked instanceof Promise ? await checked : checked;
      if (reply) return reply;
    }
    return run(request);
  }

  return async (received, run) => {
    const caller = await authenticate(received);
    if ('refused' in caller) return caller;
    if (caller.actor === null) chargeTo(caller.snapshot.tenant.id);
    const isStillAllowed = async () => !('refused' in (await authenticate(received)));
    const request = { ...received, ...caller, isStillAllowed };
    const reply = await orRefusal(() => decide(request, run));
    // Idempotency comes first (docs/specification.md, "Request pipeline"): a key with a stored response by now gets it.
    // This matters for an exhausted quota: the request that used the last event may be an earlier try of this one, in
    // another process. Checking only after a refusal saves the look-up when a new key is accepted, which is nearly always.
    const preferred = 'refused' in reply ? ((await request.storedReply()) ?? reply) : reply;
    return seesContent(request) ? preferred : withoutContent(request, received.operation.scope, preferred);
  };
}

const NO_BODY = new Uint8Array();
const NOTHING_STORED = async () => null;

/**
 * The handler of an operation: runs the pipeline and the operation, notifies the stages of the reply, and sends it. Rejects with
 * any error that was thrown.
 * @param use the share and the owner of its statements; by default its own, and the tenant
 */
export function serveOperation<Deps>(
  pipeline: Pipeline,
  deps: Deps & TurnDeps,
  operation: Operation<Deps>,
  { share, owner }: { share: Share; owner: string } = {
    share: operation.traits.share,
    owner: UNKNOWN_CALLER,
  },
): RequestHandler {
  const run = operation.run(deps);
  const route = expressPath(operation.path);

  return async (http, res) => {
    const params = http.params as Readonly<Record<string, string>>;
    const context = contextOf(res);
    context.facts.route = route;
    const replyHeaders: Record<string, string> = {};
    const callbacks: Parameters<ApiRequest['onDecided']>[0][] = [];
    const notifyDecided = (reply: Reply | null) => {
      for (const callback of callbacks) callback(reply);
    };
    const received = {
      http,
      res,
      context,
      operation,
      params,
      bytes: NO_BODY,
      claim: null,
      storedReply: NOTHING_STORED,
      replyHeaders,
      onDecided: (callback: (typeof callbacks)[number]) => void callbacks.push(callback),
    };
    let reply: Reply | null = null;
    try {
      reply = await inShare(
        share,
        () => pipeline(received, run),
        owner,
        () => signalOf(res),
      );
    } finally {
      notifyDecided(reply);
      await takeEventLoopTurn(deps.turns, context);
    }
    send(http, res, { ...reply, headers: { ...replyHeaders, ...reply.headers } });
  };
}
