import { formatHour, formatNumber } from '../../ui/format.ts';
import type { ChannelState } from './health.tsx';

const BAR = 4;
const HEIGHT = 100;

type Hours = ChannelState['hours'];

const sum = (hours: Hours, name: 'succeeded' | 'failed') => hours.reduce((all, each) => all + each[name], 0);

/** Attempts of 24 hours in words. */
const wordsOf = (hours: Hours) =>
  `The last 24 hours: ${formatNumber(sum(hours, 'succeeded'))} succeeded, ${formatNumber(sum(hours, 'failed'))} failed`;

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
            <title>{`${formatHour(Date.parse(start))}: ${formatNumber(succeeded)} succeeded, ${formatNumber(failed)} failed`}</title>
            <rect className="hour-all" x={index * BAR} y={0} width={BAR} height={HEIGHT} />
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
  if (hours.length === 0) return <span className="muted">–</span>;
  return (
    <span className="sparkline" title={wordsOf(hours)}>
      <Bars hours={hours} />
      <span className="visually-hidden">{wordsOf(hours)}</span>
    </span>
  );
}

/** The attempts of 24 hours by outcome, with their values as a table for users who cannot see it. */
export function HoursChart({ hours }: { hours: Hours }) {
  const [first] = hours;
  if (!first) return <p className="muted">No attempt yet.</p>;
  const highest = Math.max(...hours.map(({ succeeded, failed }) => succeeded + failed));
  return (
    <figure className="hours-chart">
      <div className="row-apart small muted">
        <span className="row">
          <span className="key key-ok" /> Succeeded: {formatNumber(sum(hours, 'succeeded'))}
          <span className="key key-bad" /> Failed: {formatNumber(sum(hours, 'failed'))}
        </span>
        <span>up to {formatNumber(highest)} an hour</span>
      </div>
      <Bars hours={hours} />
      <div className="row-apart small muted" aria-hidden="true">
        <span>{formatHour(Date.parse(first.start))}</span>
        <span>{formatHour(Date.parse(hours[Math.floor(hours.length / 2)]?.start ?? first.start))}</span>
        <span>now</span>
      </div>
      <table className="visually-hidden">
        <caption>Attempts of the last 24 hours</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Succeeded</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {hours.map(({ start, succeeded, failed }) => (
            <tr key={start}>
              <th scope="row">{formatHour(Date.parse(start))}</th>
              <td>{succeeded}</td>
              <td>{failed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
