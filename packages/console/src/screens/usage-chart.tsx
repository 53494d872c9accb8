import type { QueryOf, Stats } from '@postrider/client';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/access.ts';
import { DAY_MS, partsOf, startsOf } from '../api/figures.ts';
import { keys } from '../api/keys.ts';
import { HOUR_MS } from '../api/scope.ts';
import { useEnvironment } from '../app/environment.tsx';
import { Chart } from '../ui/chart.tsx';
import { Segmented } from '../ui/form.tsx';
import { formatDay, formatNumber } from '../ui/format.ts';
import { Card } from '../ui/parts.tsx';
import { useRead } from '../ui/read.tsx';
import { KINDS } from './channels/forms/index.ts';

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

const SPLITS = [
  ['environment', 'By environment'],
  ['kind', 'By kind of channel'],
] as const;

/** This month by day: the accepted events by environment, or the ended deliveries by kind of channel. */
export function UsageChart({ tenantId }: { tenantId: string }) {
  const { environmentId, scope, names, admin } = useEnvironment();
  const may = useMay();
  const [split, setSplit] = useState<(typeof SPLITS)[number][0]>('environment');
  const days = new Date().getDate();
  const readsAll = scope.isOperator && may('listEnvironments');
  const [data, reading, { error }] = useRead(
    keys.usage('days', tenantId, environmentId, readsAll, days, split),
    async () => {
      const starts = startsOf(days, DAY_MS);
      const from = new Date(Math.floor((starts[0] ?? 0) / HOUR_MS) * HOUR_MS).toISOString();
      const to = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS).toISOString();
      const query: QueryOf<'getStats'> = {
        ...{ from, to, interval: 'hour' },
        ...(split === 'kind' && { group_by: 'channel_kind' }),
      };
      const all = readsAll ? await admin.environments.of(tenantId).page({ limit: MAX_ENVIRONMENTS }) : null;
      const environments = all?.data ?? [{ id: environmentId, name: names?.name ?? 'Events' }];
      const read = await Promise.all(
        environments.map(async ({ id, name }) => ({
          ...{ key: id, label: name },
          buckets: (await (readsAll ? admin.environments.stats(id, query) : scope.stats(query))).buckets,
        })),
      );
      const parts = split === 'kind' ? kindsOf(read.flatMap(({ buckets }) => buckets)) : read;
      const series = parts.map(({ key, label, buckets }, index) => ({
        ...{ key, label, token: TOKENS[index % TOKENS.length] ?? '--text-3' },
        values: partsOf(starts, buckets).map(({ accepted, delivered, failed }) =>
          split === 'kind' ? delivered + failed : accepted,
        ),
      }));
      const times = starts.map((start) => new Date(start).toISOString());
      return { split, times, series, isPartial: all?.has_more ?? false };
    },
    { enabled: may('getEnvironmentStats'), placeholderData: keepPreviousData },
  );
  if (!data || error) return reading;
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
