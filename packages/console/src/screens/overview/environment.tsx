import type { Stats } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useMay } from '../../api/access.ts';
import { path } from '../../api/path.ts';
import { HOUR_MS, lastDay } from '../../api/scope.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { ErrorNotice } from '../../ui/feedback.tsx';
import { formatDuration, formatLatency, formatNumber, formatSuccessRate } from '../../ui/format.ts';
import { Card, Figures, Loading, PageHead } from '../../ui/parts.tsx';
import { AttentionList } from './attention.tsx';

const Chart = lazy(async () => ({ default: (await import('../../ui/chart.tsx')).Chart }));

const REFRESH_MS = 30_000;

function Totals({ totals }: { totals: Stats['totals'] }) {
  const items = [
    ['Accepted', formatNumber(totals.accepted)],
    ['Delivered', formatNumber(totals.delivered)],
    ['Failed', formatNumber(totals.failed)],
    ['Success rate', formatSuccessRate(totals)],
    ['Latency, p95', formatLatency(totals.latency_ms?.p95)],
  ] as const;
  return <Figures label="The last 24 hours" items={items} />;
}

const NOTHING = {
  accepted: 0,
  delivered: 0,
  failed: 0,
  attempts: 0,
  bounced: 0,
  complained: 0,
  latency_ms: null,
};

/** Adds the hours that an answer leaves out because nothing was counted in them. */
function everyHour({ from, to, buckets }: Stats): Stats['buckets'] {
  const byStart = new Map(buckets.map((bucket) => [Date.parse(bucket.start), bucket]));
  const hours = Math.round((Date.parse(to) - Date.parse(from)) / HOUR_MS);
  return Array.from({ length: hours }, (_, index) => {
    const at = Date.parse(from) + index * HOUR_MS;
    return byStart.get(at) ?? { start: new Date(at).toISOString(), ...NOTHING };
  });
}

function Charts({ stats }: { stats: Stats }) {
  const buckets = useMemo(() => everyHour(stats), [stats]);
  const times = useMemo(() => buckets.map(({ start }) => start), [buckets]);
  const events = useMemo(
    () => [
      { label: 'Accepted', token: '--info', values: buckets.map(({ accepted }) => accepted) },
      { label: 'Delivered', token: '--ok', values: buckets.map(({ delivered }) => delivered) },
      { label: 'Failed', token: '--bad', values: buckets.map(({ failed }) => failed) },
    ],
    [buckets],
  );
  const latency = useMemo(
    () =>
      (['p50', 'p95', 'p99'] as const).map((name, index) => ({
        label: name,
        token: ['--ok', '--info', '--warn'][index] ?? '--info',
        values: buckets.map(({ latency_ms }) => latency_ms?.[name] ?? null),
        format: formatDuration,
      })),
    [buckets],
  );
  return (
    <div className="grid-2">
      <Card title="Events and deliveries, by hour">
        <Suspense fallback={<Loading />}>
          <Chart label="Events and deliveries of the last 24 hours" times={times} series={events} bars />
        </Suspense>
      </Card>
      <Card title="From acceptance to the first byte, by hour">
        <Suspense fallback={<Loading />}>
          <Chart label="Latency of the last 24 hours" times={times} series={latency} />
        </Suspense>
      </Card>
    </div>
  );
}

/** What needs action in one environment, and its last 24 hours. */
export function Screen() {
  const { environmentId, scope, names } = useEnvironment();
  const may = useMay();
  const attention = useQuery({
    queryKey: ['attention', environmentId],
    enabled: may('getEnvironmentAttention'),
    queryFn: () => scope.attention(),
    refetchInterval: REFRESH_MS,
  });
  const stats = useQuery({
    queryKey: ['stats', environmentId, 'day'],
    queryFn: () => scope.stats(lastDay()),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHead title="Overview" about={names && `${names.tenantName} / ${names.name}, the last 24 hours.`} />
      <ErrorNotice error={attention.error ?? stats.error} onRetry={() => void stats.refetch()} />
      {attention.data && <AttentionList attention={attention.data} environmentId={environmentId} />}
      {!stats.data && !stats.error && <Loading />}
      {stats.data && <Totals totals={stats.data.totals} />}
      {stats.data && <Charts stats={stats.data} />}
      {stats.data && stats.data.totals.failed > 0 && (
        <p>
          <Link to={path`/e/${environmentId}/messages` as string} search={{ status: 'failed' } as never}>
            Show the failed messages
          </Link>
        </p>
      )}
    </>
  );
}
