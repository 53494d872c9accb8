import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/access.ts';
import { DAY_MS, partsOf, startsOf } from '../api/figures.ts';
import { keys } from '../api/keys.ts';
import { HOUR_MS, useAdmin } from '../api/scope.ts';
import { useEnvironment } from '../app/environment.tsx';
import { Chart } from '../ui/chart.tsx';
import { ErrorNotice } from '../ui/feedback.tsx';
import { formatDay, formatNumber } from '../ui/format.ts';
import { Card, Loading } from '../ui/parts.tsx';

/** As many as the chart has colours. */
const MAX_ENVIRONMENTS = 5;
const TOKENS = ['--accent', '--ok', '--warn', '--bad', '--text-3'];

/** How many events the month will have at its pace so far, and when its limit is reached. Months are those of UTC. */
export function Forecast({ used, limit, start }: { used: number; limit: number | null; start: string }) {
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

/** The accepted events of this month by day, split by environment. */
export function UsageChart({ tenantId }: { tenantId: string }) {
  const { environmentId, scope, names } = useEnvironment();
  const admin = useAdmin();
  const may = useMay();
  const days = new Date().getDate();
  const readsAll = scope.isOperator && may('listEnvironments');
  const { data, error } = useQuery({
    queryKey: keys.usage('days', tenantId, environmentId, readsAll),
    enabled: may('getEnvironmentStats'),
    queryFn: async () => {
      const starts = startsOf(days, DAY_MS);
      const from = new Date(Math.floor((starts[0] ?? 0) / HOUR_MS) * HOUR_MS).toISOString();
      const to = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS).toISOString();
      const range = { from, to, interval: 'hour' } as const;
      const all = readsAll ? await admin.environments.of(tenantId).page({ limit: MAX_ENVIRONMENTS }) : null;
      const environments = all?.data ?? [{ id: environmentId, name: names?.name ?? 'Events' }];
      const series = await Promise.all(
        environments.map(async ({ id, name }, index) => {
          const { buckets } = await (readsAll ? admin.environments.stats(id, range) : scope.stats(range));
          const values = partsOf(starts, buckets).map(({ accepted }) => accepted);
          return { key: id, label: name, token: TOKENS[index] ?? '--text-3', values };
        }),
      );
      const times = starts.map((start) => new Date(start).toISOString());
      return { times, series, isPartial: all?.has_more ?? false };
    },
  });
  if (error) return <ErrorNotice error={error} />;
  if (!data) return may('getEnvironmentStats') ? <Loading /> : null;
  if (data.series.every(({ values }) => values.every((value) => value === 0))) return null;
  return (
    <Card title="This month, by day and environment">
      <Chart
        label="Events by day and environment"
        times={data.times}
        stepMs={DAY_MS}
        shape="bars"
        series={data.series}
      />
      {data.isPartial && (
        <p className="small muted">{`The newest ${MAX_ENVIRONMENTS} environments are shown.`}</p>
      )}
    </Card>
  );
}
