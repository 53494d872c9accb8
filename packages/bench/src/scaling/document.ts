import { markdownTable } from '@postrider/rig';
import {
  type Capacity,
  type Cells,
  capacityFor,
  cellsFor,
  FIXED,
  type Inputs,
  LOADS,
  perChannel,
  perCore,
} from './capacity.ts';

type Labels = Readonly<Record<keyof Inputs, readonly [what: string, unit: string, measure: string]>>;

/** The lines of the table of inputs: name, unit and measure. */
const INPUTS: Labels = {
  api: ['API', 's per 1,000 events', 'processor'],
  worker: ['worker', 's per 1,000 events', 'processor'],
  postgres: ['PostgreSQL', 's per 1,000 events', 'processor'],
  redis: ['Redis', 's per 1,000 events', 'processor'],
  express: ['bare Express route, for comparison', 's per 1,000 requests', 'processor'],
  walBytes: ['write-ahead log without page images', 'bytes per event', 'rows'],
  rowsInserted: ['rows inserted', 'per event', 'rows'],
  indexEntries: ['index entries', 'per event', 'rows'],
  commits: ['commits', 'per event', 'rows'],
  keptTables: ['message, run and attempt in their tables', 'bytes per event', 'rows'],
  keptIndexes: ['message, run and attempt in indexes', 'bytes per event', 'rows'],
  responses: ['stored response with its indexes, for 24 hours', 'bytes per event', 'rows'],
  waitingRun: ['Redis memory of a waiting run', 'bytes', 'footprint'],
  redisConnectionsOfApi: ['connections to Redis of an API process', '', 'footprint'],
  redisConnectionsOfWorker: ['connections to Redis of a worker', '', 'footprint'],
  hotTenantEvents: ['one tenant, accepting statement alone', 'events per second', 'hot-tenant'],
  hotTenantBatches: ['one tenant, batches of one event', 'batches per second', 'hot-tenant'],
};

const names = Object.keys(INPUTS) as (keyof Inputs)[];

/** Two significant digits below ten; from there on whole numbers with separated thousands. */
function short(value: number): string {
  if (value >= 10) return Math.round(value).toLocaleString('en-GB');
  return Number(value.toPrecision(2)).toString();
}

/** Three significant digits: everything else is computed from what is shown. */
const exact = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en-GB') : Number(value.toPrecision(3)).toString();

function inputTable(inputs: Inputs): string {
  const rows = names.map((name) => {
    const [what, unit, measure] = INPUTS[name];
    return [what, exact(inputs[name]), unit, `\`${measure}\``];
  });
  return markdownTable(['Input', 'Value', 'Unit', 'Measure'], rows);
}

/** A table with a line for each load. */
function loadTable<T>(
  of: (load: (typeof LOADS)[number]) => T,
  columns: Readonly<Record<string, (value: T) => string>>,
): string {
  const rows = LOADS.map((load) => [load.name, ...Object.values(columns).map((cell) => cell(of(load)))]);
  return markdownTable(['Load', ...Object.keys(columns)], rows);
}

function carryTable({ api, worker, postgres, redis, express }: Inputs): string {
  const row = (what: string, seconds: number) => [
    what,
    short(perCore(seconds)),
    short(1_000 / seconds),
    short(seconds / express),
  ];
  return markdownTable(
    [
      'One core of',
      'Events a second, as planned',
      'Events a second, at its limit',
      'Bare Express requests per event',
    ],
    [
      row('API (one process)', api),
      row('worker (one process)', worker),
      row('PostgreSQL', postgres),
      row('Redis', redis),
    ],
  );
}

const RECEIVER_SECONDS = [0.02, 0.1, 0.5, 2];
const WORKERS = [2, 20];

