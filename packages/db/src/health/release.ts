import { DEFAULT_FAILURE_POLICY, FIRST_RELEASE_RATE, releaseStep } from '@postrider/domain';
import type { RunWakeUp } from '../accept/runs.ts';
import type { Queryable, UnboundDatabase } from '../client.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** If the last release was this long ago, in milliseconds, the rate starts again at its first value. */
const STALE_MS = 60_000;

/** Up to `limit` UUIDs of channels whose held runs are being released, those first that were released longest ago. */
export async function findReleasingChannels(db: UnboundDatabase, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ channel_id: string }[]>`
    SELECT health.channel_id
      FROM channel_health health JOIN channels channel ON channel.id = health.channel_id
     WHERE health.release_rate IS NOT NULL AND NOT channel.paused AND channel.deleted_at IS NULL
     ORDER BY health.released_at, health.channel_id LIMIT ${limit}`;
  return rows.map(({ channel_id }) => channel_id);
}

interface ReleaseRow {
  paused: boolean;
  failing: boolean;
  rate: number | null;
  elapsed_ms: number | null;
  most_per_second: number;
}

/** Locks the release state of a channel. Null if another worker has it, or if the channel has no health yet. */
async function lockRelease(tx: Queryable, channelId: string): Promise<ReleaseRow | null> {
  const [row] = await tx.$queryRaw<ReleaseRow[]>`
    SELECT channel.paused, health.failing_since IS NOT NULL AS failing, health.release_rate AS rate,
           (extract(epoch FROM now() - health.released_at) * 1000)::float8 AS elapsed_ms,
           COALESCE((channel.failure_policy ->> 'release_per_second')::float8,
                    ${DEFAULT_FAILURE_POLICY.release_per_second}::float8) AS most_per_second
      FROM channel_health health JOIN channels channel ON channel.id = health.channel_id
     WHERE health.channel_id = ${channelId}::uuid FOR UPDATE OF health SKIP LOCKED`;
  return row ?? null;
}

/** Makes the row of the release state, which a channel gets with its first figures: all its runs may wait for streams. */
async function addHealth(tx: Queryable, channelId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO channel_health (channel_id, environment_id)
    SELECT id, environment_id FROM channels WHERE id = ${channelId}::uuid
    ON CONFLICT (channel_id) DO NOTHING`;
}

/** Begins a release, or continues one after a break. One after the end of the last counts no longer as that of the resume. */
async function beginRelease(tx: Queryable, channelId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE channel_health
       SET is_resuming = is_resuming AND release_rate IS NOT NULL, release_rate = ${FIRST_RELEASE_RATE}::float8, released_at = now()
     WHERE channel_id = ${channelId}::uuid`;
}

/** Each run costs about twenty pages: its row, and its entries in the indexes of waiting runs. */
const MAX_RELEASED_BY_STATEMENT = 64;

interface HeldRuns {
  readonly channelId: string;
  /** The values of `held` that are released. */
  readonly held: readonly string[];
}

interface ReleasedRun {
  readonly id: string;
  readonly channel_kind: string;
}

/**
 * Releases up to `limit` held runs, those with the smallest ids after `after`. Without it each statement would read the
 * index entries that the ones before it in the transaction have left.
 */
const releaseOldest = (
  tx: Queryable,
  { channelId, held }: HeldRuns,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ReleasedRun[]> =>
  tx.$queryRaw`
    UPDATE delivery_runs SET held = 'released', due_at = now()
     WHERE id = ANY (ARRAY(
       SELECT oldest.id FROM unnest(${[...held]}::text[]) AS asked (held) CROSS JOIN LATERAL (
         SELECT id FROM delivery_runs run
          WHERE run.held = asked.held AND run.channel_id = ${channelId}::uuid AND run.completed_at IS NULL
            AND run.id > COALESCE(${after}::uuid, '00000000-0000-0000-0000-000000000000')
          ORDER BY run.held, run.channel_id, run.id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED) AS oldest
        ORDER BY oldest.id LIMIT ${limit}))
    RETURNING id, channel_kind`;

async function releaseNext(
  tx: Queryable,
  runs: HeldRuns,
  { rate, most_per_second: mostPerSecond, failing: isFailing, elapsed_ms: elapsedMs }: ReleaseRow,
): Promise<RunWakeUp[]> {
  const { channelId } = runs;
  const step = releaseStep(elapsedMs ?? 0, { rate: rate ?? FIRST_RELEASE_RATE, isFailing, mostPerSecond });
  if (step.runs === 0) return [];
  const released: ReleasedRun[] = [];
  let isOver = false;
  while (released.length < step.runs && !isOver) {
    const limit = Math.min(MAX_RELEASED_BY_STATEMENT, step.runs - released.length);
    const rows = await releaseOldest(tx, runs, { after: released.at(-1)?.id ?? null, limit });
    released.push(...rows.sort((one, other) => (one.id < other.id ? -1 : 1)));
    isOver = rows.length < limit;
  }
  await tx.$executeRaw`
    UPDATE channel_health
       SET release_rate = CASE WHEN ${isOver} THEN NULL ELSE ${step.rate}::float8 END,
           released_at = CASE WHEN ${isOver} THEN NULL
                              ELSE released_at + make_interval(secs => ${step.usedMs}::float8 / 1000) END
     WHERE channel_id = ${channelId}::uuid`;
  return released.map(({ id: runId, channel_kind: channelKind }) => ({
    runId,
    channelId,
    channelKind,
    delayMs: 0,
  }));
}

/**
 * Releases held runs of a channel that is not paused, oldest first, as many as its rate allows since the last time.
 * The rate is stored in the channel's health row, whose lock serialises several workers, so together they keep the
 * rate. Returns the wake-ups for the runs, in order.
 * @param streams values of `held` of further runs, which wait for streams; see `findResumedStreams`
 */
export async function releaseHeldRuns(
  { db }: { readonly db: UnboundDatabase },
  channelId: string,
  streams: readonly string[] = [],
): Promise<RunWakeUp[]> {
  return inTransaction({ db }, async (tx) => {
    if (streams.length > 0) await addHealth(tx, channelId);
    const row = await lockRelease(tx, channelId);
    if (!row || row.paused) return [];
    if (row.rate === null || row.elapsed_ms === null || row.elapsed_ms > STALE_MS) {
      await beginRelease(tx, channelId);
      return [];
    }
    return releaseNext(tx, { channelId, held: ['paused', ...streams] }, row);
  });
}
