import type { QueryOf, Stats } from '@postrider/client';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import {
  DAY_MS,
  HOUR_MS,
  keys,
  partsOf,
  startsOf,
  useAdmin,
  useEnvironment,
  useMay,
  useSession,
} from '../api/index.ts';
import { Chart } from '../ui/chart.tsx';
import { type Columns, Table, useRead } from '../ui/display.ts';
import { formatDay, formatNumber, formatPercent } from '../ui/format.ts';
import { Segmented } from '../ui/input.ts';
import { Card, Figures, Loading, PageHead } from '../ui/parts.tsx';
import { KINDS } from './channels/forms/index.ts';

/** As many as the chart has colours. */
const MAX_ENVIRONMENTS = 5;
const TOKENS = ['--accent', '--ok', '--warn', '--bad', '--text-3'];

/** How many events the month will have at its pace so far, and when its limit is reached. Months are those of UTC. */
function Forecast({ used, limit, start }: { used: number; limit: number | null; start: string }) {
  const begin = Date.parse(start);
  const month = new Date(begin);
  const end = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
  const elapsed = Date.now() - begin;
  // The first day says little about a month.
  if (used === 0 || elapsed < DAY_MS || Date.now() >= end) return null;
  const total = Math.round((used / elapsed) * (end - begin));
  const reached = limit !== null && used < limit && total > limit ? begin + (limit / used) * elapsed : null;
  return (
    <p className="card-foot">
      <span>
        At the pace so far the month ends with about <strong>{formatNumber(total)}</strong> events
        {reached !== null && (
          <>
            ; the limit is reached on <strong>{formatDay(new Date(reached).toISOString())}</strong>
          </>
        )}
        .
      </span>
    </p>
  );
}

const SPLITS = [
  ['environment', 'By environment'],
  ['kind', 'By kind of channel'],
] as const;

/** This month by day: the accepted events by environment, or the ended deliveries by kind of channel. */
function UsageChart({ tenantId }: { tenantId: string }) {
  const { environmentId, scope, names, admin } = useEnvironment();
  const may = useMay();
  const [split, setSplit] = useState<(typeof SPLITS)[number][0]>('environment');
  const days = new Date().getDate();
  const readsAll = scope.isOperator && may('listEnvironments');
  const [data, placeholder, { error }] = useRead(
    keys.usage('days', tenantId, environmentId, readsAll, days, split),
    async () => {
      const starts = startsOf(days, DAY_MS);
      const from = new Date(Math.floor((starts[0] ?? 0) / HOUR_MS) * HOUR_MS).toISOString();
      const to = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS).toISOString();
      const query: QueryOf<'getStats'> = {
        from,
        to,
        interval: 'hour',
        ...(split === 'kind' && { group_by: 'channel_kind' }),
      };
      const all = readsAll ? await admin.environments.of(tenantId).page({ limit: MAX_ENVIRONMENTS }) : null;
      const environments = all?.data ?? [{ id: environmentId, name: names?.name ?? 'Events' }];
      const read = await Promise.all(
        environments.map(async ({ id, name }) => ({
          key: id,
          label: name,
          buckets: (await (readsAll ? admin.environments.stats(id, query) : scope.stats(query))).buckets,
        })),
      );
      const parts = split === 'kind' ? kindsOf(read.flatMap(({ buckets }) => buckets)) : read;
      const series = parts.map(({ key, label, buckets }, index) => ({
        key,
        label,
        token: TOKENS[index % TOKENS.length] ?? '--text-3',
        values: partsOf(starts, buckets).map(({ accepted, delivered, failed }) =>
          split === 'kind' ? delivered + failed : accepted,
        ),
      }));
      const times = starts.map((start) => new Date(start).toISOString());
      return { split, times, series, isPartial: all?.has_more ?? false };
    },
    { enabled: may('getEnvironmentStats'), placeholderData: keepPreviousData },
  );
  if (!data || error) return placeholder;
  const isEmpty = data.series.every(({ values }) => values.every((value) => value === 0));
  if (isEmpty && data.split === 'environment') return null;
  const what = data.split === 'kind' ? 'Deliveries' : 'Events';
  return (
    <Card title={`${what} of this month, by day`}>
      <Segmented label="Split" options={SPLITS} value={split} onChange={setSplit} />
      {isEmpty ? (
        <p className="muted">No delivery has ended yet.</p>
      ) : (
        <Chart
          label={`${what} by day and ${data.split}`}
          times={data.times}
          stepMs={DAY_MS}
          shape="bars"
          series={data.series}
        />
      )}
      {data.isPartial && (
        <p className="small muted">{`The newest ${MAX_ENVIRONMENTS} environments are counted.`}</p>
      )}
    </Card>
  );
}

/** The figures of each kind of channel. */
function kindsOf(buckets: Stats['buckets']) {
  const groups = buckets.flatMap(({ start, groups = [] }) => groups.map((group) => ({ start, ...group })));
  return [...new Set(groups.map(({ key }) => key))].sort().map((kind) => ({
    key: kind,
    label: KINDS[kind]?.name ?? kind,
    buckets: groups.filter(({ key }) => key === kind),
  }));
}

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
  const [data, placeholder] = useRead(keys.usage(tenantId), () =>
    admin.tenants.usage(tenantId, { months: MONTHS }),
  );
  if (!data || placeholder) return placeholder;
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
  const [data, placeholder] = useRead(keys.usage('own', environmentId), () => scope.usage());
  if (!data || placeholder) return placeholder;
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
