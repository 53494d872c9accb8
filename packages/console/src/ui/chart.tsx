import { type KeyboardEvent, useState } from 'react';
import { DAY_MS } from '../api/figures.ts';
import { formatDateTime, formatDay, formatHour, formatNumber } from './format.ts';

/** One value for each time; null where there is none. */
interface Series {
  /** The name that `onOpen` gets. */
  readonly key: string;
  readonly label: string;
  /** The name of a design token, such as `--ok`. */
  readonly token: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly label: string;
  /** The beginning of each part, RFC 3339. */
  readonly times: readonly string[];
  /** How long a part is, in milliseconds. */
  readonly stepMs: number;
  /** `bars` are stacked; `lines` are not. */
  readonly shape: 'bars' | 'lines';
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  /** Shows what a part consists of, of one series if its bar was chosen. */
  readonly onOpen?: (from: string, to: string, key: string | undefined) => void;
}

const MAX_LABELS = 6;

const DIGITS = [1, 2, 3, 4, 5, 6, 8, 10];

/** The highest value of an axis: half of it is a digit and zeros, so that both marks are short whole numbers. */
function topOf(highest: number): number {
  const half = Math.max(1, highest / 2);
  const power = 10 ** Math.floor(Math.log10(half));
  return 2 * power * (DIGITS.find((digit) => digit * power >= half) ?? 10);
}

const totalOf = (values: readonly (number | null)[]) =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** A line through the values, interrupted where there are none; a single value is a short line. */
function lineOf(values: readonly (number | null)[], top: number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const [x, y] = [((index + 0.5) / values.length) * 100, 100 - (value / top) * 100];
      const isFirst = (values[index - 1] ?? null) === null;
      const isAlone = isFirst && (values[index + 1] ?? null) === null;
      return `${isFirst ? 'M' : 'L'}${isAlone ? x - 0.6 : x} ${y}${isAlone ? `h1.2` : ''}`;
    })
    .join('');
}

/** A chart over time. A part is opened by a click, or with the arrow keys and Enter; its values are also a table. */
export function Chart({ label, times, stepMs, shape, series, format = formatNumber, onOpen }: ChartProps) {
  const [shown, setShown] = useState<number | null>(null);
  const columns = times.map((_, index) => series.map(({ values }) => values[index] ?? null));
  const isStacked = shape === 'bars';
  const top = topOf(
    Math.max(
      ...columns.map((values) =>
        isStacked ? totalOf(values) : Math.max(0, ...values.map((each) => each ?? 0)),
      ),
    ),
  );
  const isRunning = (index: number) => Date.parse(times[index] ?? '') + stepMs > Date.now();
  const nameOf = (index: number) => {
    const at = times[index] ?? '';
    const name = stepMs >= DAY_MS ? formatDay(at) : formatDateTime(at);
    return isRunning(index) ? `${name}, still running` : name;
  };
  const wordOf = (value: number | null | undefined) => (value == null ? '–' : format(value));
  const every = Math.ceil(times.length / MAX_LABELS);
  const open = (index: number, key?: string) => {
    const from = times[index] ?? '';
    onOpen?.(from, times[index + 1] ?? new Date(Date.parse(from) + stepMs).toISOString(), key);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = event.currentTarget.children[(shown ?? times.length - 1) + step];
    if (next instanceof HTMLElement) next.focus();
  };
  const focused = shown ?? times.length - 1;
  return (
    <figure className="chart">
      <figcaption className="chart-legend">
        {series.map(({ key, label: name, token, values }) => (
          <span key={key}>
            <i style={{ background: `var(${token})` }} />
            {name} <b>{shown === null ? isStacked && format(totalOf(values)) : wordOf(values[shown])}</b>
          </span>
        ))}
        <span className="muted">{shown === null ? '' : nameOf(shown)}</span>
      </figcaption>
      <div className="chart-plot">
        {[1, 0.5, 0].map((part) => (
          <span key={part} className="chart-mark" style={{ bottom: `${part * 100}%` }} aria-hidden="true">
            {format(top * part)}
          </span>
        ))}
        {shape === 'lines' && (
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {series.map(({ key, token, values }) => (
              <path key={key} d={lineOf(values, top)} style={{ stroke: `var(${token})` }} />
            ))}
          </svg>
        )}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus among its buttons */}
        <div className="chart-columns" onKeyDown={onKeyDown} onMouseLeave={() => setShown(null)}>
          {columns.map((values, index) => {
            const at = times[index] ?? '';
            const bars =
              isStacked &&
              series.map(({ key, token }, position) => (
                <span
                  key={key}
                  data-series={key}
                  style={{
                    background: `var(${token})`,
                    bottom: `${(totalOf(values.slice(0, position)) / top) * 100}%`,
                    height: `${((values[position] ?? 0) / top) * 100}%`,
                  }}
                />
              ));
            const props = {
              className: isRunning(index) ? 'chart-column running' : 'chart-column',
              onMouseEnter: () => setShown(index),
            };
            if (!onOpen)
              return (
                <div key={at} {...props}>
                  {bars}
                </div>
              );
            return (
              <button
                key={at}
                {...props}
                type="button"
                aria-label={`${nameOf(index)}: ${series.map((each, position) => `${wordOf(values[position])} ${each.label.toLowerCase()}`).join(', ')}`}
                tabIndex={index === focused ? 0 : -1}
                onFocus={() => setShown(index)}
                onBlur={() => setShown(null)}
                onClick={({ target }) => open(index, (target as HTMLElement).dataset.series)}
              >
                {bars}
              </button>
            );
          })}
        </div>
      </div>
      <div className="chart-times" aria-hidden="true">
        {times.map(
          (at, index) =>
            index % every === 0 && (
              <span key={at} style={{ left: `${((index + 0.5) / times.length) * 100}%` }}>
                {stepMs >= DAY_MS / 4 ? formatDay(at) : formatHour(Date.parse(at))}
              </span>
            ),
        )}
      </div>
      {/* Around the table, which would be as wide as its words. */}
      <div className="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              {series.map((each) => (
                <th key={each.key} scope="col">
                  {each.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((values, index) => (
              <tr key={times[index]}>
                <th scope="row">{nameOf(index)}</th>
                {series.map(({ key }, position) => (
                  <td key={key}>{wordOf(values[position])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
