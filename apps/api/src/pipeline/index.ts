import {
  chargeTo,
  type Database,
  inShare,
  type Queryable,
  readInEnvironments,
  readOwnedBatch,
  type Share,
} from '@postrider/db';
import { orRefusal, parseId } from '@postrider/domain';
import type { EventLoopTurns } from '@postrider/fairness';
import type { RequestHandler } from 'express';
import {
  type Access,
  createResolveEnvironmentFromToken,
  type ResolveEnvironmentDeps,
} from '../access/access.ts';
import { showsContent, withoutContent } from '../access/content.ts';
import { receiveBytes, takeEventLoopTurn } from '../http/admission.ts';
import { type Reply, send } from '../http/reply.ts';
import { contextOf, signalOf } from '../http/request.ts';
import { expressPath } from '../http/routes.ts';
import type { PublicDescription } from '../openapi/operation.ts';
import { createEnforceIdempotency, type IdempotencyDeps } from './idempotency.ts';
import {
  createEnforceRateLimit,
  createLimitBytesInFlight,
  createParseOneByOne,
  createReserveStored,
  enforceHardQuota,
  enforcePaymentAccess,
  type InFlightDeps,
  limitOf,
  type RateLimitDeps,
  type StoredDeps,
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

/**
 * Reads the raw body once the token is known (docs/specification.md, "Request pipeline"). It is parsed after the last
 * stage.
 */
const receiveBody: Stage = async (request) => {
  const { http, operation } = request;
  const bytes = await receiveBytes(http, operation.traits.body, limitOf(request));
  if ('refused' in bytes) return bytes;
  request.bytes = bytes;
  return null;
};

type Owned = { readonly consumerId: string | null } | null;
type Find = (db: Queryable, environmentId: string, text: string) => Promise<Owned>;

const OWNER = { consumerId: true } as const;

/** How the consumer that owns what a path names is found, by the name of the parameter. */
const FIND_OWNER: Readonly<Record<string, Find>> = {
  consumer: async (_db, _environmentId, consumerId) => ({ consumerId }),
  async channelId(db, environmentId, text) {
    const id = parseId('chn', text);
    return id === null
      ? null
      : db.channel.findFirst({ where: { id, environmentId, deletedAt: null }, select: OWNER });
  },
  async deliveryRunId(db, environmentId, text) {
    const id = parseId('run', text);
    const run =
      id && (await db.deliveryRun.findFirst({ where: { id, environmentId }, select: { channelId: true } }));
    return run
      ? db.channel.findFirst({ where: { id: run.channelId, deletedAt: null }, select: OWNER })
      : null;
  },
  async replayId(db, environmentId, text) {
    const id = parseId('rpb', text);
    return id === null ? null : readOwnedBatch(db, { id, environmentId });
  },
};

/** What the paths of operations for consumers name that every consumer may read. */
const SHARED: ReadonlySet<string> = new Set(['eventKey']);

/**
 * For a caller of one consumer: empties each id in the path that is not of its own consumer. The empty text is no id, so that the
 * operation answers exactly as for one that does not exist. A parameter that nothing is known about is emptied, too.
 */
function createHideOthers({ db }: { readonly db: Database }): Stage {
  async function hideOthers(request: ApiRequest, consumerId: string): Promise<null> {
    const { params, snapshot } = request;
    const environmentId = snapshot.environment.id;
    request.params = await readInEnvironments(db, [environmentId], async (tx) => {
      const visible: Record<string, string> = {};
      for (const [name, text] of Object.entries(params)) {
        const owned =
          SHARED.has(name) || (await FIND_OWNER[name]?.(tx, environmentId, text))?.consumerId === consumerId;
        visible[name] = owned ? text : '';
      }
      return visible;
    });
    return null;
  }

  return (request) => (request.consumerId === null ? null : hideOthers(request, request.consumerId));
}

/** The dependencies of the stages after the first. */
type LaterStagesDeps = IdempotencyDeps & RateLimitDeps & TurnDeps & InFlightDeps & StoredDeps;
export type PipelineDeps = ResolveEnvironmentDeps & LaterStagesDeps;

/** Puts the stages before an operation. The result is its handler. */
type Pipeline = (
  operation: PublicDescription,
  run: RunOperation,
) => (
  received: Omit<ApiRequest, keyof Access | 'operation' | 'snapshot' | 'isStillAllowed'>,
) => Promise<Reply>;

/**
 * The stages of a protected request in order (docs/specification.md, "Request pipeline"; the tenant's turn, the limit of
 * bytes in flight, 413 and 415 come between the first two). The operation parses, validates and executes requests that pass.
 */
export function createPipeline(deps: PipelineDeps): Pipeline {
  return createPipelineFrom(createResolveEnvironmentFromToken(deps), deps);
}

/** {@link createPipeline} with another first stage, which authenticates and chooses the environment in another way. */
export function createPipelineFrom(authenticate: FirstStage, deps: LaterStagesDeps): Pipeline {
  const stages: readonly Stage[] = [
    createTakeEventLoopTurn(deps),
    createLimitBytesInFlight(deps),
    receiveBody,
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

  return (operation, run) => {
    const { scope } = operation;
    const mayShowContent = showsContent(scope);
    return async (received) => {
      const asked = { ...received, operation };
      const caller = await authenticate(asked);
      if ('refused' in caller) return caller;
      if (caller.actor === null) chargeTo(caller.snapshot.tenant.id);
      const isStillAllowed = async () => !('refused' in (await authenticate(asked)));
      const request = { ...asked, ...caller, isStillAllowed };
      const reply = await orRefusal(() => decide(request, run));
      // Idempotency comes first (docs/specification.md, "Request pipeline"): a key with a stored response by now gets it.
      // This matters for an exhausted quota: the request that used the last event may be an earlier try of this one, in
      // another process. Checking only after a refusal saves the look-up when a new key is accepted, which is nearly always.
      const preferred = 'refused' in reply ? ((await request.storedReply()) ?? reply) : reply;
      return mayShowContent ? withoutContent(request, scope, preferred) : preferred;
    };
  };
}

const NO_BODY = new Uint8Array();
const NOTHING_STORED = async () => null;
/** The owner of statements before the tenant is known. */
const UNKNOWN_CALLER = 'unknown';

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
  const answer = pipeline(operation, operation.run(deps));
  const route = expressPath(operation.path);

  return async (http, res) => {
    const params = http.params as Readonly<Record<string, string>>;
    const context = contextOf(res);
    context.facts.route = route;
    const replyHeaders: Record<string, string> = {};
    const callbacks: ((reply: Reply | null) => void)[] = [];
    const notifyDecided = (reply: Reply | null) => {
      for (const callback of callbacks) callback(reply);
    };
    const onDecided = (callback: (reply: Reply | null) => void) => {
      callbacks.push(callback);
    };
    const received = {
      ...{ http, res, context, params, replyHeaders, onDecided },
      ...{ bytes: NO_BODY, claim: null, storedReply: NOTHING_STORED },
    };
    let reply: Reply | null = null;
    try {
      reply = await inShare(
        share,
        () => answer(received),
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
