import type { Tenant } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { path } from '../../api/path.ts';
import { useAdmin, useInvalidate } from '../../api/session.ts';
import { ErrorNotice, useToast } from '../../ui/feedback.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { fromLocalInput, toLocalInput } from '../../ui/format.ts';
import { Confirm } from '../../ui/overlays.tsx';
import { Button, Card, CopyId, Facts, Loading, PageHead, Time } from '../../ui/parts.tsx';
import { Status } from '../../ui/status.tsx';
import { TenantUsage } from '../usage.tsx';
import { usePlanCodes } from './list.tsx';

const BILLING = ['active', 'past_due', 'suspended'] as const;

function Environments({ tenantId }: { tenantId: string }) {
  const admin = useAdmin();
  const invalidate = useInvalidate();
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>(null);
  const list = useQuery({
    queryKey: ['environments', tenantId],
    queryFn: () => admin.environments.of(tenantId).page({ limit: 100 }),
  });
  const create = async (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    try {
      await admin.environments.create(tenantId, { name: name.trim() });
      setName('');
      await invalidate('environments', tenantId);
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <Card title="Environments">
      <div className="stack">
        <ErrorNotice error={list.error ?? error} />
        {list.data?.data.length === 0 && <p className="muted">None yet. Events belong to an environment.</p>}
        <ul className="stack-tight">
          {list.data?.data.map(({ id, name: environment, created_at }) => (
            <li key={id} className="row-apart">
              <Link to={path`/e/${id}/overview` as string}>{environment}</Link>
              <span className="row small muted">
                <CopyId value={id} short />
                <Time at={created_at} format="short" />
              </span>
            </li>
          ))}
        </ul>
        <form className="filters" onSubmit={(event) => void create(event)}>
          <TextField
            label="New environment"
            placeholder="production"
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" icon={Plus}>
            Create
          </Button>
        </form>
      </div>
    </Card>
  );
}

function Account({ tenant }: { tenant: Tenant }) {
  const admin = useAdmin();
  const toast = useToast();
  const invalidate = useInvalidate();
  const plans = usePlanCodes();
  const [plan, setPlan] = useState(tenant.plan);
  const [billing, setBilling] = useState<string>(tenant.billing_status);
  const [grace, setGrace] = useState(toLocalInput(tenant.grace_ends_at ?? undefined));
  const [isConfirming, setConfirming] = useState(false);
  const save = async () => {
    await admin.tenants.update(tenant.id, {
      plan,
      billing_status: billing as Tenant['billing_status'],
      ...(billing === 'past_due' && { grace_ends_at: fromLocalInput(grace) ?? null }),
    });
    await Promise.all([invalidate('tenants'), invalidate('usage', tenant.id)]);
    toast('The tenant is changed. The change applies within 5 seconds.');
  };
  return (
    <Card
      title="Plan and billing"
      foot={
        <Button variant="primary" onClick={() => setConfirming(true)}>
          Change
        </Button>
      }
    >
      <div className="form-row">
        <SelectField
          label="Plan"
          options={plans.includes(plan) ? plans : [plan, ...plans]}
          value={plan}
          onChange={(event) => setPlan(event.target.value)}
        />
        <SelectField
          label="Billing"
          options={BILLING}
          value={billing}
          onChange={(event) => setBilling(event.target.value)}
        />
        {billing === 'past_due' && (
          <TextField
            label="Grace ends"
            type="datetime-local"
            value={grace}
            onChange={(event) => setGrace(event.target.value)}
          />
        )}
      </div>
      <Confirm
        open={isConfirming}
        danger={billing !== 'active'}
        onClose={() => setConfirming(false)}
        title={`Change ${tenant.name}`}
        action="Change the tenant"
        target={<div className="target">All environments of {tenant.name}</div>}
        onConfirm={save}
      >
        <p>
          Plan {plan}, billing {billing.replaceAll('_', ' ')}.
          {billing === 'suspended' && ' A suspended tenant’s events are refused.'}
        </p>
      </Confirm>
    </Card>
  );
}

/** One tenant: its environments, plan and usage. */
export function Screen() {
  const { tenantId = '' } = useParams({ strict: false });
  const admin = useAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ['tenants', tenantId],
    queryFn: () => admin.tenants.get(tenantId),
  });
  return (
    <>
      <Link to={'/tenants' as string} className="back">
        <ArrowLeft className="icon" aria-hidden="true" /> Tenants
      </Link>
      <PageHead title={data?.name ?? 'Tenant'} />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading />}
      {data && (
        <>
          <div className="grid-2">
            <Environments tenantId={data.id} />
            <div className="stack">
              <Card title="Tenant">
                <Facts
                  items={[
                    ['Billing', <Status key="b" value={data.billing_status} />],
                    ['Plan', <code key="p">{data.plan}</code>],
                    ['Created', <Time key="c" at={data.created_at} />],
                    ['Id', <CopyId key="i" value={data.id} />],
                  ]}
                />
              </Card>
              <Account key={data.updated_at} tenant={data} />
            </div>
          </div>
          <Card title="Usage by calendar month" flush>
            <TenantUsage tenantId={data.id} />
          </Card>
        </>
      )}
    </>
  );
}
