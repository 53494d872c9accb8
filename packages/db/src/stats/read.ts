import type { Queryable } from '../client.ts';
import { LATENCY_BOUNDS_MS, NO_CHANNEL, NO_LATENCY } from '../statements/count.ts';

export const STATS_INTERVALS = { minute: 60, hour: 3_600 } as const;
export type StatsInterval = keyof typeof STATS_INTERVALS;
export const STATS_GROUPS = [
  'channel',
  'channel_kind',
  'sender',
  'event_key',
  'stream',
  'error_code',
] as const;
export type StatsGroup = (typeof STATS_GROUPS)[number];

/** Latencies in milliseconds: the upper bound of the bucket; null above the last bound. */
interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

const COUNTS = ['accepted', 'delivered', 'failed', 'attempts', 'bounced', 'complained'] as const;
type Counts<Of> = Record<(typeof COUNTS)[number], Of>;

/** `bounced`: emails whose bounce was reported. `complained`: emails whose recipient complained. */
export interface StatsFigures extends Readonly<Counts<number>> {
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

interface Row extends Counts<bigint> {
  start: Date;
  key: string;
  latency_bucket: number;
}

/** What one statement has read of the stored rows. */
interface Read {
  /** How many. */
  stored: number;
  /** The key of the last one; null if there are none. */
  last: StoredKey | null;
}

/** The primary key of a stored row below its environment and span, as text. */
interface StoredKey {
  readonly start: string;
  readonly channel_id: string;
  readonly sender: string;
  readonly event_key: string;
  readonly error_code: string;
  readonly latency_bucket: number;
}

/** Sums of rows, with the counts of their latencies by bucket. */
class Sum {
  readonly #counts = { accepted: 0, delivered: 0, failed: 0, attempts: 0, bounced: 0, complained: 0 };
  readonly #latencies = new Map<number, number>();

  /** Returns whether the row has a latency bucket that no row before it had. */
  add(row: Row): boolean {
    for (const name of COUNTS) this.#counts[name] += Number(row[name]);
    const measured = this.#latencies.get(row.latency_bucket);
    this.#latencies.set(row.latency_bucket, (measured ?? 0) + Number(row.attempts));
    return measured === undefined;
  }

