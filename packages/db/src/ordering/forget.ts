import type { UnboundDatabase } from '../client.ts';
import { BELOW_ALL_IDS } from '../first-id-at.ts';
import type { OrderingKey } from '../statements/turns.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** How many days after its last use a key may be forgotten: docs/promises.md, "Order". */
export const KEY_IDLE_DAYS = 90;

/**
 * Examines the next `limit` keys after `after`, the last of the previous round in the order of the primary key, and removes those
 * that are not needed: keys of a deleted channel whose runs have all ended, and keys that were not used for {@link KEY_IDLE_DAYS}
 * days, are not blocked and have no stored run. So no sequence is given twice while a run with it is stored. The next event of a
 * forgotten key gets 1. Returns how many were forgotten, and where the next call continues; null at the end.
 *
 * An acceptance that gives a run its sequence locks the key's row: such a key is skipped. The second statement sees
 * everything committed before the lock, and a later acceptance waits and creates a new row.
 */
export function forgetIdleKeys(
  db: UnboundDatabase,
  { after, limit }: { readonly after: OrderingKey | null; readonly limit: number },
): Promise<{ readonly forgotten: number; readonly next: OrderingKey | null }> {
  return inTransaction({ db }, async (tx) => {
    const rows = await tx.$queryRaw<(OrderingKey & { isIdle: boolean })[]>`
      SELECT page.channel_id AS "channelId", page.key,
             channel.runs_ended_at IS NOT NULL
               OR page.blocked_at IS NULL AND page.used_at < now() - make_interval(days => ${KEY_IDLE_DAYS}::int) AS "isIdle"
        FROM (SELECT channel_id, key, used_at, blocked_at FROM ordering_keys
               WHERE (channel_id, key) > (${after?.channelId ?? BELOW_ALL_IDS}::uuid, ${after?.key ?? ''})
               ORDER BY channel_id, key LIMIT ${limit}) page
        JOIN channels channel ON channel.id = page.channel_id
       ORDER BY page.channel_id, page.key`;
    const last = rows.at(-1);
    const next = rows.length < limit || !last ? null : { channelId: last.channelId, key: last.key };
    const idle = rows.filter(({ isIdle }) => isIdle);
    if (idle.length === 0) return { forgotten: 0, next };
    const locked = await tx.$queryRaw<OrderingKey[]>`
      SELECT known.channel_id AS "channelId", known.key
        FROM unnest(${idle.map(({ channelId }) => channelId)}::uuid[], ${idle.map(({ key }) => key)}::text[]) AS idle (channel_id, key)
        JOIN ordering_keys known ON known.channel_id = idle.channel_id AND known.key = idle.key
         FOR UPDATE OF known SKIP LOCKED`;
    const forgotten = await tx.$executeRaw`
      DELETE FROM ordering_keys known
       USING unnest(${locked.map(({ channelId }) => channelId)}::uuid[], ${locked.map(({ key }) => key)}::text[])
               AS idle (channel_id, key), channels channel
       WHERE known.channel_id = idle.channel_id AND known.key = idle.key AND channel.id = known.channel_id
         AND (channel.runs_ended_at IS NOT NULL
              OR known.blocked_at IS NULL AND known.used_at < now() - make_interval(days => ${KEY_IDLE_DAYS}::int)
                 AND NOT EXISTS (SELECT FROM delivery_runs run
                                  WHERE run.channel_id = known.channel_id AND run.ordering_key = known.key
                                    AND run.sequence IS NOT NULL))`;
    return { forgotten, next };
  });
}
