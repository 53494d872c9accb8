import { REFUSED, type Refused } from '@postrider/listener';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter, Gauge, Histogram, Registry };

export type MetricsText = { contentType: string; text: string };

export type Metrics = {
  registry: Registry;
  /**
   * Starts at 0, so that an alert notices the first increment: every combination does if `labels` names their values.
   */
  counter<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[] | Readonly<Record<L, readonly string[]>>,
  ): Counter<L>;
  /** @param buckets upper bounds, in the unit that the name ends with (`_seconds`, `_bytes`) */
  histogram<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ): Histogram<L>;
  /** @param collect sets the value when it is read; it must also settle if its source is unreachable */
  gauge<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    collect?: (gauge: Gauge<L>) => void | Promise<void>,
  ): Gauge<L>;
  /** Everything in Prometheus' text format. */
  read(): Promise<MetricsText>;
};

/** From 1 ms to a minute: requests, transactions and deliveries alike. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];

/**
 * How often the lag of the event loop is sampled, in milliseconds; no smaller lag is shown. Each sample wakes the process: every 10 ms
 * would take half of the processor time of a process that is idle.
 */
const LOOP_SAMPLE_MS = 50;

/** Every combination of a value of each label. */
function combinations<L extends string>(
  labels: Readonly<Record<L, readonly string[]>>,
): Partial<Record<L, string>>[] {
  let found: Partial<Record<L, string>>[] = [{}];
  for (const label of Object.keys(labels) as L[]) {
    found = found.flatMap((others) => labels[label].map((value) => ({ ...others, [label]: value })));
  }
  return found;
}

/**
 * Creates the metrics of one process, each labelled with `service`, in a separate registry, so that several can exist
 * in one process. Creating a metric twice throws, because it is a bug.
 * @param options.processMetrics whether to measure memory, CPU, event loop and garbage collection; true by default
 */
export function createMetrics(service: string, { processMetrics = true } = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processMetrics)
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  const registers = [registry];
  return {
    registry,
    counter<L extends string>(
      name: string,
      help: string,
      labels: readonly L[] | Readonly<Record<L, readonly string[]>> = [],
    ) {
      if (Array.isArray(labels)) return new Counter<L>({ name, help, labelNames: labels, registers });
      const known = labels as Readonly<Record<L, readonly string[]>>;
      const counter = new Counter<L>({ name, help, labelNames: Object.keys(known) as L[], registers });
      for (const values of combinations(known)) counter.inc(values, 0);
      return counter;
    },
    histogram: (name, help, labels = [], buckets = SECONDS_BUCKETS) =>
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers }),
    gauge: (name, help, labels = [], collect) =>
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        ...(collect && {
          collect() {
            return collect(this);
          },
        }),
      }),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/**
 * Counts what the limits of a process's listeners refuse, by reason: clients only see closed connections.
 */
export function countRefusals(metrics: Pick<Metrics, 'counter'>): (reason: Refused) => void {
  const refusals = metrics.counter(
    'postrider_listener_refusals_total',
    'Connections closed or not accepted because of a limit, and requests refused before the application.',
    { reason: REFUSED },
  );
  return (reason) => refusals.inc({ reason });
}
