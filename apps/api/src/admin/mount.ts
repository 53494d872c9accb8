import { inShare } from '@postrider/db';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ConsoleSessions } from '../console/sessions.ts';
import { admitRequest, type BytesInFlight, reserve } from '../http/admission.ts';
import { type BodyUse, MAX_BODY_BYTES, receiveBytes } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { fixedBytes, type Memory } from '../http/memory.ts';
import { type Reply, send } from '../http/reply.ts';
import { contextOf, signalOf } from '../http/request.ts';
import { allowHeader, expressPath, methodsByPath, mountRoutes, prepared } from '../http/routes.ts';
import { ENVIRONMENT_ID } from '../openapi/parameters.ts';
import { queryOf } from '../paging/query.ts';
import { asHandler, createPipelineFrom, type PipelineDeps, serveOperation } from '../pipeline/index.ts';
import type { OperationDeps } from '../pipeline/stage.ts';
import type { StoredDeps } from '../pipeline/token-and-body.ts';
import { actingResources, createResolveEnvironmentFromPath } from './acting.ts';
import { type Authenticate, createAuthenticate } from './authenticate.ts';
import type { AdminDeps, AdminOperation, AdminResource, RunAdmin } from './operation.ts';

/** The holder of the bytes of management requests: all callers with the admin token share one account. */
const HOLDER = { owner: 'admin' };

/** Operators' statements have a share of their own, so that no tenant can delay them. */
const OPERATORS = { share: 'operate', owner: 'operators' } as const;

/** The dependencies of public operations that operators call. */
type ActingDeps = Omit<PipelineDeps, 'sessions'> & OperationDeps;

interface AdminGate extends StoredDeps {
  readonly authenticate: Authenticate;
  readonly bytesInFlight: BytesInFlight;
}

interface MountedOperation {
  readonly bodyUse: BodyUse;
  readonly memory: Memory;
  readonly run: RunAdmin;
}

async function answer(
  { authenticate, bytesInFlight, storedBytes, db }: AdminGate,
  { bodyUse, memory, run }: MountedOperation,
  http: Request,
  res: Response,
): Promise<Reply> {
  const context = contextOf(res);
  const caller = await authenticate(http, context);
  if (caller.outcome === 'refused') return caller.refusal;
  const { actor, sessionId } = caller;
  context.facts.actor = actor.name;
  const admitted = await admitRequest(bytesInFlight, {
    http,
    res,
    holder: HOLDER,
    use: bodyUse,
    limit: MAX_BODY_BYTES,
    responseBytes: fixedBytes(memory),
  });
  if ('reply' in admitted) return admitted.reply;
  const received = await receiveBytes(http, bodyUse, MAX_BODY_BYTES);
  if (received.outcome === 'refused') return received.refusal;
  const params = http.params as Readonly<Record<string, string>>;
  if (typeof memory === 'function') {
    const environmentId = ENVIRONMENT_ID.parse(params.environmentId ?? '');
    const bytes = await memory(db, { environmentId, params });
    const reserved = await reserve(storedBytes, { res, holder: HOLDER, bytes });
    if ('reply' in reserved) return reserved.reply;
  }
  const request = {
    actor,
    sessionId,
    params,
    query: queryOf(http.originalUrl),
    facts: context.facts,
  };
  const reply = await run(request, received.bytes);
  if ('body' in reply && typeof memory === 'number') {
    admitted.permit.add(Math.max(0, reply.body.byteLength - memory));
  }
  return reply;
}

function adminRoute(
  gate: AdminGate,
  deps: AdminDeps,
  { bodyUse, memory, path, run }: AdminOperation,
): RequestHandler {
  const mounted = { bodyUse, memory, run: run(deps) };
  const route = expressPath(path);
  return async (http, res) => {
    contextOf(res).facts.route = route;
    const work = () => answer(gate, mounted, http, res);
    const reply = await inShare(OPERATORS.share, work, OPERATORS.owner, () => signalOf(res));
    send(http, res, reply);
  };
}

/**
 * Responds to OPTIONS with the path's methods, but without CORS headers, so that pages of other origins cannot call
 * them.
 */
function sayMethods(path: string, methods: readonly string[]): RequestHandler {
  return (_http, res) => {
    contextOf(res).facts.route = path;
    res.status(204).setHeader('Allow', allowHeader(methods)).end();
  };
}

/**
 * Routes the operations of the management API. The admin token or the session is checked before the body is read. Pages of
 * other origins may not call it, so its responses have no CORS headers: mount it before they are set.
 */
export function mountAdmin(
  adminToken: string,
  deps: AdminDeps & Omit<AdminGate, 'authenticate'> & { readonly sessions: ConsoleSessions | null },
  resources: readonly AdminResource[],
  acting: ActingDeps,
): Router {
  const operations = resources.flatMap(({ operations }) => operations);
  const acted = actingResources(deps.kinds).flatMap(({ operations }) => operations);
  const authenticate = createAuthenticate(adminToken, deps.sessions);
  const { bytesInFlight, storedBytes, db } = deps;
  const gate = { authenticate, bytesInFlight, storedBytes, db };
  const { snapshots } = acting;
  const pipeline = createPipelineFrom(createResolveEnvironmentFromPath({ authenticate, snapshots }), acting);
  const router = Router({ caseSensitive: true });
  router.use('/admin', prepared(noStore));
  for (const [path, methods] of methodsByPath([...operations, ...acted]))
    router.options(path, sayMethods(path, methods));
  const routes = operations.map((operation) => ({
    ...operation,
    handler: adminRoute(gate, deps, operation),
  }));
  const actedRoutes = acted.map((operation) => ({
    ...operation,
    handler: asHandler(serveOperation(pipeline, acting, operation, OPERATORS)),
  }));
  return router.use(mountRoutes([...routes, ...actedRoutes]));
}
