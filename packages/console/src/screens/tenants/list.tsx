import type { Tenant } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Building2, Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/access.ts';
import { keys } from '../../api/keys.ts';
import { path } from '../../api/path.ts';
import { useAdmin } from '../../api/scope.ts';
import { Change } from '../../ui/change.tsx';
import { Empty } from '../../ui/feedback.tsx';
import { bind, SelectField, TextField } from '../../ui/form.tsx';
import { type Column, PagedTable, usePaged } from '../../ui/list.tsx';
import { Button, CopyId, PageHead, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';

/** The codes of the plans, for a choice. */
export function usePlanCodes(): readonly string[] {
  const admin = useAdmin();
  const may = useMay();
  const { data } = useQuery({
    queryKey: keys.plans('codes'),
    enabled: may('listPlans'),
    queryFn: () => admin.plans.page({ limit: 100 }),
  });
  return data?.data.map(({ code }) => code) ?? [];
}

function CreateTenant({ onClose }: { onClose: () => void }) {
  const admin = useAdmin();
  const navigate = useNavigate();
  const plans = usePlanCodes();
  const [name, setName] = useState('');
  const [plan, setPlan] = useState('');
  const create = async () => {
    const { id } = await admin.tenants.create({ name, plan: plan || (plans[0] ?? '') });
    await navigate({ to: path`/tenants/${id}` });
  };
  return (
    <Change
      danger={false}
      onClose={onClose}
      title="Create a tenant"
      action="Create"
      change={create}
      shownIn={[keys.tenants()]}
    >
      <TextField label="Name" required {...bind(name, setName)} />
      <SelectField label="Plan" options={plans} {...bind(plan, setPlan)} />
    </Change>
  );
}

/** The customers of the installation. */
export function Screen() {
  const admin = useAdmin();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const list = usePaged(keys.tenants('list'), (query) => admin.tenants.page(query));
  const to = ({ id }: Tenant) => path`/tenants/${id}`;
  const columns: Column<Tenant>[] = [
    {
      name: 'Name',
      cell: (tenant) => (
        <Link className="break" to={to(tenant)}>
          {tenant.name}
        </Link>
      ),
    },
    { name: 'Plan', cell: ({ plan }) => <code className="break">{plan}</code> },
    { name: 'Billing', cell: ({ billing_status }) => <Status value={billing_status} /> },
    { name: 'Id', cell: ({ id }) => <CopyId value={id} short /> },
    { name: 'Created', isEnd: true, cell: ({ created_at }) => <Time at={created_at} format="short" /> },
  ];
  return (
    <>
      <PageHead title="Tenants" about="The customers of this installation. Each has its own environments.">
        <Button variant="primary" icon={Plus} operation="createTenant" onClick={() => setCreating(true)}>
          Create a tenant
        </Button>
      </PageHead>
      <PagedTable
        label="Tenants"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={(tenant) => void navigate({ to: to(tenant) })}
        empty={
          <Empty
            icon={Building2}
            title="There is no tenant yet"
            command="npm run postrider -- tenants create --name Acme --plan starter"
          >
            Create a plan first, then a tenant on it.
          </Empty>
        }
      />
      {isCreating && <CreateTenant onClose={() => setCreating(false)} />}
    </>
  );
}
