import { QUEUED, REDIS_CONNECTIONS } from '../measures/footprint.ts';
import { HOT_TENANT, SINGLE_EVENTS } from '../measures/hot-tenant.ts';
import { processorLine } from '../measures/processor.ts';
import { WHOLE_LOG } from '../measures/rows.ts';
import type { MeasureReport, Values } from '../report.ts';
import type { Inputs } from './capacity.ts';

/** The measures that the inputs come from. */
export const SCALING_MEASURES = ['processor', 'rows', 'footprint', 'hot-tenant'] as const;

/** The tables whose rows stay until the plan's retention ends. */
const KEPT = ['messages', 'delivery_runs', 'attempts'];

/**
 * Takes the inputs from the reports of a run; null unless all of the measures were run and none is void. Throws if a
 * report lacks a figure.
 */
export function inputsFrom(reports: readonly MeasureReport[]): Inputs | null {
  const found = SCALING_MEASURES.map((name) => reports.find((report) => report.name === name));
  if (found.some((report) => !report || report.problems.length > 0)) return null;
  const [processor, rows, footprint, hotTenant] = found as MeasureReport[];
  const lineOf = (report: MeasureReport | undefined, what: string) =>
    report?.rows.find((row) => row.what === what);
  const read = (values: Values | null | undefined, what: string, name: string): number => {
    const value = values?.[name];
    if (value === undefined) throw new Error(`the run has no figure ${name} of "${what}"`);
    return value;
  };
  const figure = (report: MeasureReport | undefined, what: string, name: string) =>
    read(lineOf(report, what)?.values, what, name);
  const sum = (tables: readonly string[], ...values: readonly string[]) =>
    tables.flatMap((table) => values.map((name) => figure(rows, table, name))).reduce((a, b) => a + b, 0);
  const written = (rows?.rows ?? []).map(({ what }) => what).filter((what) => what !== WHOLE_LOG);
  const seconds = (process: string) => figure(processor, processorLine(process), 'seconds');
  const apiLine = processorLine('api');
  return {
    api: seconds('api'),
    worker: seconds('worker'),
    postgres: seconds('postgres'),
    redis: seconds('redis'),
    express: read(lineOf(processor, apiLine)?.floor?.values, apiLine, 'seconds'),
    walBytes: figure(rows, WHOLE_LOG, 'bytes'),
    rowsInserted: sum(written, 'inserts'),
    indexEntries: sum(written, 'index_entries'),
    commits: figure(rows, WHOLE_LOG, 'commits'),
    keptTables: sum(KEPT, 'kept'),
    keptIndexes: sum(KEPT, 'kept_indexes'),
    responses: sum(['idempotency_records'], 'kept', 'kept_indexes'),
    waitingRun: figure(footprint, QUEUED, 'Redis'),
    redisConnectionsOfApi: figure(footprint, REDIS_CONNECTIONS, 'api'),
    redisConnectionsOfWorker: figure(footprint, REDIS_CONNECTIONS, 'worker'),
    hotTenantEvents: figure(hotTenant, HOT_TENANT, 'events'),
    hotTenantBatches: figure(hotTenant, SINGLE_EVENTS, 'batches'),
  };
}

/** A sentence that says what a run was measured on, and how busy that machine was otherwise. */
export function measuredOn(
  {
    cpus,
    cpu,
    node,
    postgres,
    redis,
  }: Readonly<Record<'cpu' | 'node' | 'postgres' | 'redis', string>> & { readonly cpus: number },
  reports: readonly MeasureReport[],
): string {
  const shares = reports
    .filter(({ name }) => SCALING_MEASURES.some((each) => each === name))
    .map(({ disturbance }) => Math.round(disturbance * 100));
  return (
    `Measured in one run on ${cpus} processors (${cpu}) with Node.js ${node.replace(/^v/, '')}, PostgreSQL ${postgres} and Redis ${redis}, ` +
    `shared with the load generator and the receivers.\nOther programs used ${Math.min(...shares)} to ${Math.max(...shares)} % of the processors meanwhile.`
  );
}
