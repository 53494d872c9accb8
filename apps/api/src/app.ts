import type { IncomingMessage, ServerResponse } from 'node:http';
import { isNativeError } from 'node:util/types';
import {
  acrossEnvironments,
  type Database,
  type DatabaseClock,
  type IngestBatch,
  type IngestEvent,
  inShare,
  isDatabaseUnreachable,
  isSpentByOwner,
  isTransactionConflict,
  type Share,
  type Snapshots,
  withinEnvironment,
} from '@postrider/db';
import { type ErrorCode, type Refusal, RefusedError, refuse, retryLater } from '@postrider/domain';
import { createOriginLookup } from '@postrider/listener';
import type { Enqueue } from '@postrider/queue';
import type { LogErrors, Logger, Metrics, Tracing } from '@postrider/telemetry';
import cors from 'cors';
import type { Express, NextFunction, Request, RequestHandler, Response, Router } from 'express';
import express from 'express';
import { createResolveEnvironmentFromToken, type ResolveEnvironmentDeps } from './access/access.ts';
import { createActorOf } from './admin/authenticate.ts';
import { mountAdmin } from './admin/mount.ts';
import type { AdminDeps } from './admin/operation.ts';
import { adminResources } from './admin/resources.ts';
import { type SelfServiceDeps, selfServiceResources } from './admin/self-service.ts';
import type { SiteFiles } from './console/files.ts';
import { type ConsoleOptions, mountConsole } from './console/mount.ts';
import type { ConsoleSessions } from './console/sessions.ts';
import { createEventConsumers } from './events/consumers.ts';
import { type FeedbackDeps, mountFeedback } from './feedback/endpoint.ts';
import { UNKNOWN_CALLER } from './http/admission.ts';
import { createHealthRouter } from './http/health.ts';
import { send } from './http/reply.ts';
import { ClientGoneError, contextOf, prepareRequests } from './http/request.ts';
import { mountRoutes, routeNotFound } from './http/routes.ts';
import { mountMcp } from './mcp/mount.ts';
import { createOwnCalls } from './mcp/own-calls.ts';
import type { Resource } from './openapi/operation.ts';
import {
  createPipeline,
  environmentStages,
  type PipelineDeps,
  serveOperation,
  type TurnDeps,
} from './pipeline/index.ts';
import { createSpentQuota } from './pipeline/limits.ts';
import type { Operation, OperationDeps } from './pipeline/operation.ts';
import { mountPortal } from './portal/mount.ts';
import { actingOperations, EVENTS, publicResources, resourcesOf } from './resources.ts';
import type { Streams } from './stream/streams.ts';
import { createUnsubscribeRouter } from './unsubscribe/mount.ts';
import { createWebhookKeysRouter } from './webhook-keys/router.ts';

/** Dependencies of the API. Several apps in one process share only these. */
export interface AppDeps
  extends Omit<PipelineDeps, 'db'>,
    Omit<ResolveEnvironmentDeps, 'sessions'>,
    Omit<AdminDeps, 'db' | 'adminToken' | 'hasConsole'>,
    FeedbackDeps {
  readonly db: Database;
  readonly snapshots: Snapshots;
  readonly clock: DatabaseClock;
  readonly ingest: IngestEvent;
  readonly ingestBatch: IngestBatch;
  /** Logs errors of work with the database, and requests that fail. */
  readonly logDatabaseErrors: LogErrors;
  readonly enqueue: Enqueue;
  readonly streams: Streams;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Why the last event could not be stored, if that was just now; never by default. */
  readonly acceptanceProblem?: () => string | null;
  /** Whether Redis takes jobs; reported by `/readyz`, but not required. */
  readonly redisReady: () => boolean;
  /** Whether the process is stopping, which makes it not ready. */
  readonly isStopping?: () => boolean;
  readonly corsAllowedOrigins: '*' | readonly string[];
  /** Networks of proxies that may state the client's address; none by default. */
  readonly trustedProxies?: readonly string[];
  /** The token with all rights; null if it is switched off. */
  readonly adminToken: string | null;
  /** Exports spans; none by default. */
  readonly tracing?: Tracing | null;
  /** The console and its sessions; none by default. */
  readonly console?: ConsoleOptions | null;
  /** The page of the portal; none by default. */
  readonly portal?: SiteFiles | null;
  /** Serves /openapi.json and /docs. */
  readonly openApi?: Router;
}

