import type { Tenant } from '@postrider/client';
import { Link, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { keys, path, useAdmin, useInvalidate, useMay, useSession } from '../../api/index.ts';
import { useEnvironmentsOf } from '../../app/environment-switcher.tsx';
import { Back, ErrorNotice, Status, useRead } from '../../ui/display.ts';
import { fromLocalInput, toLocalInput } from '../../ui/format.ts';
import { bind, Change, SelectField, submitting, TextField, useTask } from '../../ui/input.ts';
import { Button, Card, CopyId, Facts, May, PageHead, Time } from '../../ui/parts.tsx';
import { TenantUsage } from '../usage.tsx';
import { usePlanCodes } from './list.tsx';

const BILLING = ['active', 'past_due', 'suspended'] as const;

/** Whether the user’s bounds, if any, include the whole tenant, and not only some of its environments: others cannot change it. */
function useSeesWhole(tenantId: string): boolean {
  const { tenants, environments } = useSession().account;
  return (tenants === null && environments === null) || Boolean(tenants?.includes(tenantId));
}

function Environments({ tenantId }: { tenantId: string }) {
  const admin = useAdmin();
  const invalidate = useInvalidate();
  const may = useMay();
  const seesWholeTenant = useSeesWhole(tenantId);
  const [name, setName] = useState('');
  const [environments, , { error }] = useEnvironmentsOf(tenantId);
  const creating = useTask();
  const create = async () => {
    await admin.environments.create(tenantId, { name: name.trim() });
    setName('');
    await invalidate(keys.environments(tenantId));
  };
  return (
    <Card title="Environments">
      <div className="stack">
        <ErrorNotice error={error ?? creating.error} />
        {environments?.data.length === 0 && (
          <p className="muted">None yet. Events belong to an environment.</p>
        )}
        <ul className="stack-tight">
          {environments?.data.map(({ id, name: environment, created_at }) => (
            <li key={id} className="row-apart">
              <Link to={path`/e/${id}/overview`}>{environment}</Link>
              <span className="row small muted">
                <CopyId value={id} short />
                <Time at={created_at} format="short" />
              </span>
            </li>
          ))}
        </ul>
        {may('createEnvironment') && seesWholeTenant && (
          <form className="filters" onSubmit={submitting(() => void creating.run(create))}>
            <TextField label="New environment" placeholder="production" required {...bind(name, setName)} />
            <Button type="submit" icon={Plus}>
              Create
            </Button>
          </form>
        )}
      </div>
    </Card>
  );
}

function Account({ tenant }: { tenant: Tenant }) {
  const admin = useAdmin();
  const plans = usePlanCodes();
  const [plan, setPlan] = useState(tenant.plan);
  const [billing, setBilling] = useState<string>(tenant.billing_status);
  const [grace, setGrace] = useState(toLocalInput(tenant.grace_ends_at ?? undefined));
  const save = () =>
    admin.tenants.update(tenant.id, {
      plan,
      billing_status: billing as Tenant['billing_status'],
      ...(billing === 'past_due' && { grace_ends_at: fromLocalInput(grace) ?? null }),
    });
  const question = (
    <Change
      danger={billing !== 'active'}
      title={`Change ${tenant.name}`}
      action="Change the tenant"
      target={<div className="target">All environments of {tenant.name}</div>}
      change={save}
      shownIn={[keys.tenants(), keys.usage(tenant.id)]}
      done="The tenant is changed. The change applies within 5 seconds."
    >
      <p>
        Plan {plan}, billing {billing.replaceAll('_', ' ')}.
        {billing === 'suspended' && ' A suspended tenant’s events are refused.'}
      </p>
    </Change>
  );
  return (
    <Card
      title="Plan and billing"
      foot={
        <Button variant="primary" dialog={question}>
          Change
        </Button>
      }
    >
      <div className="form-row">
        <SelectField
          label="Plan"
          options={plans.includes(plan) ? plans : [plan, ...plans]}
          {...bind(plan, setPlan)}
        />
        <SelectField label="Billing" options={BILLING} {...bind(billing, setBilling)} />
        {billing === 'past_due' && (
          <TextField label="Grace ends" type="datetime-local" {...bind(grace, setGrace)} />
        )}
      </div>
    </Card>
  );
}

/** One tenant: its environments, plan and usage. */
export function Screen() {
  const { tenantId = '' } = useParams({ strict: false });
  const may = useMay();
  const seesWholeTenant = useSeesWhole(tenantId);
  const admin = useAdmin();
  const [data, placeholder] = useRead(keys.tenants(tenantId), () => admin.tenants.get(tenantId));
  return (
    <>
      <Back to="/tenants">Tenants</Back>
      <PageHead title={data?.name ?? 'Tenant'} />
      {placeholder}
      {data && (
        <>
          <div className="grid-2">
            <Environments tenantId={data.id} />
            <div className="stack">
              <Card title="Tenant">
                <Facts
                  items={{
                    Billing: <Status value={data.billing_status} />,
                    Plan: <code>{data.plan}</code>,
                    Created: <Time at={data.created_at} />,
                    Id: <CopyId value={data.id} />,
                  }}
                />
              </Card>
              {may('updateTenant') && seesWholeTenant && <Account key={data.updated_at} tenant={data} />}
            </div>
          </div>
          <May operation="getTenantUsage">
            <Card title="Usage by calendar month" flush>
              <TenantUsage tenantId={data.id} />
            </Card>
          </May>
        </>
      )}
    </>
  );
}
