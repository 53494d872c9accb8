import { Building2 } from 'lucide-react';
import { type EnvironmentNames, useEnvironment } from '../api/environment.ts';

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