  figures(): StatsFigures {
    return { ...this.#counts, latency: this.#latency() };
  }

  #latency(): Latency | null {
    const buckets = [...this.#latencies]
      .filter(([bucket]) => bucket !== NO_LATENCY)
      .sort(([one], [other]) => one - other);
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

interface StatsQuery {
  readonly environmentId: string;
  readonly interval: StatsInterval;
  /** Start (inclusive) and end (exclusive), at whole intervals. */
  readonly from: Date;
  readonly to: Date;
  readonly groupBy: StatsGroup | null;
}

/** Sums of all intervals, groups and latencies. Limits the memory of a request, because clients choose the event keys. */
const MAX_SUMS = 20_000;
/** Groups of all intervals together: their JSON is smaller than a page of large rows, `MAX_PAGE_BYTES`. */
const MAX_GROUPS = 5_000;
/** Limits the time of a request, because an hour can have tens of thousands of stored rows: about a second. */
const MAX_STORED_ROWS = 200_000;
/** Limits a statement to some milliseconds, and to 2,000 pages even if each row is in its own, or with a channel of its own. */
const MAX_ROWS_BY_STATEMENT = 1_900;
const MAX_ROWS_WITH_CHANNELS = 400;

interface StatsLimits {
  readonly maxStoredRows?: number;
  readonly maxRowsByStatement?: number;
}

const NO_KEYS: ReadonlySet<string> = new Set(['', NO_CHANNEL]);

/** Before every stored row of a time. */
const before = (start: Date): StoredKey => ({
  start: start.toISOString(),
  channel_id: NO_CHANNEL,
  sender: '',
  event_key: '',
  error_code: '',
  latency_bucket: NO_LATENCY - 1,
});

/**
 * Sums of the next `limit` stored rows after `after`, by interval, group and latency. Compares whole keys, so that only the
 * primary key fits: the index of old figures has those of all environments.
 */
async function readNext(
  db: Queryable,
  { environmentId, interval, to, groupBy }: StatsQuery,
  { after, limit }: { readonly after: StoredKey; readonly limit: number },
): Promise<{ readonly rows: readonly Row[] } & Read> {
  const span = STATS_INTERVALS[interval];
  const rows = await db.$queryRaw<(Row & { read: Read | null })[]>`
    WITH stored AS MATERIALIZED (
      SELECT *, row_number() OVER () AS place FROM (
        SELECT * FROM stats
         WHERE (environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket)
             > (${environmentId}::uuid, ${span}::int2, ${after.start}::timestamptz, ${after.channel_id}::uuid, ${after.sender}::text,
                ${after.event_key}::text, ${after.error_code}::text, ${after.latency_bucket}::int2)
           AND (environment_id, span_seconds, start) < (${environmentId}::uuid, ${span}::int2, ${to}::timestamptz)
         ORDER BY environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket
         LIMIT ${limit}) AS next
    ), read AS (
      SELECT json_build_object('stored', place, 'last', to_json(last)) AS value
        FROM (SELECT * FROM stored ORDER BY place DESC LIMIT 1) AS last
    )
    SELECT start, CASE ${groupBy}::text
             WHEN 'channel' THEN channel_id::text
             WHEN 'channel_kind' THEN COALESCE((
               SELECT kind FROM channels WHERE environment_id = stored.environment_id AND id = channel_id), '')
             -- The name of a sender is unique in its channel only.
             WHEN 'sender' THEN CASE WHEN sender <> '' THEN channel_id || '/' || sender ELSE '' END
             WHEN 'event_key' THEN event_key
             WHEN 'stream' THEN COALESCE(stream, '')
             WHEN 'error_code' THEN error_code
             ELSE '' END AS key, latency_bucket, sum(accepted)::int8 AS accepted, sum(delivered)::int8 AS delivered,
           sum(failed)::int8 AS failed, sum(attempts)::int8 AS attempts,
           sum(bounced)::int8 AS bounced, sum(complained)::int8 AS complained,
           CASE WHEN row_number() OVER (ORDER BY 1) = 1 THEN (SELECT value FROM read) END AS read
      FROM stored
      -- The stream that the event key has now. Keys of transactional email have none.
      LEFT JOIN (SELECT environment_id, event_key, stream FROM event_types WHERE ${groupBy}::text = 'stream') AS known
           USING (environment_id, event_key)
     GROUP BY 1, 2, 3`;
  const { stored, last } = rows.find(({ read }) => read !== null)?.read ?? { stored: 0, last: null };
  return { rows, stored, last };
}

/** The sums of the rows that were read so far. */
class Figures {
  readonly totals = new Sum();
  readonly #buckets = new Map<number, { start: Date; sum: Sum; groups: Map<string, Sum> }>();
  #sums = 0;
  #groups = 0;

  add(row: Row): void {
    this.totals.add(row);
    const time = row.start.getTime();
    const bucket = this.#buckets.get(time) ?? { start: row.start, sum: new Sum(), groups: new Map() };
    this.#buckets.set(time, bucket);
    if (bucket.sum.add(row)) this.#sums += 1;
    if (NO_KEYS.has(row.key)) return;
    let group = bucket.groups.get(row.key);
    if (!group) {
      group = new Sum();
      this.#groups += 1;
      bucket.groups.set(row.key, group);
    }
    if (group.add(row)) this.#sums += 1;
  }

  isTooLarge(): boolean {
    return this.#sums > MAX_SUMS || this.#groups > MAX_GROUPS;
  }

  buckets(): StatsBucket[] {
    const inOrder = [...this.#buckets].sort(([one], [other]) => one - other);
    return inOrder.map(([, { start, sum, groups }]) => ({
      start,
      ...sum.figures(),
      groups: [...groups]
        .map(([key, group]) => ({ key, ...group.figures() }))
        .sort((one, other) => (one.key < other.key ? -1 : 1)),
    }));
  }
}

/**
 * An environment's figures by interval, oldest first, without empty intervals, and their totals. They are some
 * seconds behind, because a sweep folds the counts. Null if there are more rows than one request may read, or one
 * response can have. It never reads more.
 */
export async function readStats(
  db: Queryable,
  query: StatsQuery,
  {
    maxStoredRows = MAX_STORED_ROWS,
    maxRowsByStatement = query.groupBy === 'channel_kind' ? MAX_ROWS_WITH_CHANNELS : MAX_ROWS_BY_STATEMENT,
  }: StatsLimits = {},
): Promise<{ readonly buckets: readonly StatsBucket[]; readonly totals: StatsFigures } | null> {
  const figures = new Figures();
  let after = before(query.from);
  let left = maxStoredRows + 1;
  for (;;) {
    const limit = Math.min(maxRowsByStatement, left);
    const { rows, stored, last } = await readNext(db, query, { after, limit });
    for (const row of rows) figures.add(row);
    left -= stored;
    if (left === 0 || figures.isTooLarge()) return null;
    if (stored < limit || !last) return { totals: figures.totals.figures(), buckets: figures.buckets() };
    after = last;
  }
}
