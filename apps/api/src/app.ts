import {
  acrossEnvironments,
  type Database,
  type DatabaseClock,
  type IngestBatch,
  type IngestEvent,
  inShare,
  type Share,
  type Snapshots,
} from '@postrider/db';
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
import { mountAdmin } from './admin/mount.ts';
import type { AdminDeps } from './admin/operation.ts';
import { adminResources } from './admin/resources.ts';
import { type ConsoleOptions, mountConsole } from './console/mount.ts';
import type { ConsoleSessions } from './console/sessions.ts';
import { type FeedbackDeps, mountFeedback } from './feedback/endpoint.ts';
import { answerFailure, type ReportFailure } from './http/failure.ts';
import { allowCrossOrigin, noStore, securityHeaders } from './http/headers.ts';
import { createHealthRouter } from './http/health.ts';
import { createApiMetrics, openRequest, type RecordRequest, recordRequests } from './http/request.ts';
import { mountRoutes, prepared, routeNotFound } from './http/routes.ts';
import { asHandler, createPipeline, type PipelineDeps, serveOperation } from './pipeline/index.ts';
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
  /** The management API's token; without it there is no management API. */
  readonly adminToken: string | null;
  /** Exports spans; none by default. */
  readonly tracing?: Tracing | null;
  /** The console and its sessions; none by default. */
  readonly console?: ConsoleOptions | null;
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
function mountPublic(deps: AppDeps, sessions: ConsoleSessions | null): Router {
  const pipeline = createPipeline({ ...deps, sessions });
  return mountRoutes(
    publicResources(deps.kinds)
      .flatMap(({ operations }) => operations)
      .map((operation) => ({ ...operation, handler: asHandler(serveOperation(pipeline, deps, operation)) })),
  );
}

/** The paths of the API that this process serves. */
const pathsOf = ({ kinds, adminToken }: Pick<AppDeps, 'kinds' | 'adminToken'>): string[] =>
  (adminToken === null ? publicResources(kinds) : resourcesOf(kinds)).flatMap(({ operations }) =>
    operations.map(({ path }) => path),
  );

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
  const secure = securityHeaders();
  const fail = answerFailure(reportTo(deps.logger));
  const adminDeps = { ...deps, db: acrossEnvironments(deps.db), hasConsole: Boolean(deps.console) };
  const console = deps.console ? mountConsole(adminDeps, deps.console) : null;
  const sessions = console?.sessions ?? null;
  const allowOrigin = allowCrossOrigin(deps.corsAllowedOrigins);

  app.use(prepared(open, record, secure));
  // First, because most requests are events, and each layer before them takes time.
  app.use('/api', allowOrigin, prepared(noStore));
  app.use(mountPublic(deps, sessions));
  app.use(inShareOf('operate', 'console'));
  if (console) app.use(console.router);
  app.use(inShareOf('read', 'pages'));
  if (deps.adminToken !== null) {
    app.use(mountAdmin(deps.adminToken, { ...adminDeps, sessions }, adminResources(deps.kinds), deps));
  }
  app.use(mountFeedback(deps, deps.trustedProxies ?? []));
  app.use(allowOrigin);
  if (deps.openApi) app.use(deps.openApi);
  app.use(prepared(noStore));
  app.use(createUnsubscribeRouter(deps));
  app.use(createWebhookKeysRouter({ ...deps, db: adminDeps.db }));
  app.use(createHealthRouter(deps));
  app.use(routeNotFound(pathsOf(deps)));
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => fail(error, req, res));
  return app;
}
