import { useParams } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { useEffect } from 'react';
import { useMay } from '../api/access.ts';
import { keys } from '../api/keys.ts';
import { path } from '../api/path.ts';
import { useAdmin, useScope } from '../api/scope.ts';
import { useSession } from '../api/session.ts';
import { useRead } from '../ui/read.tsx';
import { rememberEnvironment } from './settings.ts';

interface EnvironmentNames {
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
  const [data] = useRead(
    keys.environmentNames(environmentId),
    async (): Promise<EnvironmentNames> => {
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
    { enabled: environmentId !== undefined && (!isOperator || may('getEnvironment')), staleTime: 60_000 },
  );
  useEffect(() => {
    if (data && isOperator) rememberEnvironment({ id: data.id, name: data.name, tenant: data.tenantName });
  }, [data, isOperator]);
  return data ?? null;
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

const isProduction = (name: string) => /^(prod|live)/i.test(name);

/** "Tenant / environment", with a mark for production that is more than a colour. */
export function EnvironmentName({ names }: { names: EnvironmentNames | null }) {
  if (!names) return <span className="muted">…</span>;
  return (
    <>
      <span
        className={`scope-dot ${isProduction(names.name) ? 'scope-dot-production' : ''}`}
        aria-hidden="true"
      />
      <span className="scope-tenant truncate">{names.tenantName}</span>
      <span aria-hidden="true" className="muted">
        /
      </span>
      <span className="scope-name truncate">{names.name}</span>
    </>
  );
}

/** The tenant and environment that an action changes, for its dialog; nothing outside an environment. */
export function Target() {
  const { environmentId, names } = useEnvironment();
  if (!environmentId) return null;
  return (
    <div className="target">
      <Building2 className="icon" aria-hidden="true" />
      <span className="muted">In</span>
      <EnvironmentName names={names} />
    </div>
  );
}
