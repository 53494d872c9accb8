import { HOUR_MS } from '../../api/index.ts';
import { Chart } from '../../ui/chart.tsx';
import { formatNumber } from '../../ui/format.ts';
import type { ChannelState } from './health.tsx';

const BAR = 4;
const HEIGHT = 100;

type Hours = ChannelState['hours'];

const sum = (hours: Hours, name: 'succeeded' | 'failed') => hours.reduce((all, each) => all + each[name], 0);

/** Attempts of 24 hours in words. */
const wordsOf = (hours: Hours) =>
  `The last 24 hours: ${formatNumber(sum(hours, 'succeeded'))} succeeded, ${formatNumber(sum(hours, 'failed'))} failed`;

const hasAttempts = (hours: Hours) => hours.some(({ succeeded, failed }) => succeeded + failed > 0);

/** Stacked bars, one for each hour: failures above successes. */
function Bars({ hours }: { hours: Hours }) {
  const highest = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed));
  const scale = (count: number) => (count === 0 ? 0 : Math.max(4, (count / highest) * HEIGHT));
  return (
    <svg
      className="hours"
      viewBox={`0 0 ${hours.length * BAR} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {hours.map(({ start, succeeded, failed }, index) => {
        const [good, bad] = [scale(succeeded), scale(failed)];
        const x = index * BAR + 0.5;
        return (
          <g key={start}>
            <rect className="hour-ok" x={x} y={HEIGHT - good} width={BAR - 1} height={good} />
            <rect
              className="hour-bad"
              x={x}
              y={Math.max(0, HEIGHT - good - bad)}
              width={BAR - 1}
              height={bad}
            />
          </g>
        );
      })}
    </svg>
  );
}

/** The attempts of 24 hours in a cell of a table. */
export function Sparkline({ hours }: { hours: Hours }) {
  if (!hasAttempts(hours)) return <span className="muted">–</span>;
  return (
    <span className="sparkline" title={wordsOf(hours)}>
      <Bars hours={hours} />
      <span className="visually-hidden">{wordsOf(hours)}</span>
    </span>
  );
}

/** The attempts of 24 hours by outcome. A chart without data is not drawn. */
export function HoursChart({ hours }: { hours: Hours }) {
  if (!hasAttempts(hours)) return <p className="muted">No attempt in the last 24 hours.</p>;
  return (
    <Chart
      label="Attempts of the last 24 hours"
      times={hours.map(({ start }) => start)}
      stepMs={HOUR_MS}
      shape="bars"
      series={[
        {
          key: 'succeeded',
          label: 'Succeeded',
          token: '--ok',
          values: hours.map(({ succeeded }) => succeeded),
        },
        { key: 'failed', label: 'Failed', token: '--bad', values: hours.map(({ failed }) => failed) },
      ]}
    />
  );
}
