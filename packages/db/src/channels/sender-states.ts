import type { AccountStateChange, OpenBreaker, SenderStateRecord } from '@postrider/domain';
import type { Queryable, UnboundDatabase } from '../client.ts';

/** The longest stored reason of an open breaker, in characters. */
const MAX_REASON_LENGTH = 500;

/** Stores that the breaker of a mail account opened or closed. Times are by the database's clock. */
export async function recordSenderState(db: UnboundDatabase, change: AccountStateChange): Promise<void> {
  const { channelId, account, state } = change;
  const pauseMs = state === 'open' ? change.pauseMs : null;
  const reason = state === 'open' ? change.reason.slice(0, MAX_REASON_LENGTH) : null;
  await db.$executeRaw`
    INSERT INTO sender_states (channel_id, environment_id, sender, state, since, until, reason)
    SELECT id, environment_id, ${account}, ${state}, now(),
           now() + make_interval(secs => ${pauseMs}::float8 / 1000), ${reason}
      FROM channels WHERE id = ${channelId}::uuid AND deleted_at IS NULL
        ON CONFLICT (channel_id, sender) DO UPDATE
       SET state = EXCLUDED.state, until = EXCLUDED.until, reason = EXCLUDED.reason,
           since = CASE WHEN sender_states.state = EXCLUDED.state THEN sender_states.since ELSE EXCLUDED.since END`;
}

/** The same number as a process keeps in memory. */
const MAX_OPEN = 1_000;

/** The open breakers, so that a new process need not fail first to find out. */
export function readOpenBreakers(db: UnboundDatabase): Promise<OpenBreaker[]> {
  return db.$queryRaw<OpenBreaker[]>`
    SELECT channel_id AS "channelId", sender AS account, (extract(epoch FROM until) * 1000)::float8 AS "untilMs"
      FROM sender_states WHERE state = 'open' ORDER BY until DESC LIMIT ${MAX_OPEN}`;
}

/** The stored states of the mail accounts of these channels. A breaker whose open time is over is half open. */
export async function readSenderStates(
  db: Queryable,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SenderStateRecord[]>> {
  const rows = await db.$queryRaw<(SenderStateRecord & { channel_id: string })[]>`
    SELECT channel_id, sender, since, reason,
           CASE WHEN state = 'open' AND until <= now() THEN 'half_open' ELSE state END AS state
      FROM sender_states WHERE channel_id = ANY(${[...channelIds]}::uuid[])`;
  const states = new Map<string, SenderStateRecord[]>();
  for (const { channel_id, sender, state, since, reason } of rows) {
    states.set(channel_id, [...(states.get(channel_id) ?? []), { sender, state, since, reason }]);
  }
  return states;
}
