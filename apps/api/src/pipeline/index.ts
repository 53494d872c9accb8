import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  chargeTo,
  type Database,
  inShare,
  type Queryable,
  readInEnvironments,
  readOwnedBatch,
  type Share,
} from '@postrider/db';
import { parseId } from '@postrider/domain';
import type { Turns } from '@postrider/fairness';
import type { RequestHandler } from 'express';
import { createResolveEnvironmentFromToken, type ResolveEnvironmentDeps } from '../access/access.ts';
import { showsContent, withoutContent } from '../access/content.ts';
import { receiveBytes, takeTurn } from '../http/admission.ts';
import { type Reply, send } from '../http/reply.ts';
import { contextOf, signalOf } from '../http/request.ts';
import { expressPath } from '../http/routes.ts';
import { createEnforceIdempotency, type IdempotencyDeps, preferStoredReply } from './idempotency.ts';
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
import type {
  Admitted,
  Authenticated,
  Identified,
  Operation,
  Received,
  Stage,
  Step,
  WithBody,
} from './stage.ts';

/** A sequence of stages. The types ensure that each stage gets its input, so a wrong order does not compile. */
interface Pipeline<In, Out> {
  readonly next: <Further>(stage: Stage<Out, Further>) => Pipeline<In, Further>;
  readonly run: (request: In) => Promise<Step<Out>>;
}

function startWith<In, Out>(first: Stage<In, Out>): Pipeline<In, Out> {
  return pipelineOf([first as AnyStage]);
}

type AnyStage = Stage<unknown, unknown>;

/** The caller's types ensure that each stage gets what the one before it passes. */
function pipelineOf<In, Out>(stages: readonly AnyStage[]): Pipeline<In, Out> {
  return {
    next: <Further>(stage: Stage<Out, Further>) => pipelineOf<In, Further>([...stages, stage as AnyStage]),
    async run(request) {
      let passed: unknown = request;
      for (const stage of stages) {
        const taken = stage(passed);
        const step = taken instanceof Promise ? await taken : taken;
        if ('reply' in step) return step;
        passed = step.passed;
      }
      return { passed: passed as Out };
    },
  };
}

export interface TurnDeps {
  /** The turns of all requests of the process. */
  readonly turns: Turns;
}

/** Right after the token: lets tenants take turns, see {@link takeTurn}. */
function createTakeTurn({ turns }: TurnDeps): Stage<Admitted, Admitted> {
  return (request) => {
    const turn = takeTurn(turns, request.context);
    return turn instanceof Promise ? turn.then(() => ({ passed: request })) : { passed: request };
  };
}

/**
 * Reads the raw body once the token is known (docs/specification.md, "Request pipeline"). It is parsed after the last
 * stage.
 */
