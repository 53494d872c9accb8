import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** The sizes of written values, in this order; each is repeated until Redis refuses it. */
const CHUNK_BYTES = [100_000, 1_000, 100];
/** The pause between two tries while Redis is full. */
const PAUSE_MS = 10;

/** Keeps a Redis full: takes every byte that others free. */
interface RedisFiller {
  /**
   * Stops, but leaves its data. Returns how many commands of others Redis has refused for lack of memory since it was
   * full.
   */
  stop(): Promise<number>;
}

async function countRefused(client: Redis): Promise<number> {
  return Number(/^errorstat_OOM:count=(\d+)/m.exec(await client.info('errorstats'))?.[1] ?? 0);
}

/** Fills Redis, and resolves when it is full. Redis needs `maxmemory` and the policy `noeviction`. */
export async function fillRedis(url: string): Promise<RedisFiller> {
  const client = new Redis(url);
  client.on('error', () => undefined);
  let written = 0;
  let refused = 0;

  /** Writes this many bytes. Resolves with whether there was room. */
  async function write(bytes: number): Promise<boolean> {
    try {
      await client.set(`filler-${written}`, 'x'.repeat(bytes));
      written += 1;
      return true;
    } catch {
      refused += 1;
      return false;
    }
  }

  for (const bytes of CHUNK_BYTES) while (await write(bytes));
  const before = (await countRefused(client)) - refused;
  let isOver = false;
  async function stayFull(): Promise<void> {
    while (!isOver) if (!(await write(CHUNK_BYTES.at(-1) ?? 1))) await wait(PAUSE_MS);
  }
  const filling = stayFull();
  return {
    async stop() {
      isOver = true;
      await filling;
      const ofOthers = (await countRefused(client)) - refused - before;
      client.disconnect();
      return ofOthers;
    },
  };
}
