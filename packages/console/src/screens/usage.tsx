import { keys } from '../api/keys.ts';
import { useAdmin } from '../api/scope.ts';
import { useSession } from '../api/session.ts';
import { useEnvironment } from '../app/environment.tsx';
import { formatNumber, formatPercent } from '../ui/format.ts';
import { type Columns, Table } from '../ui/list.tsx';
import { Card, Figures, Loading, PageHead } from '../ui/parts.tsx';
import { useRead } from '../ui/read.tsx';
import { Forecast, UsageChart } from './usage-chart.tsx';

interface Month {
  readonly period_start: string;
  readonly events_used: number;
  readonly events_limit: number | null;
}

const MONTHS = 12;
const NEAR = 0.8;

const monthName = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'long', timeZone: 'UTC' });

/** How much of a limit is used; null: there is none. */
export function Meter({ used, limit, label }: { used: number; limit: number | null; label: string }) {
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

const nameOf = ({ period_start }: Month) => monthName.format(new Date(period_start));

const COLUMNS: Columns<Month> = {
  'Month (UTC)': nameOf,
  Events: { end: ({ events_used }) => <span className="number">{formatNumber(events_used)}</span> },
  Limit: {
    end: ({ events_limit: limit }) => (
      <span className="number">{limit === null ? 'unlimited' : formatNumber(limit)}</span>
    ),
  },
  Used: (month) => (
    <div className="row">
      <div className="grow">
        <Meter used={month.events_used} limit={month.events_limit} label={nameOf(month)} />
      </div>
      {month.events_limit !== null && month.events_limit > 0 && (
        <span className="small muted number">{formatPercent(month.events_used / month.events_limit)}</span>
      )}
    </div>
  ),
};

/** The months of a tenant, newest first. */
function UsageTable({ months }: { months: readonly Month[] }) {
  return (
    <Table
      label="Usage by month"
      rows={months}
      columns={COLUMNS}
      keyOf={({ period_start }) => period_start}
    />
  );
}

export function TenantUsage({ tenantId }: { tenantId: string }) {
  const admin = useAdmin();
  const [data, reading] = useRead(keys.usage(tenantId), () =>
    admin.tenants.usage(tenantId, { months: MONTHS }),
  );
  if (!data || reading) return reading;
  const [month] = data.items;
  return (
    <>
      <UsageTable months={data.items} />
      {month && <Forecast used={month.events_used} limit={month.events_limit} start={month.period_start} />}
    </>
  );
}

function OwnUsage() {
  const { environmentId, scope } = useEnvironment();
  const [data, reading] = useRead(keys.usage('own', environmentId), () => scope.usage());
  if (!data || reading) return reading;
  const { events, period, deliveries } = data;
  return (
    <>
      <Card title="This month" flush>
        <UsageTable
          months={[{ period_start: period.start, events_used: events.used, events_limit: events.limit }]}
        />
        <Forecast used={events.used} limit={events.limit} start={period.start} />
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
      {names && <UsageChart tenantId={names.tenantId} />}
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
