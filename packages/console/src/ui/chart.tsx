import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { formatClock, formatHour, formatNumber } from './format.ts';

interface Series {
  readonly label: string;
  /** The name of a design token, such as `--ok`. */
  readonly token: string;
  readonly values: readonly (number | null)[];
  readonly format?: (value: number) => string;
}

/** Steps of an axis for counts, which are whole numbers. */
const COUNT_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 9 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b);

interface ChartProps {
  readonly label: string;
  /** RFC 3339, one for each value. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
  readonly bars?: boolean;
}

/** The colour of a token in the current theme: a canvas cannot use custom properties. */
function colourOf(element: Element, token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function draw(element: HTMLElement, { times, series, bars }: ChartProps): uPlot {
  const text = colourOf(element, '--text-3');
  const grid = colourOf(element, '--border');
  const axis: uPlot.Axis = {
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    font: '11px system-ui',
  };
  const format = series[0]?.format ?? formatNumber;
  const isCount = series.every((each) => each.format === undefined);
  return new uPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight - 26,
      cursor: { points: { size: 6 } },
      legend: { live: true },
      scales: { y: { range: (_self, _min, max) => [0, Math.max(1, max * 1.1)] } },
      axes: [
        { ...axis, space: 76, values: (_self, splits) => splits.map((at) => formatHour(at * 1_000)) },
        {
          ...axis,
          size: 56,
          ...(isCount && { incrs: COUNT_STEPS }),
          values: (_self, values) => values.map((value) => format(value)),
        },
      ],
      series: [
        { value: (_self, at) => (at === null ? '–' : formatClock(new Date(at * 1_000).toISOString())) },
        ...series.map(({ label, token, format: own }, index) => {
          const stroke = colourOf(element, token);
          return {
            label,
            stroke,
            width: 1.5,
            ...(bars && index === 0 && uPlot.paths.bars
              ? {
                  fill: `color-mix(in srgb, ${stroke} 45%, transparent)`,
                  paths: uPlot.paths.bars({ size: [0.7, 22] }),
                }
              : {}),
            points: { show: true, size: 4, fill: stroke },
            value: (_self: uPlot, value: number | null) =>
              value === null ? '–' : (own ?? formatNumber)(value),
          };
        }),
      ],
    },
    [times.map((at) => Date.parse(at) / 1_000), ...series.map(({ values }) => [...values])],
    element,
  );
}

/** A chart over time, with its values as a table for users who cannot see it. */
export function Chart(props: ChartProps) {
  const { label, times, series } = props;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let plot = draw(element, props);
    const again = () => {
      plot.destroy();
      plot = draw(element, props);
    };
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: element.clientHeight - 26 }),
    );
    resized.observe(element);
    const themed = new MutationObserver(again);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', again);
    return () => {
      resized.disconnect();
      themed.disconnect();
      system.removeEventListener('change', again);
      plot.destroy();
    };
  }, [props]);
  return (
    <figure>
      <div className="chart" ref={host} aria-hidden="true" />
      <table className="visually-hidden">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map((each) => (
              <th key={each.label} scope="col">
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, index) => (
            <tr key={at}>
              <th scope="row">{formatClock(at)}</th>
              {series.map(({ label: name, values, format = formatNumber }) => (
                <td key={name}>{values[index] == null ? 'none' : format(values[index])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
