import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  type Counters,
  keys,
  RANGE_NAMES,
  type Range,
  rangeName,
  rangeOf,
  readFigures,
  useEnvironment,
  useMay,
} from '../../api/index.ts';
import { Chart } from '../../ui/chart.tsx';
import { ErrorNotice } from '../../ui/display.ts';
import { formatDuration, formatLatency, formatNumber, formatSuccessRate } from '../../ui/format.ts';
import { Segmented } from '../../ui/input.ts';
import { Card, Figures, Loading, PageHead } from '../../ui/parts.tsx';
import { AttentionList } from './attention.tsx';
import { FirstRun, useFirstMessage } from './first-run.tsx';

const PERCENTILES = [
  ['p50', 'Median', '--ok'],
  ['p95', '95th percentile', '--info'],
  ['p99', '99th percentile', '--warn'],
] as const;

/** The deliveries and the latency of a range. A chart without data is not drawn. */
function Charts({ figures: { times, stepMs, parts } }: { figures: Awaited<ReturnType<typeof readFigures>> }) {
  const { scope, screen } = useEnvironment();
  const navigate = useNavigate();
  const open = (from: string, to: string, key?: string) => {
    const failed = scope.isOperator ? { run_status: 'failed' } : { status: 'failed' };
    void navigate({
      to: screen`/messages`,
      search: { created_after: from, created_before: to, ...(key === 'failed' && failed) },
    });
  };
  const hasDeliveries = parts.some(({ delivered, failed }) => delivered + failed > 0);
  const hasLatency = parts.some(({ latency_ms }) => latency_ms?.p50 != null);
  if (!hasDeliveries && !hasLatency) return null;
  return (
    <div className="grid-2">
      {hasDeliveries && (
        <Card title="Deliveries">
          <Chart
            label="Deliveries by outcome"
            times={times}
            stepMs={stepMs}
            shape="bars"
            series={[
              {
                key: 'delivered',
                label: 'Delivered',
                token: '--ok',
                values: parts.map(({ delivered }) => delivered),
              },
              { key: 'failed', label: 'Failed', token: '--bad', values: parts.map(({ failed }) => failed) },
            ]}
            onOpen={open}
          />
          <p className="small muted">
            A bar counts the deliveries that ended in its time. It opens the messages that were accepted in
            it.
          </p>
        </Card>
      )}
      {hasLatency && (
        <Card title="Time from acceptance to the end of the first attempt">
          <Chart
            label="Latency"
            times={times}
            stepMs={stepMs}
            shape="lines"
            series={PERCENTILES.map(([key, label, token]) => ({
              key,
              label,
              token,
              values: parts.map(({ latency_ms }) => latency_ms?.[key] ?? null),
            }))}
            format={formatDuration}
            onOpen={open}
          />
        </Card>
      )}
    </div>
  );
}

const REFRESH_MS = 30_000;

function Totals({ totals, range }: { totals: Counters; range: Range }) {
  const items = [
    ['Accepted', formatNumber(totals.accepted)],
    ['Delivered', formatNumber(totals.delivered)],
    ['Failed', formatNumber(totals.failed)],
    ['Success rate', formatSuccessRate(totals)],
    ['Latency, p95', formatLatency(totals.latency_ms?.p95)],
  ] as const;
  return <Figures label={`The last ${rangeName(range)}`} items={items} />;
}

/** What needs action in one environment, and its figures. */
export function Screen() {
  const { environmentId, scope, names, screen } = useEnvironment();
  const may = useMay();
  const navigate = useNavigate();
  const range = rangeOf((useSearch({ strict: false }) as { range?: string }).range);
  const attention = useQuery({
    queryKey: keys.attention(environmentId),
    enabled: may('getEnvironmentAttention'),
    queryFn: () => scope.attention(),
    refetchInterval: REFRESH_MS,
  });
  const stats = useQuery({
    queryKey: keys.stats(environmentId, range),
    queryFn: () => readFigures(scope, range),
    refetchInterval: REFRESH_MS,
  });
  const hasFigures = stats.data && stats.data.totals.accepted + stats.data.totals.attempts > 0;
  const [wasEmpty, setWasEmpty] = useState(false);
  const firstMessage = useFirstMessage((stats.data && !hasFigures) || wasEmpty);
  useEffect(() => {
    // The steps stay when the first event arrives: the second one then leads to it.
    if (firstMessage === null) setWasEmpty(true);
  }, [firstMessage]);
  const isFirstRun = wasEmpty || firstMessage === null;
  return (
    <>
      <PageHead
        title="Overview"
        about={names && `${names.tenantName} / ${names.name}, the last ${rangeName(range)}.`}
      >
        {!isFirstRun && (
          <Segmented
            label="Range"
            options={RANGE_NAMES}
            value={range}
            onChange={(next) => void navigate({ to: '.', search: { range: next }, replace: true })}
          />
        )}
      </PageHead>
      <ErrorNotice error={attention.error ?? stats.error} onRetry={() => void stats.refetch()} />
      {isFirstRun && <FirstRun messageId={firstMessage ?? null} />}
      {attention.data && !isFirstRun && (
        <AttentionList attention={attention.data} environmentId={environmentId} />
      )}
      {!stats.data && !stats.error && <Loading />}
      {stats.data && !isFirstRun && <Totals totals={stats.data.totals} range={range} />}
      {stats.data && hasFigures && <Charts figures={stats.data} />}
      {stats.data && stats.data.totals.failed > 0 && (
        <p>
          <Link
            to={screen`/messages`}
            search={{
              [scope.isOperator ? 'run_status' : 'status']: 'failed',
              created_after: stats.data.times[0],
            }}
          >
            Show the messages with failed deliveries
          </Link>
        </p>
      )}
    </>
  );
}
