import { isWithin, type Snapshots } from '@postrider/db';
import { formatId, reject } from '@postrider/domain';
import { type RequestHandler, Router } from 'express';
import { hideBeyondBounds, requireScope } from '../access/access.ts';
import { OPERATORS } from '../http/admission.ts';
import { contextOf } from '../http/request.ts';
import { allowHeader, methodsByPath, mountRoutes } from '../http/routes.ts';
import { PATH_PARAMETERS } from '../openapi/parameters.ts';
import {
  type BodyDeps,
  createAdmitAndReadBody,
  createFindCallerAgain,
  createPipeline,
  createReserveStored,
  createTakeEventLoopTurn,
  environmentStages,
  type PipelineDeps,
  type StoredBytesDeps,
  serveOperation,
  type TurnDeps,
} from '../pipeline/index.ts';
import type { Operation, OperationDeps } from '../pipeline/operation.ts';
import type { FirstStage } from '../pipeline/stage.ts';
import { type Authenticate, type AuthenticateDeps, createAuthenticate } from './authenticate.ts';
import type { AdminCall, AdminDeps, AdminResource } from './operation.ts';

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

/** The first stage of the management API: an operator with the operation's scope. */
const createFindOperator =
  (authenticate: Authenticate): FirstStage<AdminCall> =>
  async ({ http, context, operation }) => {
    const access = await authenticate(http, context);
    context.facts.actor = access.actor.name;
    requireScope(access, operation.scope);
    return { ...access, isOutsider: false, holder: { owner: OPERATORS, part: access.callerId } };
  };

/** The same for operations of the public API: takes the environment from the path. */
const createFindEnvironmentOfPath =
  (findOperator: FirstStage<AdminCall>, snapshots: Pick<Snapshots, 'environment'>): FirstStage =>
  async (request) => {
    const access = await findOperator(request);
    const { context, params } = request;
    const id = PATH_PARAMETERS.environmentId.parse(String(params.environmentId));
    const snapshot = id === null ? null : await snapshots.environment(id);
    const { bounds, callerId } = access;
    if (
      !snapshot ||
      (bounds && !isWithin(bounds, { tenantId: snapshot.tenant.id, environmentId: snapshot.environment.id }))
    )
      reject('environment_not_found');
    context.facts.tenant_id = formatId('ten', snapshot.tenant.id);
    context.facts.environment_id = formatId('env', snapshot.environment.id);
    return { ...access, snapshot, holder: { owner: snapshot.tenant.id, part: callerId } };
  };

/** Operators' statements have a share of their own, so that no tenant can delay them. Callers take turns in it. */
const OPERATOR_USE = { share: 'operate', owner: OPERATORS } as const;

/** The dependencies of public operations that operators call. */
type ActingDeps = PipelineDeps & OperationDeps & { readonly snapshots: Pick<Snapshots, 'environment'> };

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
  deps: AdminDeps & AuthenticateDeps & TurnDeps & StoredBytesDeps & BodyDeps,
  resources: readonly AdminResource[],
  acting: ActingDeps,
  acted: readonly Operation[],
): Router {
  const operations = resources.flatMap(({ operations }) => operations);
  const findOperator = createFindOperator(createAuthenticate(deps));
  const hide = (request: AdminCall) => hideBeyondBounds(deps.db, request);
  const pipeline = createPipeline(findOperator, [
    createTakeEventLoopTurn(deps),
    createAdmitAndReadBody(deps),
    hide,
    createReserveStored(deps),
    createFindCallerAgain(deps, hide),
  ]);
  const ofPath = createPipeline(
    createFindEnvironmentOfPath(findOperator, acting.snapshots),
    environmentStages(acting),
  );
  const router = Router({ caseSensitive: true });
  for (const [path, methods] of methodsByPath([...operations, ...acted]))
    router.options(path, sayMethods(path, methods));
  const routes = operations.map((operation) => ({
    ...operation,
    handler: serveOperation(pipeline, deps, operation, OPERATOR_USE),
  }));
  const actedRoutes = acted.map((operation) => ({
    ...operation,
    handler: serveOperation(ofPath, acting, operation, OPERATOR_USE),
  }));
  return router.use(mountRoutes([...routes, ...actedRoutes]));
}
