import type { Tenant } from '@postrider/client';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { keys, path, useAdmin } from '../api/index.ts';
import { ErrorNotice } from '../ui/feedback.tsx';
import { bind, TextField } from '../ui/form.tsx';
import { Dialog } from '../ui/overlays.tsx';
import { Button, Loading } from '../ui/parts.tsx';
import { useRead } from '../ui/read.tsx';
import { usePaged } from '../ui/table.tsx';
import { useRecent } from './settings.ts';

export function useEnvironmentsOf(tenantId: string) {
  const admin = useAdmin();
  return useRead(keys.environments(tenantId), () => admin.environments.of(tenantId).page({ limit: 100 }), {
    rows: 1,
  });
}

function Environments({ tenantId, onChoose }: { tenantId: string; onChoose: (id: string) => void }) {
  const [data, placeholder] = useEnvironmentsOf(tenantId);
  if (!data || placeholder) return placeholder;
  if (data.data.length === 0) return <p className="muted">This tenant has no environment yet.</p>;
  return (
    <div className="row">
      {data.data.map(({ id, name }) => (
        <Button key={id} small onClick={() => onChoose(id)}>
          {name}
        </Button>
      ))}
    </div>
  );
}

/** The tenants whose name or id contains a text, each shown by `children`. */
export function TenantList({ children }: { children: (tenant: Tenant) => ReactNode }) {
  const admin = useAdmin();
  const [filter, setFilter] = useState('');
  const tenants = usePaged(keys.tenants('switcher'), (query) => admin.tenants.page(query));
  const shown = tenants.rows?.filter(({ name, id }) =>
    `${name} ${id}`.toLowerCase().includes(filter.toLowerCase()),
  );
  return (
    <>
      <TextField label="Tenant" placeholder="Part of the name" {...bind(filter, setFilter)} />
      <ErrorNotice error={tenants.error} />
      {!shown && !tenants.error && <Loading />}
      {shown?.map(children)}
      {tenants.hasNextPage && (
        <Button busy={tenants.isFetchingNextPage} onClick={() => void tenants.fetchNextPage()}>
          More tenants
        </Button>
      )}
    </>
  );
}

/** Selects the environment that the screens show. */
export function EnvironmentSwitcher({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const recent = useRecent();
  const choose = (environmentId: string) => {
    onClose();
    const [, , , screen = 'overview'] = window.location.hash.match(/^#\/(e)\/([^/]+)\/([\w-]+)/) ?? [];
    void navigate({ to: path`/e/${environmentId}/${screen}` });
  };
  return (
    <Dialog onClose={onClose} title="Switch the environment">
      {recent.length > 0 && (
        <div className="stack-tight">
          <h3>Recent</h3>
          <div className="row">
            {recent.map(({ id, name, tenant }) => (
              <Button key={id} small onClick={() => choose(id)}>
                {tenant} / {name}
              </Button>
            ))}
          </div>
        </div>
      )}
      <TenantList>
        {({ id, name }) => (
          <div key={id} className="stack-tight">
            <h3 className="break">{name}</h3>
            <Environments tenantId={id} onChoose={choose} />
          </div>
        )}
      </TenantList>
    </Dialog>
  );
}
