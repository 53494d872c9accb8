import type { IdSource } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import { firstIdAt } from '../first-id-at.ts';
import { defineStatement } from '../statement.ts';
import { defineEnding, MAX_AGE } from './end-waiting-runs.ts';

const EXPIRED_MESSAGE =
  'The run waited for its paused channel longer than the failure policy of the channel allows.';
/** Runs ended per transaction. */
const EXPIRE_BATCH = 500;

interface HeldChannel {
  readonly channelId: string;
  readonly isPaused: boolean;
  /** Whether it has runs that have waited too long. */
  readonly hasExpired: boolean;
}

const SINCE = `(now() - make_interval(secs => ${MAX_AGE}))`;

/**
 * SQL of a condition on `run` and its `channel`: it has waited for the pause for more than `max_age`. What it waited for before, such
 * as a paused stream or its turn, does not count. The id narrows the search; the time decides. A run in retry that only waits
 * for the release has not waited for the pause, so it does not expire.
 */
const HAS_EXPIRED = `(
  (channel.paused OR run.status <> 'retrying') AND COALESCE(channel.paused_at <= ${SINCE}, true)
  AND run.id < ${firstIdAt(`extract(epoch FROM ${SINCE}) * 1000`)}
  AND COALESCE(run.scheduled_at, run.created_at) <= ${SINCE})`;

interface HeldPage {
  readonly limit: number;
  readonly after?: string | null;
}

const findHeld = defineStatement<HeldPage, HeldChannel & { readonly isDeleted: boolean }>({
  text: `
    WITH RECURSIVE held (channel_id, place) AS (
      (SELECT channel_id, 1 FROM delivery_runs
        WHERE held = 'paused' AND completed_at IS NULL
          AND channel_id > COALESCE(:after::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
        ORDER BY held, channel_id LIMIT 1)
      UNION ALL
      SELECT next.channel_id, held.place + 1 FROM held CROSS JOIN LATERAL (
        SELECT run.channel_id FROM delivery_runs run
         WHERE run.held = 'paused' AND run.completed_at IS NULL AND run.channel_id > held.channel_id
         ORDER BY run.held, run.channel_id LIMIT 1) next
       WHERE held.place < :limit::int
    )
    SELECT held.channel_id AS "channelId", channel.paused AS "isPaused", channel.deleted_at IS NOT NULL AS "isDeleted",
           EXISTS (SELECT FROM delivery_runs run
                    WHERE run.held = 'paused' AND run.channel_id = channel.id AND run.completed_at IS NULL
                      AND ${HAS_EXPIRED}) AS "hasExpired"
      FROM held JOIN channels channel ON channel.id = held.channel_id
     ORDER BY held.place`,
  parameters: { after: ({ after = null }) => after },
});

/**
 * Examines the next `limit` channels with held runs after `after`, by id. Returns those whose runs can be released or
 * have waited too long, and where the next call continues; null at the end. This includes runs that were held while
 * their channel was being resumed. The query skips from channel to channel in the index `delivery_runs_held`, so its cost
 * depends only on `limit`, not on the numbers of held runs and their channels.
 */
export async function findHeldChannels(
  db: UnboundDatabase,
  page: HeldPage,
): Promise<{ readonly channels: readonly HeldChannel[]; readonly next: string | null }> {
  const rows = await findHeld(db, page);
  const channels = rows
    .filter(({ isDeleted, isPaused, hasExpired }) => !isDeleted && (hasExpired || !isPaused))
    .map(({ isDeleted: _isDeleted, ...channel }) => channel);
  return { channels, next: rows.length < page.limit ? null : (rows.at(-1)?.channelId ?? null) };
}

const endExpired = defineEnding<{ readonly channelId: string }>({
  which: `id = ANY(ARRAY(
      SELECT run.id FROM channels channel JOIN delivery_runs run ON run.channel_id = channel.id
       WHERE channel.id = :channelId::uuid AND run.held = 'paused' AND run.completed_at IS NULL AND ${HAS_EXPIRED}
       ORDER BY run.id LIMIT ${EXPIRE_BATCH})) AND held = 'paused'`,
  attempt: { status: 'failed', errorCode: 'expired', errorMessage: EXPIRED_MESSAGE },
});

/** Ends runs that have waited too long for their channel, oldest first. Returns how many, at most a batch. */
export async function expireHeldRuns(
  { db, newId }: { readonly db: UnboundDatabase; readonly newId: IdSource },
  channelId: string,
): Promise<number> {
  return (await endExpired(db, newId, { channelId, limit: EXPIRE_BATCH })).length;
}
