import { useQuery } from '@tanstack/react-query';
import { useAdmin, useSession } from '../api/session.ts';
import { useEnvironment } from '../app/environment.tsx';
import { ErrorNotice } from '../ui/feedback.tsx';
import { formatNumber, formatPercent } from '../ui/format.ts';
import { Card, Figures, Loading, PageHead } from '../ui/parts.tsx';

interface Month {
  readonly period_start: string;
  readonly events_used: number;
  readonly events_limit: number | null;
}

const MONTHS = 12;
const NEAR = 0.8;

const monthName = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'long', timeZone: 'UTC' });

function Meter({ used, limit, label }: { used: number; limit: number | null; label: string }) {
  if (limit === null) return <span className="muted">unlimited</span>;
  const ratio = limit === 0 ? 1 : used / limit;
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers do not let a style sheet draw <meter> alike
    <div
      className={ratio >= NEAR ? 'meter meter-warn' : 'meter'}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={`${formatNumber(used)} of ${formatNumber(limit)}`}
    >
      <div style={{ width: `${Math.min(100, ratio * 100)}%` }} />
    </div>
  );
}

/** The months of a tenant, newest first. */
function UsageTable({ months }: { months: readonly Month[] }) {
  return (
    <div className="table-wrap">
      <table className="table" aria-label="Usage by month">
        <thead>
          <tr>
            <th scope="col">Month (UTC)</th>
            <th scope="col" className="end">
              Events
            </th>
            <th scope="col" className="end">
              Limit
            </th>
            <th scope="col">Used</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ period_start, events_used, events_limit }) => {
            const name = monthName.format(new Date(period_start));
            return (
              <tr key={period_start}>
                <td>{name}</td>
                <td className="end number">{formatNumber(events_used)}</td>
                <td className="end number">
                  {events_limit === null ? 'unlimited' : formatNumber(events_limit)}
                </td>
                <td>
                  <div className="row">
                    <div className="grow">
                      <Meter used={events_used} limit={events_limit} label={name} />
                    </div>
                    {events_limit !== null && events_limit > 0 && (
                      <span className="small muted number">{formatPercent(events_used / events_limit)}</span>
                    )}
                  </div>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function TenantUsage({ tenantId }: { tenantId: string }) {
  const admin = useAdmin();
  const { data, error } = useQuery({
    queryKey: ['usage', tenantId],
    queryFn: () => admin.tenants.usage(tenantId, { months: MONTHS }),
  });
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <Loading />;
  return <UsageTable months={data.items} />;
}

function OwnUsage() {
  const { environmentId, scope } = useEnvironment();
  const { data, error } = useQuery({
    queryKey: ['usage', 'own', environmentId],
    queryFn: () => scope.usage(),
  });
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <Loading />;
  const { events, period, deliveries } = data;
  return (
    <>
      <Card title="This month" flush>
        <UsageTable
          months={[{ period_start: period.start, events_used: events.used, events_limit: events.limit }]}
        />
      </Card>
      <Figures
        label="Deliveries of this month"
        items={(['succeeded', 'failed', 'cancelled', 'pending'] as const).map(
          (name) => [name[0]?.toUpperCase() + name.slice(1), formatNumber(deliveries[name])] as const,
        )}
      />
    </>
  );
}

/** The events of the tenant against its plan, by calendar month. */
export function Screen() {
  const { names } = useEnvironment();
  const { role } = useSession();
  return (
    <>
      <PageHead
        title="Usage"
        about={
          names &&
          `Events and replays of ${names.tenantName} both count. All its environments share the quota.`
        }
      />
      {role === 'integrator' && <OwnUsage />}
      {role === 'operator' && names && (
        <Card title="By calendar month" flush>
          <TenantUsage tenantId={names.tenantId} />
        </Card>
      )}
      {!names && <Loading />}
    </>
  );
}