/** Deliveries a second to one channel, as far as the workers' processors suffice. */
function channelTable({ worker }: Inputs): string {
  const kinds = { webhook: FIXED.slotsOfWebhookChannel, email: FIXED.slotsOfEmailChannel };
  const columns = Object.entries(kinds).flatMap(([kind, slots]) =>
    WORKERS.map((workers) => ({ title: `${kind}, ${workers} workers`, slots, workers })),
  );
  const rows = RECEIVER_SECONDS.map((seconds) => [
    `${short(seconds * 1_000)} ms`,
    ...columns.map(({ slots, workers }) =>
      short(Math.min(perChannel(workers, slots, seconds), workers * perCore(worker))),
    ),
  ]);
  return markdownTable(['The receiver takes', ...columns.map(({ title }) => title)], rows);
}

/** Every table of docs/scaling.md, by the name of its placeholder. */
export function tablesOf(inputs: Inputs): Readonly<Record<string, string>> {
  const capacity = (load: (typeof LOADS)[number]): Capacity => capacityFor(load, inputs);
  return {
    inputs: inputTable(inputs),
    carries: carryTable(inputs),
    processors: loadTable(capacity, {
      'API pods': ({ apiPods }) => short(apiPods),
      'worker pods': ({ workerPods }) => short(workerPods),
      'PostgreSQL cores': ({ postgresCores }) => short(postgresCores),
      'Redis cores': ({ redisCores }) => short(redisCores),
      'connections to PostgreSQL': ({ postgresConnections }) => short(postgresConnections),
      'connections to Redis': ({ redisConnections }) => short(redisConnections),
    }),
    bytes: loadTable(capacity, {
      'log, MB/s': ({ walMegabytes }) => short(walMegabytes),
      'log with page images, at most, MB/s': ({ walMegabytesWithImages }) => short(walMegabytesWithImages),
      'stored per day, GB': ({ gigabytesPerDay }) => short(gigabytesPerDay),
      'stored with 30 days of retention, TB': ({ terabytesKept }) => short(terabytesKept),
      'Redis after 10 minutes without workers, MB': ({ redisMegabytes }) => short(redisMegabytes),
    }),
    cells: loadTable((load): Cells => cellsFor(load, inputs), {
      'by PostgreSQL cores': ({ byPostgresCores }) => short(byPostgresCores),
      'by log': ({ byWal }) => short(byWal),
      'by storage': ({ byStorage }) => short(byStorage),
      'by removal': ({ byRemoval }) => short(byRemoval),
      'cells needed': ({ needed }) => short(needed),
    }),
    channels: channelTable(inputs),
  };
}

/** Reads the page's table of inputs. Throws if one is missing or not a number. */
export function readInputs(page: string): Inputs {
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const readOne = (name: keyof Inputs) => {
    const [what, unit] = INPUTS[name];
    const row = rows.find((cells) => cells[1] === what && cells[3] === unit);
    const value = Number(row?.[2]?.replaceAll(',', '') || Number.NaN);
    if (!Number.isFinite(value)) throw new Error(`the page has no number for "${what}"`);
    return [name, value] as const;
  };
  return Object.fromEntries(names.map(readOne)) as unknown as Inputs;
}

const opening = (name: string) => `<!-- table: ${name} -->\n\n`;
const CLOSING = '\n\n<!-- end -->';

function withPlace(page: string, name: string, content: string): string {
  const start = page.indexOf(opening(name));
  const end = page.indexOf(CLOSING, start);
  if (start < 0 || end < 0) throw new Error(`the page has no place for the table ${name}`);
  return page.slice(0, start) + opening(name) + content + page.slice(end);
}

/**
 * Returns the page with its tables computed from the inputs and, if given, the sentence that says what they were
 * measured on. Throws if a placeholder is missing.
 */
export function withTables(page: string, inputs: Inputs, measuredOn?: string): string {
  // Computes with the rounded inputs as shown, so that a reader can check the page.
  const shown = readInputs(inputTable(inputs));
  const places = { ...tablesOf(shown), ...(measuredOn === undefined ? {} : { machine: measuredOn }) };
  return Object.entries(places).reduce((text, [name, content]) => withPlace(text, name, content), page);
}
