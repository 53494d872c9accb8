import { chargeTo, inShare, isWithin, type Snapshots, type UnboundDatabase } from '@postrider/db';
import { formatId, refuse } from '@postrider/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { refuseWithoutScope } from '../access/access.ts';
import { withinBounds } from '../access/bounds.ts';
import { withoutContent } from '../access/content.ts';
import {
  admitAndReadBody,
  type ByteLimit,
  MAX_BODY_BYTES,
  OPERATORS,
  reserveStored,
  type StoredBytesDeps,
  takeEventLoopTurn,
} from '../http/admission.ts';
import { type Reply, send } from '../http/reply.ts';
import { contextOf, signalOf } from '../http/request.ts';
import { allowHeader, expressPath, methodsByPath, mountRoutes } from '../http/routes.ts';
import { PATH_PARAMETERS } from '../openapi/parameters.ts';
import { queryOf } from '../paging/query.ts';
import { createPipeline, type PipelineDeps, serveOperation, type TurnDeps } from '../pipeline/index.ts';
import type { FirstStage, Operation, OperationDeps } from '../pipeline/stage.ts';
import { type Authenticate, type AuthenticateDeps, createAuthenticate } from './authenticate.ts';
import type { AdminDeps, AdminOperation, AdminResource, RunAdmin } from './operation.ts';

const OF_TOKEN = '/api/v1/';
const OF_OPERATOR = '/admin/v1/environments/{environmentId}/';
const REFUSED_TO_OPERATORS = ['environment_not_found', 'validation_failed'] as const;

/**
 * The operations of the public API that operators can call for any environment. They use the same pipeline and code; only
 * the authentication and the choice of the environment differ.
 */
export const actedBy = ({ asOperator, ...operation }: Operation): Operation[] =>
  asOperator === undefined
    ? []
    : [
        {
          ...operation,
          operationId: asOperator,
          path: operation.path.replace(OF_TOKEN, OF_OPERATOR),
          summary: `${operation.summary}, as an operator`,
          description: `${operation.description} Limits, quota and idempotency are those of the environment.`,
          parameters: [PATH_PARAMETERS.environmentId, ...operation.parameters],
          errors: [...new Set([...operation.errors, ...REFUSED_TO_OPERATORS])],
        },
      ];

/** The first stage for operators: takes the environment from the path. */
function createResolveEnvironmentFromPath({
  authenticate,
  snapshots,
}: {
  readonly authenticate: Authenticate;
  readonly snapshots: Pick<Snapshots, 'environment'>;
}): FirstStage {
  return async ({ http, params, context, operation }) => {
    const access = await authenticate(http, context);
    if ('refused' in access) return access;
    context.facts.actor = access.actor.name;
    const refusal = refuseWithoutScope(access, operation.scope);
    if (refusal) return refusal;
    const id = PATH_PARAMETERS.environmentId.parse(String(params.environmentId));
    const snapshot = id === null ? null : await snapshots.environment(id);
    const { bounds } = access;
    if (
      !snapshot ||
      (bounds && !isWithin(bounds, { tenantId: snapshot.tenant.id, environmentId: snapshot.environment.id }))
    )
      return refuse('environment_not_found');
    context.facts.tenant_id = formatId('ten', snapshot.tenant.id);
    context.facts.environment_id = formatId('env', snapshot.environment.id);
    return { ...access, snapshot };
  };
}

/** Operators' statements have a share of their own, so that no tenant can delay them. Callers take turns in it. */
const OPERATOR_USE = { share: 'operate', owner: OPERATORS } as const;

/** The dependencies of public operations that operators call. */
type ActingDeps = PipelineDeps & OperationDeps & { readonly snapshots: Pick<Snapshots, 'environment'> };

interface AdminGate extends StoredBytesDeps, TurnDeps {
  readonly authenticate: Authenticate;
  readonly bytesInFlight: ByteLimit;
  readonly db: UnboundDatabase;
}

interface MountedOperation {
  readonly operation: AdminOperation;
  readonly run: RunAdmin;
}

async function answer(
  { authenticate, turns, bytesInFlight, storedBytes, db }: AdminGate,
  { operation, run }: MountedOperation,
  http: Request,
  res: Response,
): Promise<Reply> {
  const { bodyUse, memory, scope, maxBodyBytes = MAX_BODY_BYTES } = operation;
  const context = contextOf(res);
  const access = await authenticate(http, context);
  if ('refused' in access) return access;
  context.facts.actor = access.actor.name;
  const refusal = refuseWithoutScope(access, scope);
  if (refusal) return refusal;
  chargeTo(access.callerId);
  await takeEventLoopTurn(turns, context);
  const within = await withinBounds(db, access, operation, http.params as Record<string, string>);
  if ('refused' in within) return within;
  const { params } = within;
  const holder = { owner: OPERATORS, part: access.callerId };
  const asked = { http, res, holder, use: bodyUse, limit: maxBodyBytes, memory };
  const { bytes, charge } = await admitAndReadBody(bytesInFlight, asked);
  const environmentId = PATH_PARAMETERS.environmentId.parse(params.environmentId ?? '');
  await reserveStored({ db, storedBytes }, memory, { environmentId, params, res, holder });
  const request = {
    ...access,
    isOutsider: false,
    params,
    query: queryOf(http.originalUrl),
    facts: context.facts,
  };
  const reply = withoutContent(access, scope, await run(request, bytes));
  charge(reply);
  return reply;
}

function adminRoute(gate: AdminGate, deps: AdminDeps, operation: AdminOperation): RequestHandler {
  const mounted = { operation, run: operation.run(deps) };
  const route = expressPath(operation.path);
  return async (http, res) => {
    const context = contextOf(res);
    context.facts.route = route;
    const work = () => answer(gate, mounted, http, res);
    const reply = await inShare(OPERATOR_USE.share, work, OPERATOR_USE.owner, () => signalOf(res)).finally(
      () => takeEventLoopTurn(gate.turns, context),
    );
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
 * Routes the operations of the management API. The token or the session is checked before the body is read. Pages of
 * other origins may not call it, so its responses have no CORS headers: mount it before they are set.
 */
export function mountAdmin(
  deps: AdminDeps & Omit<AdminGate, 'authenticate'> & AuthenticateDeps,
  resources: readonly AdminResource[],
  acting: ActingDeps,
  acted: readonly Operation[],
): Router {
  const operations = resources.flatMap(({ operations }) => operations);
  const authenticate = createAuthenticate(deps);
  const { turns, bytesInFlight, storedBytes, db } = deps;
  const gate = { authenticate, turns, bytesInFlight, storedBytes, db };
  const { snapshots } = acting;
  const pipeline = createPipeline(createResolveEnvironmentFromPath({ authenticate, snapshots }), acting);
  const router = Router({ caseSensitive: true });
  for (const [path, methods] of methodsByPath([...operations, ...acted]))
    router.options(path, sayMethods(path, methods));
  const routes = operations.map((operation) => ({
    ...operation,
    handler: adminRoute(gate, deps, operation),
  }));
  const actedRoutes = acted.map((operation) => ({
    ...operation,
    handler: serveOperation(pipeline, acting, operation, OPERATOR_USE),
  }));
  return router.use(mountRoutes([...routes, ...actedRoutes]));
}
