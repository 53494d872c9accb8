import { join } from 'node:path';
import { ensureDatabase } from '../databases.ts';
import { startPostgres } from '../postgres/start.ts';
import { startRedis } from '../redis/start.ts';
import type { Lifetime } from './lifetime.ts';

export type Say = (line: string) => void;

const DATABASE = 'postrider';

interface Context {
  readonly slotDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly lifetime: Lifetime;
  readonly say: Say;
}

async function ownPostgres({ slotDirectory, lifetime, say }: Context): Promise<string> {
  const wanted = join(slotDirectory, 'postgresql');
  const server = await startPostgres({ directory: wanted });
  lifetime.takeCharge(server.program);
  if (server.directory !== wanted) {
    say(
      `PostgreSQL runs as "${server.accountName}", which cannot enter this checkout: its data is in ${server.directory}`,
    );
  }
  return ensureDatabase(server.url, DATABASE);
}

async function ownRedis({ slotDirectory, lifetime }: Context): Promise<string> {
  const server = await startRedis({ directory: join(slotDirectory, 'redis'), durable: true });
  lifetime.takeCharge(server.program);
  return server.url;
}

/** The URLs of the two stores: those given in DATABASE_URL and REDIS_URL, else those of servers started here. */
export async function startDataServices(
  context: Context,
): Promise<{ databaseUrl: string; redisUrl: string }> {
  const { DATABASE_URL, REDIS_URL } = context.env;
  const [databaseUrl, redisUrl] = await Promise.all([
    DATABASE_URL || ownPostgres(context),
    REDIS_URL || ownRedis(context),
  ]);
  return { databaseUrl, redisUrl };
}
