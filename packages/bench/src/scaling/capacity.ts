/** The measured inputs: what one event costs, and how much one process uses. */
export interface Inputs {
  /** Processor seconds for 1,000 events that are accepted and delivered by one webhook. */
  readonly api: number;
  readonly worker: number;
  readonly postgres: number;
  readonly redis: number;
  /** Processor seconds of a bare Express route for 1,000 requests: a unit for comparing machines. */
  readonly express: number;
  /** Bytes of the write-ahead log per event, without page images. */
  readonly walBytes: number;
  readonly rowsInserted: number;
  readonly indexEntries: number;
  readonly commits: number;
  /** Bytes on disk per event: what its plan keeps (messages, runs, attempts), and stored responses, kept for 24 hours. */
  readonly keptTables: number;
  readonly keptIndexes: number;
  readonly responses: number;
  /** Bytes in Redis per waiting run. */
  readonly waitingRun: number;
  readonly redisConnectionsOfApi: number;
  readonly redisConnectionsOfWorker: number;
  /** Events and batches a second of one tenant, limited by the accepting statement alone. */
  readonly hotTenantEvents: number;
  readonly hotTenantBatches: number;
}

/** The load of an installation, in events a second. */
export interface Load {
  readonly name: string;
  /** The average over all hours, which decides storage. */
  readonly mean: number;
  /** The rate in the busiest second, which decides processors and connections. */
  readonly peak: number;
}

/** Assumptions, not measurements. */
const CHOSEN = {
  /** The planned use of a processor; the rest is for bursts, and for the loss of a process. */
  utilisation: 0.6,
  retentionDays: 30,
  /** How long all workers may be down while events wait in Redis. */
  backlogSeconds: 600,
  /** Processes of each app, so that one can be lost or replaced. */
  leastProcesses: 2,
  /** A day's peak rate to its mean, for loads that are given per month. */
  peakToMean: 2,
} as const;

/** Properties of the service. */
export const FIXED = {
  /** Connections to PostgreSQL: the pool and, in the API, one that listens for changes. */
  connectionsOfApi: 11,
  connectionsOfWorker: 10,
  /** The most of a worker's slots (100 by default) that one channel gets. */
  slotsOfWebhookChannel: 50,
  slotsOfEmailChannel: 10,
  /** Randomly located index pages that an event writes to: for its Idempotency-Key and its recipient. */
  randomPages: 2,
  pageBytes: 8_192,
  /** Expired messages that all workers together remove per second (decision 13). */
  removedPerSecond: 4_500,
} as const;

/** The limits of one cell. */
const CELL = { postgresCores: 32, walMegabytes: 200, terabytes: 10 } as const;

const DAY_SECONDS = 86_400;
const MEGA = 1_000_000;
const GIGA = 1_000_000_000;
const TERA = 1_000_000_000_000;

const perMonth = (events: number) => events / (30 * DAY_SECONDS);
const steady = (perSecond: number): Load => ({
  name: `${perSecond.toLocaleString('en-GB')} a second`,
  mean: perSecond,
  peak: perSecond,
});

/** The loads that the tables show. */
export const LOADS: readonly Load[] = [
  steady(100),
  steady(1_000),
  {
    name: '10 billion a month',
    mean: perMonth(10_000_000_000),
    peak: perMonth(10_000_000_000) * CHOSEN.peakToMean,
  },
  steady(10_000),
  steady(100_000),
];

/** What a load needs. Cores and megabytes a second are for the peak; bytes on disk are for the mean. */
export interface Capacity {
  readonly apiPods: number;
  readonly workerPods: number;
  readonly postgresCores: number;
  readonly redisCores: number;
  readonly walMegabytes: number;
  /** After a checkpoint, when the log has an image of each randomly located page. */
  readonly walMegabytesWithImages: number;
  readonly gigabytesPerDay: number;
  readonly terabytesKept: number;
  readonly redisMegabytes: number;
  readonly postgresConnections: number;
  readonly redisConnections: number;
}

/** Cores at the planned utilisation; `seconds` is per 1,000 events. */
const coresFor = (peak: number, seconds: number) => (peak * seconds) / (1_000 * CHOSEN.utilisation);

const podsFor = (peak: number, seconds: number) =>
  Math.max(CHOSEN.leastProcesses, Math.ceil(coresFor(peak, seconds)));

/** Bytes that an event takes for as long as its plan keeps it. */
const kept = ({ keptTables, keptIndexes }: Inputs) => keptTables + keptIndexes;

/** What an installation needs for a load. */
export function capacityFor({ mean, peak }: Load, inputs: Inputs): Capacity {
  const apiPods = podsFor(peak, inputs.api);
  const workerPods = podsFor(peak, inputs.worker);
  const imageBytes = FIXED.randomPages * FIXED.pageBytes;
  const bytesKept = mean * DAY_SECONDS * (kept(inputs) * CHOSEN.retentionDays + inputs.responses);
  return {
    apiPods,
    workerPods,
    postgresCores: coresFor(peak, inputs.postgres),
    redisCores: coresFor(peak, inputs.redis),
    walMegabytes: (peak * inputs.walBytes) / MEGA,
    walMegabytesWithImages: (peak * (inputs.walBytes + imageBytes)) / MEGA,
    gigabytesPerDay: (mean * DAY_SECONDS * kept(inputs)) / GIGA,
    terabytesKept: bytesKept / TERA,
    redisMegabytes: (peak * CHOSEN.backlogSeconds * inputs.waitingRun) / MEGA,
    postgresConnections: apiPods * FIXED.connectionsOfApi + workerPods * FIXED.connectionsOfWorker,
    redisConnections: apiPods * inputs.redisConnectionsOfApi + workerPods * inputs.redisConnectionsOfWorker,
  };
}

/** How many cells a load needs for each limit of a cell. */
export interface Cells {
  readonly byPostgresCores: number;
  readonly byWal: number;
  readonly byStorage: number;
  readonly byRemoval: number;
  readonly needed: number;
}

/** How many cells carry a load that can be divided evenly. */
export function cellsFor(load: Load, inputs: Inputs): Cells {
  const { postgresCores, walMegabytesWithImages, terabytesKept } = capacityFor(load, inputs);
  const cells = {
    byPostgresCores: Math.ceil(postgresCores / CELL.postgresCores),
    byWal: Math.ceil(walMegabytesWithImages / CELL.walMegabytes),
    byStorage: Math.ceil(terabytesKept / CELL.terabytes),
    byRemoval: Math.ceil(load.mean / FIXED.removedPerSecond),
  };
  return { ...cells, needed: Math.max(...Object.values(cells)) };
}

/** Events a second of one core at the planned utilisation; `seconds` is per 1,000 events. */
export const perCore = (seconds: number) => (CHOSEN.utilisation * 1_000) / seconds;

/** Deliveries a second to one channel: each of its slots in all workers is taken for as long as the receiver takes. */
export const perChannel = (workers: number, slots: number, receiverSeconds: number) =>
  (workers * slots) / receiverSeconds;
