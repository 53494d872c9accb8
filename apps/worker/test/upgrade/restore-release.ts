import { readFile } from 'node:fs/promises';
import { migrate, type UnboundDatabase } from '@postrider/db';
import { createTestDatabase, migrateUntil, type TestDatabase } from '@postrider/db/testing';
import { queuePrefix, type RedisClient } from '@postrider/queue';
import type { RecordedRelease } from '@postrider/rig';

/** The last migration of release 0.1.0. */
const LAST_MIGRATION = '20261121130520_removed_deliveries_bigint';
/** BullMQ multiplies the times of delayed jobs by this, to keep their order. */
const DELAYED_UNITS_PER_MS = 4_096;

/**
 * Reads what release 0.1.0 (commit 040fe8e) left in its stores when its worker was killed. Recorded by its own processes:
 * `npm run test:rolling-upgrade -- --record apps/worker/test/upgrade/release-0.1.0.json`.
 */
export async function readRecordedRelease(): Promise<RecordedRelease> {
  return JSON.parse(await readFile(new URL('release-0.1.0.json', import.meta.url), 'utf8'));
}

/** The ids of the runs whose jobs were in a state, of both kinds. */
export function runsWithJobs({ redis }: RecordedRelease, state: 'wait' | 'delayed' | 'active'): string[] {
  const ids = redis.flatMap((each) => {
    if (!each.key.endsWith(`:${state}`)) return [];
    if (each.type === 'zset') return each.value.filter((_value, index) => index % 2 === 0);
    return each.type === 'list' ? each.value : [];
  });
  return ids.map((id) => id.replace(/^run-(.{36})-\d+-\d+$/, '$1'));
}

async function insertRows(db: UnboundDatabase, { tables }: RecordedRelease, shiftMs: number): Promise<void> {
  await db.$transaction(async (tx) => {
    // Skips triggers and foreign key checks, so that the rows are unchanged and their order does not matter.
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    for (const [table, rows] of Object.entries(tables)) {
      // Migrations insert some rows.
      await tx.$executeRawUnsafe(`DELETE FROM "${table}"`);
      await tx.$executeRawUnsafe(
        `INSERT INTO "${table}" SELECT * FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
        JSON.stringify(rows),
      );
      const times = await tx.$queryRaw<{ name: string }[]>`
        SELECT column_name AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = ${table} AND data_type = 'timestamp with time zone'`;
      if (times.length === 0) continue;
      const shifted = times.map(({ name }) => `"${name}" = "${name}" + interval '${shiftMs} ms'`);
      await tx.$executeRawUnsafe(`UPDATE "${table}" SET ${shifted.join()}`);
    }
  });
}

/** Creates a database as 0.1.0 left it, `shiftMs` later, and applies the migrations of this release. */
export async function restoreDatabase(recorded: RecordedRelease, shiftMs: number): Promise<TestDatabase> {
  const database = await createTestDatabase({ poolSize: 4, empty: true });
  await migrateUntil(database.url, LAST_MIGRATION);
  await insertRows(database.db, recorded, shiftMs);
  await migrate(database.url);
  return database;
}

interface RestoreOptions {
  readonly shiftMs: number;
  /** The time since the recording, in milliseconds: locks of the dead worker that have ended since are left out. */
  readonly elapsedMs: number;
  /** Prefix of the keys instead of the recorded one. */
  readonly prefix: string;
  /** Ids of runs whose jobs Redis has lost. */
  readonly lost: readonly string[];
}

/** Writes the recorded keys with another prefix, `shiftMs` later. */
export async function restoreRedis(
  redis: RedisClient,
  recorded: RecordedRelease,
  { shiftMs, elapsedMs, prefix, lost }: RestoreOptions,
): Promise<void> {
  const isKept = (text: string) => !lost.some((id) => text.includes(id));
  for (const each of recorded.redis.filter(({ key }) => isKept(key))) {
    const key = each.key.replace(/^postrider/, queuePrefix(redis, prefix));
    if (each.type === 'string') {
      const leftMs = each.ttlMs - elapsedMs;
      if (each.ttlMs < 0) await redis.set(key, each.value);
      else if (leftMs > 0) await redis.set(key, each.value, 'PX', leftMs);
    } else if (each.type === 'hash') {
      const timestamp = Number(each.value.timestamp) + shiftMs;
      await redis.hset(key, { ...each.value, ...(each.value.timestamp && { timestamp }) });
    } else if (each.type === 'list') {
      const kept = each.value.filter(isKept);
      if (kept.length > 0) await redis.rpush(key, ...kept);
    } else {
      const isDelayed = key.endsWith(':delayed');
      for (let index = 0; index < each.value.length; index += 2) {
        const score = Number(each.value[index + 1]) + (isDelayed ? shiftMs * DELAYED_UNITS_PER_MS : 0);
        await redis.zadd(key, score, each.value[index] ?? '');
      }
    }
  }
}
