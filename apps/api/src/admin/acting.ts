import { isWithin, type Snapshots } from '@postrider/db';
import { formatId, refuse } from '@postrider/domain';
import { refuseWithoutScope } from '../access/access.ts';
import { PATH_PARAMETERS } from '../openapi/parameters.ts';
import type { FirstStage, Operation } from '../pipeline/stage.ts';
import type { Authenticate } from './authenticate.ts';

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
export function createResolveEnvironmentFromPath({
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
