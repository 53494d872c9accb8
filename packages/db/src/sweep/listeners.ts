import { LISTENER_GONE_SECONDS } from '@postrider/domain';
import type { Queryable, UnboundDatabase } from '../client.ts';
import { BELOW_ALL_IDS } from '../first-id-at.ts';
import type { PageRequest } from '../pages.ts';
import { defineStatement } from '../statement.ts';
import { HAS_LIMITS } from '../statements/limited-runs.ts';

/** How exactly it is known when somebody last listened to a channel, in seconds. */
const TOUCH_SECONDS = 60;

/** SQL of the condition that a channel is one for a listener: a webhook, as `isListener` of the kind says. */
const IS_LISTENER = "deleted_at IS NULL AND kind = 'webhook' AND config ->> 'url' LIKE 'listen://%'";

/** Notes that somebody listens to the channel, which keeps it. Writes once a minute. */
export async function touchListener(db: Queryable, channelId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE channels SET updated_at = now()
     WHERE id = ${channelId}::uuid AND updated_at < now() - make_interval(secs => ${TOUCH_SECONDS}::int)`;
}

const count = defineStatement<{ readonly environmentId: string }, { count: number }>({
  text: `SELECT count(*)::int AS count FROM channels WHERE environment_id = :environmentId::uuid AND ${IS_LISTENER}`,
});

/** The channels for listeners of an environment. */
export async function countListeners(db: Queryable, environmentId: string): Promise<number> {
  return (await count(db, { environmentId }))[0]?.count ?? 0;
}

/** A page of the channels with limits, which those for listeners always have. */
const readPage = defineStatement<PageRequest, { id: string; is_gone: boolean }>({
  text: `
  WITH page AS MATERIALIZED (
    SELECT id FROM channels channel
     WHERE ${HAS_LIMITS.sql} AND id > COALESCE(:after::uuid, '${BELOW_ALL_IDS}')
     ORDER BY id LIMIT :limit::int
  )
  SELECT id, ${IS_LISTENER} AND updated_at < now() - make_interval(secs => ${LISTENER_GONE_SECONDS}) AS is_gone
    FROM page JOIN channels USING (id)
   ORDER BY id`,
});

/**
 * The channels of a page to which nobody has listened for {@link LISTENER_GONE_SECONDS}.
 * @returns `after`: where the next page begins; null after the last one
 */
export async function findGoneListeners(
  db: UnboundDatabase,
  page: PageRequest,
): Promise<{ readonly gone: string[]; readonly after: string | null }> {
  const rows = await readPage(db, page);
  const isLast = rows.length < page.limit;
  return {
    gone: rows.filter(({ is_gone }) => is_gone).map(({ id }) => id),
    after: isLast ? null : (rows.at(-1)?.id ?? null),
  };
}
