import { Prisma, type Queryable } from '../client.ts';
import { LATENCY_BOUNDS_MS, NO_CHANNEL, NO_LATENCY } from '../statements/count.ts';

export const STATS_INTERVALS = { minute: 60, hour: 3_600 } as const;
export type StatsInterval = keyof typeof STATS_INTERVALS;
export const STATS_GROUPS = ['channel', 'event_key', 'stream', 'error_code'] as const;
export type StatsGroup = (typeof STATS_GROUPS)[number];

const GROUP_COLUMNS: Readonly<Record<StatsGroup, Prisma.Sql>> = {
  channel: Prisma.sql`channel_id::text`,
  event_key: Prisma.sql`event_key`,
  // The stream that the event key has now. Keys of transactional email have none.
  stream: Prisma.sql`COALESCE(stream, '')`,
  error_code: Prisma.sql`error_code`,
};

/** Latencies in milliseconds: the upper bound of the bucket; null above the last bound. */
interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export interface StatsFigures {
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
  readonly attempts: number;
  /** Emails whose bounce was reported. */
  readonly bounced: number;
  /** Emails whose recipient complained. */
  readonly complained: number;
  /** Null if nothing was measured. */
  readonly latency: Latency | null;
}

export interface StatsBucket extends StatsFigures {
  readonly start: Date;
  /**
   * By key; empty if the figures are not grouped. Rows that belong to no group are in none, such as events when
   * grouped by channel.
   */
  readonly groups: readonly (StatsFigures & { readonly key: string })[];
}

interface Row {
  start: Date;
  key: string;
  latency_bucket: number;
  accepted: bigint;
  delivered: bigint;
  failed: bigint;
  attempts: bigint;
  bounced: bigint;
  complained: bigint;
  /** Stored rows of all groups, counted up to the limit. */
  stored: number;
}

/** Sums of rows, with the counts of their latencies by bucket. */
class Sum {
  accepted = 0;
  delivered = 0;
  failed = 0;
  attempts = 0;
  bounced = 0;
  complained = 0;
  readonly #latencies = new Map<number, number>();

  add(row: Row): void {
    this.accepted += Number(row.accepted);
    this.delivered += Number(row.delivered);
    this.failed += Number(row.failed);
    this.attempts += Number(row.attempts);
    this.bounced += Number(row.bounced);
    this.complained += Number(row.complained);
    if (row.latency_bucket === NO_LATENCY) return;
    this.#latencies.set(
      row.latency_bucket,
      (this.#latencies.get(row.latency_bucket) ?? 0) + Number(row.attempts),
    );
  }

  figures(): StatsFigures {
    const { accepted, delivered, failed, attempts, bounced, complained } = this;
    return { accepted, delivered, failed, attempts, bounced, complained, latency: this.#latency() };
  }

  #latency(): Latency | null {
    const buckets = [...this.#latencies].sort(([one], [other]) => one - other);
    const total = buckets.reduce((sum, [, count]) => sum + count, 0);
    if (total === 0) return null;
    const at = (share: number) => {
      let seen = 0;
      for (const [bucket, count] of buckets) {
        seen += count;
        if (seen >= share * total) return LATENCY_BOUNDS_MS[bucket] ?? null;
      }
      return null;
    };
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }
}

export interface StatsQuery {
  readonly environmentId: string;
  readonly interval: StatsInterval;
  /** Start (inclusive) and end (exclusive), at whole intervals. */
  readonly from: Date;
  readonly to: Date;
  readonly groupBy: StatsGroup | null;
}

/** Limits the memory of a request, because clients choose the number of event keys. */
const MAX_ROWS = 20_000;
/** Groups of all intervals together: their JSON is smaller than a page of large rows, `MAX_PAGE_BYTES`. */
const MAX_GROUPS = 5_000;
/** Limits the time of a request, because an hour can have tens of thousands of stored rows: about a quarter of a second. */
const MAX_STORED_ROWS = 200_000;

interface StatsLimits {
  readonly maxStoredRows?: number;
}

const NO_KEYS: ReadonlySet<string> = new Set(['', NO_CHANNEL]);

/**
 * An environment's figures by interval, oldest first, without empty intervals, and their totals. They are some
 * seconds behind, because a sweep folds the counts. Null if there are more rows than one request may read, or one
 * response can have. It never reads more.
 */
export async function readStats(
  db: Queryable,
  { environmentId, interval, from, to, groupBy }: StatsQuery,
  { maxStoredRows = MAX_STORED_ROWS }: StatsLimits = {},
): Promise<{ readonly buckets: readonly StatsBucket[]; readonly totals: StatsFigures } | null> {
  const key = groupBy === null ? Prisma.sql`''` : GROUP_COLUMNS[groupBy];
  const joined =
    groupBy === 'stream' ? Prisma.sql`LEFT JOIN event_types USING (environment_id, event_key)` : Prisma.empty;
  const rows = await db.$queryRaw<Row[]>`
    WITH stored AS (
      SELECT * FROM stats
       WHERE environment_id = ${environmentId}::uuid AND span_seconds = ${STATS_INTERVALS[interval]}::int
         AND start >= ${from}::timestamptz AND start < ${to}::timestamptz
       ORDER BY environment_id, span_seconds, start
       LIMIT ${Prisma.raw(String(maxStoredRows + 1))}
    )
    SELECT start, ${key} AS key, latency_bucket, sum(accepted)::int8 AS accepted, sum(delivered)::int8 AS delivered,
           sum(failed)::int8 AS failed, sum(attempts)::int8 AS attempts,
           sum(bounced)::int8 AS bounced, sum(complained)::int8 AS complained, (sum(count(*)) OVER ())::int AS stored
      FROM stored ${joined} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT ${MAX_ROWS + 1}`;
  if (rows.length > MAX_ROWS || (rows[0]?.stored ?? 0) > maxStoredRows) return null;
  const totals = new Sum();
  let groups = 0;
  const buckets = new Map<number, { start: Date; sum: Sum; groups: Map<string, Sum> }>();
  for (const row of rows) {
    totals.add(row);
    const time = row.start.getTime();
    const bucket = buckets.get(time) ?? { start: row.start, sum: new Sum(), groups: new Map<string, Sum>() };
    buckets.set(time, bucket);
    bucket.sum.add(row);
    if (NO_KEYS.has(row.key)) continue;
    let group = bucket.groups.get(row.key);
    if (!group) {
      group = new Sum();
      groups += 1;
      bucket.groups.set(row.key, group);
    }
    group.add(row);
  }
  if (groups > MAX_GROUPS) return null;
  return {
    totals: totals.figures(),
    buckets: [...buckets.values()].map(({ start, sum, groups }) => ({
      start,
      ...sum.figures(),
      groups: [...groups].map(([name, group]) => ({ key: name, ...group.figures() })),
    })),
  };
}
