import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMay } from './access.ts';
import { keys } from './keys.ts';
import { path } from './path.ts';
import { useAdmin, useScope } from './scope.ts';
import { useSession } from './session.ts';

export interface EnvironmentNames {
  readonly id: string;
  readonly name: string;
  readonly tenantId: string;
  readonly tenantName: string;
}

/** The names of an environment and its tenant. Null while they load, or if there is no environment. */
export function useEnvironmentNames(environmentId: string | undefined): EnvironmentNames | null {
  const session = useSession();
  const admin = useAdmin();
  const may = useMay();
  const isOperator = session.role === 'operator';
  const { data = null } = useQuery({
    queryKey: keys.environmentNames(environmentId),
    queryFn: async (): Promise<EnvironmentNames> => {
      const id = environmentId ?? '';
      if (!isOperator)
        return {
          id,
          name: session.environment_name ?? '',
          tenantId: session.tenant_id ?? '',
          tenantName: session.tenant_name ?? '',
        };
      const environment = await admin.environments.get(id);
      const tenant = await admin.tenants.get(environment.tenant_id);
      return { id, name: environment.name, tenantId: tenant.id, tenantName: tenant.name };
    },
    enabled: environmentId !== undefined && (!isOperator || may('getEnvironment')),
    staleTime: 60_000,
  });
  return data;
}

/** The environment in the URL, the operations in it, and the paths of its screens: `` screen`/channels/${id}` ``. */
export function useEnvironment() {
  const { environmentId = '' } = useParams({ strict: false });
  const scope = useScope(environmentId);
  const names = useEnvironmentNames(environmentId);
  const admin = useAdmin();
  const screen = (...below: Parameters<typeof path>) => path`/e/${environmentId}` + path(...below);
  return { environmentId, scope, names, admin, screen };
}
