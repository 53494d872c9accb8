import { Prisma, type Queryable } from '../client.ts';
import { OPEN_BATCH } from '../run-statuses.ts';
import { type ReplayBatchRecord, toReplayBatch } from './batch-record.ts';

const available = (id: string) => Prisma.sql`
  FROM replay_batches WHERE id = ${id}::uuid AND status IN ${OPEN_BATCH}
   AND (retry_at IS NULL OR retry_at <= now())`;

async function readWhere(
  db: Queryable,
  id: string,
  statement: Prisma.Sql,
): Promise<ReplayBatchRecord | null> {
  const rows = await db.$queryRaw<unknown[]>(statement);
  return rows.length === 0 ? null : toReplayBatch(await db.replayBatch.findUniqueOrThrow({ where: { id } }));
}

/** The batch, when it may make a page now: it is not at its end and does not wait after a page that failed. */
export function readAvailableBatch(db: Queryable, id: string): Promise<ReplayBatchRecord | null> {
  return readWhere(db, id, Prisma.sql`SELECT 1 ${available(id)}`);
}

/** The same with its row locked for the transaction; also null when somebody else has it. */
export function lockAvailableBatch(tx: Queryable, id: string): Promise<ReplayBatchRecord | null> {
  return readWhere(tx, id, Prisma.sql`SELECT 1 ${available(id)} FOR UPDATE SKIP LOCKED`);
}
