import { Redis } from 'ioredis';
import { withClient } from './databases.ts';

const SCAN_COUNT = 1_000;

/** Bytes of a database on disk: tables, indexes and all else. */
export async function databaseBytes(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
    return Number(rows[0].bytes);
  });
}

/**
 * Bytes of all keys of a database of Redis, each with its value, by its own count (MEMORY USAGE): exact to
 * the key, whereas the server's total moves with connections and buffers.
 */
export async function redisBytes(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl);
  try {
    let bytes = 0;
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'COUNT', SCAN_COUNT);
      const usage = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
      bytes += usage.reduce<number>((sum, each) => sum + (each ?? 0), 0);
      cursor = next;
    } while (cursor !== '0');
    return bytes;
  } finally {
    redis.disconnect();
  }
}
