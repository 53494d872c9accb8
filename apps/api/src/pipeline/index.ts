import { type AnyClient, chargeTo, type Database, inShare, type Share } from '@postrider/db';
import { refusalOf, reject, retryLater } from '@postrider/domain';
import {
  createEventLoopTurns,
  type EventLoopTurns,
  LARGE_JSON_CHARACTERS,
  LARGE_JSON_TURNS,
} from '@postrider/fairness';
import type { RequestHandler } from 'express';
import { createHideOthers, seesContent } from '../access/access.ts';
import { withoutContent } from '../access/content.ts';
import {
  admitRequest,
  type ByteLimit,
  bodyLimit,
  bodyUseOf,
  eventLimit,
  MAX_BODY_BYTES,
  readJsonBody,
  reserveBytes,
  takeEventLoopTurn,
} from '../http/admission.ts';
import type { CountStored } from '../http/memory.ts';
import { type Reply, send } from '../http/reply.ts';
import { contextOf, signalOf } from '../http/request.ts';
import { expressPath } from '../http/routes.ts';
import { PATH_PARAMETERS } from '../openapi/parameters.ts';
import { createEnforceIdempotency, type IdempotencyDeps } from './idempotency.ts';
import {
  createEnforceRateLimit,
  enforceHardQuota,
  enforcePaymentAccess,
  type TakeBucketTokens,
} from './limits.ts';
import type { Operation, RunOperation } from './operation.ts';
import type { ApiRequest, Caller, FirstStage, OperationRequest, ReceivedRequest, Stage } from './stage.ts';

const NO_BODY = new Uint8Array();
const NOTHING_STORED = async () => null;

/**
 * The handler of an operation: runs the pipeline and the operation, notifies the stages of the reply, and sends it. Its statements
 * use `share`, and belong to `owner` until the caller is known. Rejects with any error but a refusal.
 */
export function serveOperation<Deps, Request extends OperationRequest>(
  pipeline: Pipeline<Request>,
  deps: Deps & TurnDeps,
  operation: Operation<Deps, Request>,
  { share, owner }: { readonly share: Share; readonly owner: string },
): RequestHandler {
  const run = operation.run(deps);
  const route = expressPath(operation.path);

  return async (http, res) => {
    const params = http.params as Readonly<Record<string, string>>;
    const context = contextOf(res);
    context.facts.route = route;
    const replyHeaders: Record<string, string> = {};
    const callbacks: Parameters<ReceivedRequest['onDecided']>[0][] = [];
    const notifyDecided = (reply: Reply | null) => {
      for (const callback of callbacks) callback(reply);
    };
    const received = {
      http,
      res,
      context,
      operation,
      params,
      url: http.originalUrl,
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
      // Writing a reply, also that of an error, takes a turn of its own: hundreds of requests can be decided at once.
      await takeEventLoopTurn(deps.turns, context);
    }
    send(http, res, { ...reply, headers: { ...replyHeaders, ...reply.headers } });
  };
}

/**
 * Takes a request through the stages, and then runs its operation. Resolves with the reply, also of a refusal.
 */
export type Pipeline<Request extends OperationRequest = ApiRequest> = (
  received: ReceivedRequest,
  run: RunOperation<Request>,
) => Promise<Reply>;

/** Who pays for the statements of a request: its tenant, or the operator. */
const payerOf = ({ actor, callerId, snapshot }: Caller<OperationRequest>): string =>
  actor === null && snapshot ? snapshot.tenant.id : callerId;

/**
 * Creates the pipeline of all operations with these stages. The operation parses, validates and executes requests that pass.
 * @param authenticate the first stage, which finds the caller
 */
export function createPipeline<Request extends OperationRequest>(
  authenticate: FirstStage<Request>,
  stages: readonly Stage<Request>[],
): Pipeline<Request> {
  async function decide(request: Request, run: RunOperation<Request>): Promise<Reply> {
    try {
      for (const stage of stages) {
        const checked = stage(request);
        if (checked) await checked;
      }
      return await run(request);
    } catch (error) {
      const refusal = refusalOf(error);
      // Idempotency comes first (docs/specification.md, "Request pipeline"): a key with a stored response by now gets it.
      // This matters for an exhausted quota: the request that used the last event may be an earlier try of this one, in
      // another process. Checking only after a refusal saves the look-up when a new key is accepted, which is nearly always.
      return (await request.storedReply()) ?? refusal;
    }
  }

  return async (received, run) => {
    let caller: Caller<Request>;
    try {
      caller = await authenticate(received);
    } catch (error) {
      return refusalOf(error);
    }
    chargeTo(payerOf(caller));
    const findCaller = () => authenticate(received);
    const request = { ...received, ...caller, findCaller } as Request;
    const reply = await decide(request, run);
    return seesContent(request) ? reply : withoutContent(request, received.operation.scope, reply);
  };
}

/** The dependencies of {@link environmentStages}. */
export interface PipelineDeps extends IdempotencyDeps, TurnDeps, StoredBytesDeps, BodyDeps {
  readonly db: Database;
  readonly takeBucketTokens: TakeBucketTokens;
}

/**
 * The stages of a request about one environment in order, after the first, which finds the caller (docs/specification.md, "Request
 * pipeline", which leaves out turns and the limits of bytes).
 */
export const environmentStages = (deps: PipelineDeps): readonly Stage[] => [
  createTakeEventLoopTurn(deps),
  createAdmitAndReadBody(deps),
  createEnforceIdempotency(deps),
  enforceHardQuota,
  enforcePaymentAccess,
  createEnforceRateLimit(deps),
  createHideOthers(deps),
  createReserveStored(deps),
  createParseOneByOne(createFindCallerAgain(deps)),
];

