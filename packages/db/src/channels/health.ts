import { type ChannelHealth, MAX_COUNTED_WAITING } from '@postrider/domain';
import type { Queryable, UnboundDatabase } from '../client.ts';

/** The number of paused channels and of their held runs (up to {@link MAX_COUNTED_WAITING}), in the whole service. */
export async function countPaused(
  db: UnboundDatabase,
): Promise<{ readonly channels: number; readonly runs: number }> {
  const [row] = await db.$queryRaw<{ channels: number; runs: number }[]>`
    SELECT (SELECT count(*)::int
              FROM channel_health health JOIN channels channel ON channel.id = health.channel_id
             WHERE health.state = 'paused' AND channel.deleted_at IS NULL) AS channels,
           (SELECT count(*)::int FROM (
              SELECT FROM delivery_runs WHERE held = 'paused' AND completed_at IS NULL
               LIMIT ${MAX_COUNTED_WAITING}) counted) AS runs`;
  return row ?? { channels: 0, runs: 0 };
}

/** The most held runs, or blocked keys, that one read counts for all of its channels. */
const MAX_COUNTED_TOGETHER = 50_000;

/** How many of them it counts for each of its channels: an equal share, at most `most`. */
export const countedEach = (most: number, channels: number) =>
  Math.min(most, Math.floor(MAX_COUNTED_TOGETHER / channels));

/** The health of channels by UUID. A channel without a row is `HEALTHY`. */
export async function readHealth(
  db: Queryable,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, ChannelHealth>> {
  if (channelIds.length === 0) return new Map();
  const most = countedEach(MAX_COUNTED_WAITING, channelIds.length);
  // A channel has a time of failing from its first failure on. Below the limits of the policy it still counts as healthy.
  const rows = await db.$queryRaw<(ChannelHealth & { readonly channelId: string })[]>`
    SELECT asked.channel_id AS "channelId", state, reason, failing_since AS "failingSince", last_success_at AS "lastSuccessAt",
           next_probe_at AS "nextProbeAt",
           (SELECT count(*)::int FROM (
              SELECT FROM delivery_runs run
               WHERE run.held = 'paused' AND run.channel_id = asked.channel_id AND run.completed_at IS NULL
               LIMIT ${most}) counted) AS waiting
      FROM unnest(${[...channelIds]}::uuid[]) AS asked (channel_id)
      JOIN channel_health health ON health.channel_id = asked.channel_id`;
  return new Map(rows.map(({ channelId, ...health }) => [channelId, health]));
}
