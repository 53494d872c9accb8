import {
  acrossEnvironments,
  type Database,
  type DatabaseClock,
  type IngestBatch,
  type IngestEvent,
  inShare,
  type Share,
  type Snapshots,
  withinEnvironment,
} from '@postrider/db';
import { createOriginLookup } from '@postrider/listener';
import type { Enqueue } from '@postrider/queue';
import { createBoundedLog, type Logger, type Metrics, type Tracing } from '@postrider/telemetry';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { createActorOf } from './admin/actor.ts';
import { mountAdmin } from './admin/mount.ts';
import type { AdminDeps } from './admin/operation.ts';
import { adminResources } from './admin/resources.ts';
import { type SelfServiceDeps, selfServiceResources } from './admin/self-service.ts';
import type { SiteFiles } from './console/files.ts';
import { type ConsoleOptions, mountConsole } from './console/mount.ts';
import type { ConsoleSessions } from './console/sessions.ts';
import { type FeedbackDeps, mountFeedback } from './feedback/endpoint.ts';
import { answerFailure, type ReportFailure } from './http/failure.ts';
import { allowCrossOrigin, defaultHeaders } from './http/headers.ts';
import { createHealthRouter } from './http/health.ts';
import { createApiMetrics, openRequest, type RecordRequest, recordRequests } from './http/request.ts';
import { mountRoutes, prepared, routeNotFound } from './http/routes.ts';
import type { Resource } from './openapi/operation.ts';
import { asHandler, createPipeline, type PipelineDeps, serveOperation } from './pipeline/index.ts';
import type { Operation } from './pipeline/stage.ts';
import type { TurnDeps } from './pipeline/token-and-body.ts';
import { mountPortal } from './portal/mount.ts';
import { publicResources, resourcesOf } from './resources.ts';
import type { Streams } from './stream/streams.ts';
import { createUnsubscribeRouter } from './unsubscribe/mount.ts';
import { createWebhookKeysRouter } from './webhook-keys/router.ts';

/** Dependencies of the API. Several apps in one process share only these. */
export interface AppDeps
  extends Omit<PipelineDeps, 'sessions'>,
    Omit<AdminDeps, 'db' | 'adminToken' | 'hasConsole'>,
    FeedbackDeps {
  readonly db: Database;
  readonly snapshots: Snapshots;
  readonly clock: DatabaseClock;
  readonly ingest: IngestEvent;
  readonly ingestBatch: IngestBatch;
  readonly reportEventError: (error: unknown) => void;
  readonly enqueue: Enqueue;
  readonly streams: Streams;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Why the last event could not be stored, if that was just now; never by default. */
  readonly acceptanceProblem?: () => string | null;
  /** Whether Redis is connected; reported by `/readyz`, but not required. */
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

/** Writes one log line and one measurement per request. */
function recordTo(logger: Logger, metrics: Metrics): RecordRequest {
  const measure = createApiMetrics(metrics);
  return (request) => {
    measure(request);
    const { method, route, status, durationMs, fields } = request;
    const line = { method, route, status, duration_ms: durationMs, ...fields };
    if (status !== null && status >= 500) logger.error('request', line);
    else logger.info('request', line);
  };
}

/**
 * Logged stack traces per minute and kind of failure; one while Postgres cannot be used, when all requests fail alike. Every
 * request still has its log line.
 */
const FAILURES_PER_MINUTE = 10;

function reportTo(logger: Logger): ReportFailure {
  const failures = createBoundedLog(logger, { perKeyPerMinute: FAILURES_PER_MINUTE });
  const outages = createBoundedLog(logger, { perKeyPerMinute: 1 });
  return (failure) => {
    const { error_code: code, error, postgres } = failure;
    if (postgres === undefined) failures.error(`${code} ${error}`, 'request failed', failure);
    else outages.error(String(postgres), 'request failed', failure);
  };
}

/** Routes the operations of the public API behind their pipeline. A method without an operation gets 405. */
function mountPublic(
  app: Express,
  deps: AppDeps,
  ownDeps: SelfServiceDeps,
  sessions: ConsoleSessions | null,
): void {
  const pipeline = createPipeline({ ...deps, sessions });
  const allowOrigin = allowCrossOrigin(deps.corsAllowedOrigins);
  const routesOf = <Deps extends TurnDeps>({ operations }: Resource<Operation<Deps>>, of: Deps) =>
    operations.map((operation) => ({
      ...operation,
      handler: asHandler(serveOperation(pipeline, of, operation)),
    }));
  const [events = [], ...others] = publicResources(deps.kinds).map((resource) => routesOf(resource, deps));
  const own = selfServiceResources(deps.kinds).map((resource) => routesOf(resource, ownDeps));
  // On the app itself and first, because most requests are events, and each layer before them takes time.
  mountRoutes(events, app.router, [allowOrigin]);
  app.use('/api', allowOrigin);
  app.use(mountRoutes([...others, ...own].flat()));
}

/** Charges the statements of later handlers, unless they choose a share themselves. */
const inShareOf =
  (share: Share, owner: string): RequestHandler =>
  (_req, _res, next) =>
    inShare(share, next, owner);

/** Creates the app. It does not listen or open connections. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');

  const open = openRequest(deps);
  const record = recordRequests(recordTo(deps.logger, deps.metrics), deps.monotonicNow);
  const fail = answerFailure(reportTo(deps.logger));
  const adminDeps = { ...deps, db: acrossEnvironments(deps.db), hasConsole: Boolean(deps.console) };
  const originOf = createOriginLookup(deps.trustedProxies ?? []);
  const actorOf = createActorOf(originOf);
  const console = deps.console ? mountConsole({ ...adminDeps, originOf, actorOf }, deps.console) : null;
  const sessions = console?.sessions ?? null;

  app.use(prepared(open, record, defaultHeaders()));
  mountPublic(app, deps, { ...adminDeps, db: withinEnvironment(deps.db), actorOf }, sessions);
  app.use(inShareOf('operate', 'console'));
  if (console) app.use(console.router);
  app.use(mountPortal({ ...adminDeps, originOf, actorOf }));
  app.use(inShareOf('read', 'pages'));
  app.use(mountAdmin({ ...adminDeps, sessions, actorOf }, adminResources(deps.kinds), deps));
  app.use(mountFeedback(deps, originOf));
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