export interface TurnDeps {
  /** The turns of all requests of the process. */
  readonly turns: EventLoopTurns;
}

/** Right after the token: lets tenants take turns, see {@link takeEventLoopTurn}. */
export function createTakeEventLoopTurn({ turns }: TurnDeps): Stage<OperationRequest> {
  return ({ context }) => {
    const turn = takeEventLoopTurn(turns, context);
    return turn instanceof Promise ? turn.then(() => undefined) : undefined;
  };
}

/** The largest body that a request may have, in bytes. */
function limitOf({ operation: { maxBodyBytes, traits }, snapshot }: OperationRequest): number {
  if (maxBodyBytes !== undefined) return maxBodyBytes;
  if (!snapshot) return MAX_BODY_BYTES;
  return traits?.acceptsFiles ? eventLimit(snapshot.plan) : bodyLimit(snapshot.plan);
}

/** A caller is found again if its request has taken this long since its headers, in milliseconds. */
const CALLER_FOUND_MS = 250;

export interface ClockDeps {
  readonly monotonicMs: () => number;
}

/**
 * A request may wait for its body for 30 s, and then for others, and the caller can lose its access meanwhile: a late request continues
 * with what the caller may do now.
 * @param hide hides the ids of the path that the caller may not know of now
 */
export function createFindCallerAgain<Request extends OperationRequest>(
  { monotonicMs }: ClockDeps,
  hide?: (request: Request) => Promise<void>,
): Stage<Request> {
  async function findAgain(request: Request): Promise<void> {
    const { storedReply } = request;
    // A caller without access gets no stored response either.
    request.storedReply = NOTHING_STORED;
    Object.assign(request, await request.findCaller(), { storedReply });
    await hide?.(request);
  }
  return (request) =>
    monotonicMs() - request.context.startedAt > CALLER_FOUND_MS ? findAgain(request) : undefined;
}

export interface BodyDeps extends ClockDeps {
  readonly bytesInFlight: ByteLimit;
}

/**
 * Once the token is known, reserves bytes for the body and the response, per tenant and per token, so that no tenant exhausts the
 * memory of the process, and no token that of its tenant; then reads the raw body (docs/specification.md, "Request pipeline"). It is
 * parsed after the last stage. After a slow body the caller is found again, so that one without access gets no stored response.
 */
export function createAdmitAndReadBody({ bytesInFlight, ...clock }: BodyDeps): Stage<OperationRequest> {
  const findCallerAgain = createFindCallerAgain(clock);
  return async (request) => {
    const { http, res, operation, holder, onDecided } = request;
    const { memory } = operation;
    const use = bodyUseOf(operation);
    const limit = limitOf(request);
    const permit = await admitRequest(bytesInFlight, { http, res, holder, use, limit, memory });
    // Charges what a reply has beyond the expected bytes. Another stage reserves stored bytes.
    onDecided((reply) => {
      if (typeof memory === 'number' && reply && 'body' in reply)
        permit.add(Math.max(0, reply.body.byteLength - memory));
    });
    request.bytes = await readJsonBody(http, use, limit);
    const again = findCallerAgain(request);
    if (again) await again;
  };
}

export interface StoredBytesDeps {
  readonly db: AnyClient;
  /** Limits the stored bytes that requests read. */
  readonly storedBytes: ByteLimit;
}

/**
 * Near the end, because counting takes a statement: reserves the stored bytes that an operation reads, if it counts them. They are
 * apart from the bytes of bodies, so that nobody waits for one while holding the other, and reads do not keep a tenant's events out.
 */
export function createReserveStored({ db, storedBytes }: StoredBytesDeps): Stage<OperationRequest> {
  async function reserveCounted(request: OperationRequest, count: CountStored): Promise<void> {
    const { res, params, snapshot, holder } = request;
    const environmentId =
      snapshot?.environment.id ?? PATH_PARAMETERS.environmentId.parse(params.environmentId ?? '');
    await reserveBytes(storedBytes, { res, holder, bytes: await count(db, { environmentId, params }) });
  }

  return (request) => {
    const { memory } = request.operation;
    return typeof memory === 'number' ? undefined : reserveCounted(request, memory);
  };
}

/** More large bodies wait than the limit of bytes in flight admits. */
const ONE_BY_ONE = { ...LARGE_JSON_TURNS, maxWaiting: 1_024, maxWaitingPerOwner: 256 };
const BUSY = retryLater(
  'service_unavailable',
  1,
  'Too many large requests are waiting: send the same request again.',
);

/**
 * The last stage: finds the caller again, and admits large bodies one by one, see {@link LARGE_JSON_TURNS}, with tenants and their
 * tokens in turn. The turn ends if the caller must be loaded. Requests that wait for the same load would then all be parsed at once, so
 * they take another turn.
 */
export function createParseOneByOne(findCallerAgain: Stage): Stage {
  const turns = createEventLoopTurns(ONE_BY_ONE);
  async function takeTurn(request: ApiRequest): Promise<void> {
    if (!(await turns.take(request.holder, request))) reject(BUSY);
  }
  async function admit(request: ApiRequest): Promise<void> {
    await takeTurn(request);
    const again = findCallerAgain(request);
    if (!again) return;
    await again;
    await takeTurn(request);
  }
  return (request) =>
    request.bytes.byteLength < LARGE_JSON_CHARACTERS ? findCallerAgain(request) : admit(request);
}
