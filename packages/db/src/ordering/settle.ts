import type { RunWakeUp } from '../accept/runs.ts';
import type { UnboundDatabase } from '../client.ts';
import {
  assignSequences,
  lockKeys,
  lockUnsequenced,
  moveTurns,
  type OrderingKey,
} from '../statements/turns.ts';
import { inTransaction } from '../transactions/transaction.ts';

/**
 * Moves the turns of up to `limit` keys with ended runs, and returns wake-ups for the runs that have their turn now.
 * The note of an ended run was written with its end and is deleted in the transaction that moves the turn, so if a
 * process is lost in between, the next one does it. Several workers may call it concurrently.
 */
export function settleOrder(
  db: UnboundDatabase,
  limit: number,
): Promise<{ ends: number; wakeUps: RunWakeUp[] }> {
  return inTransaction({ db }, async (tx) => {
    const ends = await tx.$queryRaw<OrderingKey[]>`
      DELETE FROM ordering_ends WHERE id = ANY (ARRAY(
        SELECT id FROM ordering_ends ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING channel_id AS "channelId", key`;
    if (ends.length === 0) return { ends: 0, wakeUps: [] };
    const unique = [...new Map(ends.map((entry) => [`${entry.channelId} ${entry.key}`, entry])).values()];
    await lockKeys(tx, unique);
    return { ends: ends.length, wakeUps: await moveTurns(tx, unique) };
  });
}

/**
 * Gives up to `limit` scheduled runs that are now due their sequences, in the order of their times, and returns
 * wake-ups for those that have their turn. Several workers may call it concurrently.
 */
export function assignDueSequences(
  db: UnboundDatabase,
  limit: number,
): Promise<{ assigned: number; wakeUps: RunWakeUp[] }> {
  return inTransaction({ db }, async (tx) => {
    const keys = await lockUnsequenced(tx, { limit });
    if (keys.length === 0) return { assigned: 0, wakeUps: [] };
    const rows = await assignSequences(tx, { keys, limit });
    const wakeUps = rows.filter(({ held }) => held === null).map(({ held, ...wakeUp }) => wakeUp);
    return { assigned: rows.length, wakeUps };
  });
}
