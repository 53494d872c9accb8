import { useNavigate } from '@tanstack/react-router';
import type { Figures } from '../../api/figures.ts';
import { useEnvironment } from '../../app/environment.tsx';
import { Chart } from '../../ui/chart.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Card } from '../../ui/parts.tsx';

const PERCENTILES = [
  ['p50', 'Median', '--ok'],
  ['p95', '95th percentile', '--info'],
  ['p99', '99th percentile', '--warn'],
] as const;

/** The deliveries and the latency of a range. A chart without data is not drawn. */
export function Charts({ figures: { times, stepMs, parts } }: { figures: Figures }) {
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