/** Creates the app. It does not listen or open connections. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');

  const fail = answerFailure(deps.logDatabaseErrors);
  const spentQuota = createSpentQuota(deps.snapshots);
  const operationDeps = { ...deps, spentQuota, eventConsumers: createEventConsumers(deps) };
  const adminDeps = { ...deps, db: acrossEnvironments(deps.db), hasConsole: Boolean(deps.console) };
  const ownCalls = createOwnCalls(createOriginLookup(deps.trustedProxies ?? []));
  const { originOf } = ownCalls;
  const actorOf = createActorOf(originOf);
  const console = deps.console ? mountConsole({ ...adminDeps, originOf, actorOf }, deps.console) : null;
  const sessions = console?.sessions ?? null;

  app.use(prepareRequests(deps));
  mountPublic(app, operationDeps, { ...adminDeps, db: withinEnvironment(deps.db), actorOf }, sessions);
  app.use(inShareOf('operate', 'console'));
  if (console) app.use(console.router);
  app.use(mountPortal({ ...adminDeps, originOf, actorOf }));
  app.use(inShareOf('read', 'pages'));
  const acted = actingOperations(deps.kinds);
  app.use(mountAdmin({ ...adminDeps, sessions, actorOf }, adminResources(deps.kinds), operationDeps, acted));
  app.use(mountFeedback(deps, originOf));
  app.use(mountMcp(deps, ownCalls));
  app.use(allowCrossOrigin(deps.corsAllowedOrigins));
  if (deps.openApi) app.use(deps.openApi);
  app.use(createUnsubscribeRouter(deps));
  app.use(createWebhookKeysRouter({ ...deps, db: adminDeps.db }));
  app.use(createHealthRouter(deps));
  app.use(
    routeNotFound(resourcesOf(deps.kinds).flatMap(({ operations }) => operations.map(({ path }) => path))),
  );
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => fail(error, req, res));
  return app;
}

/** Routes the operations of the public API behind their pipeline. A method without an operation gets 405. */
function mountPublic(
  app: Express,
  deps: AppDeps & OperationDeps,
  ownDeps: SelfServiceDeps,
  sessions: ConsoleSessions | null,
): void {
  const pipeline = createPipeline(
    createResolveEnvironmentFromToken({ ...deps, sessions }),
    environmentStages(deps),
  );
  const allowOrigin = allowCrossOrigin(deps.corsAllowedOrigins);
  const routesOf = <Deps extends TurnDeps>({ operations }: Resource<Operation<Deps>>, of: Deps) =>
    operations.map((operation) => ({
      ...operation,
      handler: serveOperation(pipeline, of, operation, {
        share: operation.traits.share,
        owner: UNKNOWN_CALLER,
      }),
    }));
  // On the app itself and first, because most requests are events, and each layer before them takes time.
  mountRoutes(routesOf(EVENTS, deps), app.router, [allowOrigin]);
  app.use('/api', allowOrigin);
  const others = publicResources(deps.kinds).filter((resource) => resource !== EVENTS);
  const routes = others.flatMap((resource) => routesOf(resource, deps));
  const own = selfServiceResources(deps.kinds).flatMap((resource) => routesOf(resource, ownDeps));
  app.use(mountRoutes([...routes, ...own]));
}

/** Charges the statements of later handlers, unless they choose a share themselves. */
const inShareOf =
  (share: Share, owner: string): RequestHandler =>
  (_req, _res, next) =>
    inShare(share, next, owner);

/** How long a browser may cache a preflight, in seconds. Chromium's limit is 2 hours. */
const PREFLIGHT_MAX_AGE_S = 7_200;

/** Response headers that scripts may read in addition to the safelisted ones. One text, which `cors` need not join for each request. */
const EXPOSED_HEADERS = 'X-Request-ID,X-Trace-ID,RateLimit,RateLimit-Policy,Retry-After,Idempotent-Replayed';

/**
 * Responds to OPTIONS on every path, even an unknown one, with 204 and without a token, and lets pages of the allowed
 * origins read responses (docs/specification.md, "CORS"). Credentials are never allowed, because the token
 * is sent in a header.
 */
function allowCrossOrigin(allowedOrigins: '*' | readonly string[]): RequestHandler {
  return cors({
    origin: allowedOrigins === '*' ? '*' : [...allowedOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Accept',
      'Idempotency-Key',
      'X-Request-ID',
      'X-Reason',
    ],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_S,
    optionsSuccessStatus: 204,
  });
}

/** Seconds after which a client may retry while Postgres is unreachable. A failover takes a few seconds. */
const UNAVAILABLE_RETRY_AFTER_S = 2;

/** Not reported as failures: the client caused them. The log line of the request has their status. */
const CAUSED_BY_CLIENT: ReadonlySet<ErrorCode> = new Set(['route_not_found', 'rate_limited']);

/**
 * Responds to a thrown error: with its own refusal, 503 if Postgres cannot be used or has ended a deadlock, 429 if the tenant's
 * own reads use its connections, 404 for a path that cannot be decoded, otherwise 500 without internal details, which are
 * logged instead.
 */
function answerFailure(
  logErrors: LogErrors,
): (error: unknown, req: IncomingMessage, res: ServerResponse) => void {
  return (error, req, res) => {
    if (error instanceof ClientGoneError || res.headersSent) {
      res.destroy();
      return;
    }
    const { requestId, traceId } = contextOf(res);
    const refusal = toRefusal(error);
    if (!(error instanceof RefusedError || CAUSED_BY_CLIENT.has(refusal.refused))) {
      const kind = `${refusal.refused} ${isNativeError(error) ? error.name : typeof error}`;
      const fields = { error_code: refusal.refused, request_id: requestId, trace_id: traceId };
      logErrors(kind, 'request failed', fields)(error);
    }
    send(req, res, refusal);
  };
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  // The router could not decode the path, so there is no such resource.
  if (isNativeError(error) && error.name === 'URIError') return refuse('route_not_found');
  if (isSpentByOwner(error)) {
    const message =
      'Too many of your reads are waiting for the database: retry after the time in Retry-After.';
    return retryLater('rate_limited', UNAVAILABLE_RETRY_AFTER_S, message);
  }
  if (isDatabaseUnreachable(error) || isTransactionConflict(error)) {
    return retryLater('service_unavailable', UNAVAILABLE_RETRY_AFTER_S);
  }
  return refuse('internal_error');
}
