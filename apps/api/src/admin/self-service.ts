import { perRegistry } from '@postrider/channels';
import { inEnvironment, limitChanges } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { hideBeyondBounds } from '../access/access.ts';
import { MAX_BODY_BYTES } from '../http/admission.ts';
import type { Resource } from '../openapi/operation.ts';
import { PATH_PARAMETERS, REASON } from '../openapi/parameters.ts';
import type { TurnDeps } from '../pipeline/index.ts';
import type { Operation } from '../pipeline/operation.ts';
import type { ActorOf } from './authenticate.ts';
import type { AdminCall, AdminDeps, AdminOperation } from './operation.ts';
import { adminResources } from './resources.ts';

const OF_TOKEN = '/api/v1/';
const OF_OPERATOR = /^\/admin\/v1\/(?:environments\/\{environmentId\}\/)?/;

/** The name of an operation for tokens: `createChannel` is `createOwnChannel`. */
const ownName = (operationId: string) => operationId.replace(/^[a-z]+/, '$&Own');

/** Dependencies of the operations, whose `db` is bound to the current environment. */
export type SelfServiceDeps = AdminDeps & TurnDeps & { readonly actorOf: ActorOf };
type OwnOperation = Operation<SelfServiceDeps>;

/**
 * Runs an operation in the scope of the token's environment, in which row-level security hides rows of others. That holds
 * for roles that do not own the tables, so the ids of the path are checked in any case.
 */
function runOwn(operation: AdminOperation): OwnOperation['run'] {
  return (deps) => {
    const { db, actorOf } = deps;
    const run = operation.run(deps);
    const isChange = operation.forTokens !== 'reads';
    return async (request) => {
      const { snapshot, callerId, consumerId, sessionId } = request;
      const id = formatId('tok', callerId);
      const credentialId = sessionId === null ? id : formatId('ses', sessionId);
      const caller =
        consumerId === null
          ? ({ name: id, kind: 'environment_token' } as const)
          : ({ name: consumerId, kind: 'consumer_token' } as const);
      const actor = actorOf(request.http, request.context, { ...caller, credentialId });
      const { id: environmentId } = snapshot.environment;
      const bounds = { tenantIds: [], environmentIds: [environmentId] };
      const params = { ...request.params, environmentId: formatId('env', environmentId) };
      const call: AdminCall = { ...request, operation, bounds, actor, params, isOutsider: true };
      return inEnvironment(environmentId, async () => {
        await hideBeyondBounds(db, call);
        if (isChange) await limitChanges(db, { environmentId, consumerId });
        return run(call);
      });
    };
  };
}

function ownOf(operation: AdminOperation): OwnOperation[] {
  const { operationId, path, forTokens: effect, ...description } = operation;
  if (!effect) return [];
  return [
    {
      ...description,
      operationId: ownName(operationId),
      path: path.replace(OF_OPERATOR, OF_TOKEN),
      maxBodyBytes: MAX_BODY_BYTES,
      parameters: [
        ...operation.parameters.filter((parameter) => parameter !== PATH_PARAMETERS.environmentId),
        ...(operation.method === 'get' ? [] : [REASON]),
      ],
      errors: [
        ...operation.errors.filter((code) => code !== 'environment_not_found'),
        // An invalid X-Reason.
        'validation_failed',
        ...(effect === 'stores more' ? (['conflict'] as const) : []),
      ],
      traits: {
        idempotency: { key: 'ignored' },
        share: 'read',
        checksQuotaAndPayment: effect === 'delivers',
      },
      run: runOwn(operation),
    },
  ];
}

/**
 * The self-service part of the public API: operations of the management API that a token calls for its own environment.
 * They run the same code, by the pipeline of the public API and in a database scope of that environment.
 */
export const selfServiceResources = perRegistry((kinds): readonly Resource<OwnOperation>[] =>
  adminResources(kinds)
    // The schemas are those of the management API.
    .map(({ tag, operations }) => ({ tag, schemas: {}, operations: operations.flatMap(ownOf) }))
    .filter(({ operations }) => operations.length > 0),
);