const receiveBody: Stage<Admitted, WithBody> = async (request) => {
  const { http, traits } = request;
  const received = await receiveBytes(http, traits.body, limitOf(request));
  return received.outcome === 'refused'
    ? { reply: received.refusal }
    : { passed: { ...request, bytes: received.bytes } };
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
function createHideOthers({ db }: { readonly db: Database }): Stage<Identified, Identified> {
  async function hideOthers(request: Identified, consumerId: string): Promise<Step<Identified>> {
    const { params, snapshot } = request;
    const environmentId = snapshot.environment.id;
    const own = await readInEnvironments(db, [environmentId], async (tx) => {
      const visible: Record<string, string> = {};
      for (const [name, text] of Object.entries(params)) {
        const owned =
          SHARED.has(name) || (await FIND_OWNER[name]?.(tx, environmentId, text))?.consumerId === consumerId;
        visible[name] = owned ? text : '';
      }
      return visible;
    });
    return { passed: { ...request, params: own } };
  }

  return (request) =>
    request.consumerId === null ? { passed: request } : hideOthers(request, request.consumerId);
}

/** The dependencies of the stages after the first. */
type LaterStagesDeps = IdempotencyDeps & RateLimitDeps & TurnDeps & InFlightDeps & StoredDeps;
export type PipelineDeps = ResolveEnvironmentDeps & LaterStagesDeps;

/** Wraps a stage so that a stored response replaces its refusal: see {@link preferStoredReply}. */
function afterIdempotency(stage: Stage<Identified, Identified>): Stage<Identified, Identified> {
  async function preferStored(request: Identified, step: Step<Identified>): Promise<Step<Identified>> {
    return 'passed' in step ? step : { reply: await preferStoredReply(request, step.reply) };
  }
  return (request) => {
    const step = stage(request);
    if (step instanceof Promise) return step.then((settled) => preferStored(request, settled));
    return 'passed' in step ? step : preferStored(request, step);
  };
}

/**
 * The stages of a protected request in order (docs/specification.md, "Request pipeline"; the tenant's turn, the limit of
 * bytes in flight, 413 and 415 come between the first two). The operation parses, validates and executes requests that pass.
 */
export function createPipeline(deps: PipelineDeps): Pipeline<Received, Identified> {
  return createPipelineFrom(createResolveEnvironmentFromToken(deps), deps);
}

/** {@link createPipeline} with another first stage, which authenticates and chooses the environment in another way. */
export function createPipelineFrom(
  first: Stage<Received, Authenticated>,
  deps: LaterStagesDeps,
): Pipeline<Received, Identified> {
  return startWith(async (request: Received): Promise<Step<Admitted>> => {
    const step = await first(request);
    if ('reply' in step) return step;
    if (step.passed.actor === null) chargeTo(step.passed.snapshot.tenant.id);
    const isStillAllowed = async () => !('reply' in (await first(request)));
    return { passed: { ...step.passed, isStillAllowed } };
  })
    .next(createTakeTurn(deps))
    .next(createLimitBytesInFlight(deps))
    .next(receiveBody)
    .next(createEnforceIdempotency(deps))
    .next(afterIdempotency(enforceHardQuota))
    .next(afterIdempotency(enforcePaymentAccess))
    .next(createEnforceRateLimit(deps))
    .next(createHideOthers(deps))
    .next(afterIdempotency(createReserveStored(deps)))
    .next(afterIdempotency(createParseOneByOne()));
}

/** Serves a request of an operation, with the parameters of its path. Rejects with any error that was thrown. */
export type ServeOperation = (
  http: IncomingMessage,
  res: ServerResponse,
  params: Readonly<Record<string, string>>,
) => Promise<void>;

/** The owner of statements before the tenant is known. */
const UNKNOWN_CALLER = 'unknown';

/**
 * The handler of an operation: runs the pipeline and the operation, notifies the stages of the reply, and sends it.
 * @param use the share and the owner of its statements; by default its own, and the tenant
 */
export function serveOperation<Deps>(
  pipeline: Pipeline<Received, Identified>,
  deps: Deps & TurnDeps,
  operation: Operation<Deps>,
  { share, owner }: { share: Share; owner: string } = {
    share: operation.traits.share,
    owner: UNKNOWN_CALLER,
  },
): ServeOperation {
  const run = operation.run(deps);
  const { traits, memory, scope, forConsumers: isForConsumers = false } = operation;
  const route = expressPath(operation.path);
  const mayShowContent = showsContent(scope);

  async function decide(received: Received): Promise<Reply> {
    const step = await pipeline.run(received);
    if ('reply' in step) return step.reply;
    const reply = await preferStoredReply(step.passed, await run(step.passed));
    return mayShowContent ? withoutContent(step.passed, scope, reply) : reply;
  }

  return async (http, res, params) => {
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
    let reply: Reply;
    try {
      const received = {
        ...{ http, res, params, context, traits, memory, scope, isForConsumers, replyHeaders },
        onDecided,
      };
      reply = await inShare(
        share,
        () => decide(received),
        owner,
        () => signalOf(res),
      );
    } catch (error) {
      notifyDecided(null);
      await takeTurn(deps.turns, context);
      throw error;
    }
    notifyDecided(reply);
    await takeTurn(deps.turns, context);
    send(http, res, { ...reply, headers: { ...replyHeaders, ...reply.headers } });
  };
}

/** {@link serveOperation} as a handler of Express. */
export const asHandler =
  (serve: ServeOperation): RequestHandler =>
  (http, res) =>
    serve(http, res, http.params as Readonly<Record<string, string>>);
