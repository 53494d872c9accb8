/** What one event costs, and what one process takes: the measured inputs of all that follows. */
export interface Inputs {
  /** Processor seconds for 1,000 events, accepted and delivered by one webhook. */
  readonly api: number;
  readonly worker: number;
  readonly postgres: number;
  readonly redis: number;
  /** Of one bare Express route for 1,000 requests, as a unit to compare machines by. */
  readonly express: number;
  /** Bytes of the write-ahead log for each event, without page images. */
  readonly walBytes: number;
  readonly rowsInserted: number;
  readonly indexEntries: number;
  readonly commits: number;
  /** Bytes on disk for each event while its plan keeps it (messages, runs, attempts), and of stored responses, kept for 24 hours. */
  readonly keptTables: number;
  readonly keptIndexes: number;
  readonly responses: number;
  /** Bytes of Redis for each run that waits. */
  readonly waitingRun: number;
  readonly redisConnectionsOfApi: number;
  readonly redisConnectionsOfWorker: number;
  /** Events and batches a second of one tenant, by the accepting statement alone. */
  readonly hotTenantEvents: number;
  readonly hotTenantBatches: number;
}

/** How much an installation has to carry, in events a second. */
export interface Load {
  readonly name: string;
  /** Over all hours: decides what is stored. */
  readonly mean: number;
  /** In the busiest second: decides processors and connections. */
  readonly peak: number;
}

/** What is chosen, not measured. */
const CHOSEN = {
  /** Part of a processor that is planned for; the rest is for bursts, and for the loss of a process. */
  utilisation: 0.6,
  retentionDays: 30,
  /** For how long no worker takes anything, while all events wait in Redis. */
  backlogSeconds: 600,
  /** Of each kind, so that one can be lost or replaced. */
  leastProcesses: 2,
  /** Of a day to its mean, for what is given by the month. */
  peakToMean: 2,
} as const;

/** What is fixed by the service. */
export const FIXED = {
  /** Connections to PostgreSQL: the pool, and one of the API that listens for changes. */
  connectionsOfApi: 11,
  connectionsOfWorker: 10,
  /** Slots of a worker that one channel gets at most, with the default of 100. */
  slotsOfWebhookChannel: 50,
  slotsOfEmailChannel: 10,
  /** Index pages at random places that an event writes to: of its Idempotency-Key and of its recipient. */
  randomPages: 2,
  pageBytes: 8_192,
  /** Expired messages that all workers together remove in a second (decision 18). */
  removedPerSecond: 4_500,
} as const;

/** The most that one cell is planned for. */
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

/** What the tables are made for. */
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

/** What a load needs. Cores and megabytes a second are those of the peak; bytes on disk those of the mean. */
export interface Capacity {
  readonly apiPods: number;
  readonly workerPods: number;
  readonly postgresCores: number;
  readonly redisCores: number;
  readonly walMegabytes: number;
  /** After a checkpoint, when the log has an image of each page at a random place. */
  readonly walMegabytesWithImages: number;
  readonly gigabytesPerDay: number;
  readonly terabytesKept: number;
  readonly redisMegabytes: number;
  readonly postgresConnections: number;
  readonly redisConnections: number;
}

/** Cores that are used `utilisation` of their time; `seconds` are for 1,000 events. */
const coresFor = (peak: number, seconds: number) => (peak * seconds) / (1_000 * CHOSEN.utilisation);

const podsFor = (peak: number, seconds: number) =>
  Math.max(CHOSEN.leastProcesses, Math.ceil(coresFor(peak, seconds)));

/** Bytes that an event leaves for as long as its plan keeps it. */
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

/** How many cells a load needs by each of the limits of one. */
export interface Cells {
  readonly byPostgresCores: number;
  readonly byWal: number;
  readonly byStorage: number;
  readonly byRemoval: number;
  readonly needed: number;
}

/** How many cells carry a load, if it can be divided evenly. */
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

/** Events a second at which one core is used to `utilisation`; `seconds` are for 1,000 events. */
export const perCore = (seconds: number) => (CHOSEN.utilisation * 1_000) / seconds;

/** Deliveries a second to one channel: its slots in all workers, each taken for as long as the receiver takes. */
export const perChannel = (workers: number, slots: number, receiverSeconds: number) =>
  (workers * slots) / receiverSeconds;
