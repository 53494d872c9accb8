import type { BodyOf, Tenant } from '@postrider/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { keys, path, useAdmin, useMay } from '../../api/index.ts';
import { ListScreen, Status, useRead } from '../../ui/display.ts';
import { ChangeForm, choice, type Json, text } from '../../ui/input.ts';
import { CopyId, Time } from '../../ui/parts.tsx';

/** The codes of the plans, for a choice. */
export function usePlanCodes(): readonly string[] {
  const admin = useAdmin();
  const may = useMay();
  const [data] = useRead(keys.plans('codes'), () => admin.plans.page({ limit: 100 }), {
    enabled: may('listPlans'),
  });
  return data?.data.map(({ code }) => code) ?? [];
}

function CreateTenant() {
  const admin = useAdmin();
  const navigate = useNavigate();
  const plans = usePlanCodes();
  const create = async ({ name, plan = plans[0] }: Json) => {
    const { id } = await admin.tenants.create({ name, plan } as BodyOf<'createTenant'>);
    await navigate({ to: path`/tenants/${id}` });
  };
  return (
    <ChangeForm
      title="Create a tenant"
      action="Create"
      fields={[
        text('name', 'Name', { required: true }),
        choice('plan', 'Plan', { options: Object.fromEntries(plans.map((code) => [code, code])) }),
      ]}
      change={create}
      shownIn={[keys.tenants()]}
    />
  );
}

/** The customers of the installation. */
export function Screen() {
  const admin = useAdmin();
  const to = ({ id }: Tenant) => path`/tenants/${id}`;
  return (
    <ListScreen
      title="Tenants"
      about="The customers of this installation. Each has its own environments."
      create={{ label: 'Create a tenant', operation: 'createTenant', dialog: <CreateTenant /> }}
      queryKey={keys.tenants('list')}
      read={(query) => admin.tenants.page(query)}
      to={to}
      columns={{
        Name: (tenant) => (
          <Link className="break" to={to(tenant)}>
            {tenant.name}
          </Link>
        ),
        Plan: ({ plan }) => <code className="break">{plan}</code>,
        Billing: ({ billing_status }) => <Status value={billing_status} />,
        Id: ({ id }) => <CopyId value={id} short />,
        Created: { end: ({ created_at }) => <Time at={created_at} format="short" /> },
      }}
      empty={{
        icon: Building2,
        title: 'No tenants yet',
        command: 'npm run postrider -- tenants create --name Acme --plan starter',
        children: 'Create a plan first, then a tenant on it.',
      }}
    />
  );
}
