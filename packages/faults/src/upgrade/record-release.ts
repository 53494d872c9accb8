import { createHash } from 'node:crypto';
import type { Database } from '@postrider/db';
import { type Cleanup, openWithCleanup } from '@postrider/local-stack';
import { createDriver, createRandom, type RecordedKey, type RecordedRelease, waitFor } from '@postrider/rig';
import { Redis } from 'ioredis';
import { createClusterTemplate } from '../stack/cluster-template.ts';
import type { Treatment } from '../stack/receivers.ts';
import { migrateWith, openInstallation, type Release } from './installation.ts';

/** Longer than it takes from the start of an attempt until the worker is killed. The lease is 10 s longer. */
const ATTEMPT_TIMEOUT_MS = 3_000;
/** Longer than the 12 s that the upgrade test lets pass between the recording and its start, so that these runs are not due yet. */
const AHEAD_S = 20;
const FAR_AHEAD_S = 86_400;
const WAITING_EVENTS = 3;
/** Longer than the recording. */
const HANG_MS = 600_000;
/** Not secret: it encrypts only the channels of the recording. */
const KEY = createHash('sha256').update('recorded release').digest();

async function readRedis(url: string): Promise<RecordedKey[]> {
  const redis = new Redis(url);
  try {
    const found: RecordedKey[] = [];
    for (const key of (await redis.keys('postrider:*')).sort()) {
      const type = await redis.type(key);
      if (type === 'string') {
        const value = (await redis.get(key)) ?? '';
        found.push({ key, type, value, ttlMs: await redis.pttl(key) });
      } else if (type === 'list') found.push({ key, type, value: await redis.lrange(key, 0, -1) });
      else if (type === 'hash') found.push({ key, type, value: await redis.hgetall(key) });
      else if (type === 'zset')
        found.push({ key, type, value: await redis.zrange(key, '0', '-1', 'WITHSCORES') });
    }
    return found;
  } finally {
    redis.disconnect();
  }
}

async function readTables(db: Database): Promise<RecordedRelease['tables']> {
  const names = await db.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables
     WHERE schemaname = 'public' AND tablename NOT IN ('_prisma_migrations', 'fault_transitions') ORDER BY 1`;
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const { name } of names) {
    const rows = await db.$queryRawUnsafe<{ row: Record<string, unknown> }[]>(
      `SELECT to_jsonb(each) AS row FROM "${name}" each`,
    );
    if (rows.length > 0) tables[name] = rows.map(({ row }) => row);
  }
  return tables;
}

async function record(release: Release, cleanup: Cleanup): Promise<RecordedRelease> {
  const template = cleanup.keep(
    await createClusterTemplate((databaseUrl) => migrateWith(release, databaseUrl)),
    (one) => one.remove(),
  );
  let treatment: Treatment = { delayMs: 0, answer: 'accepted' };
  const installation = await openInstallation(
    {
      release,
      apis: 1,
      workers: 1,
      webhooks: ['/hook'],
      concurrency: 10,
      key: KEY,
      attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
      retry: { max_attempts: 5, delays_seconds: [AHEAD_S] },
    },
    { template, treat: () => treatment },
  );
  cleanup.add(installation.close);
  const { db, workers, sends, redis, fixture } = installation;
  const random = createRandom(1);
  const urls = () => installation.apis.map(({ url }) => url);
  const driver = createDriver({ urls, token: fixture.token, random });
  const accept = (aheadS = 0) =>
    driver.deliver({
      reference: `event-${random.uuid()}`,
      key: random.uuid(),
      ...(aheadS > 0 && { scheduleAt: new Date(Date.now() + aheadS * 1_000) }),
    });
  const runsIn = (status: string, count: number) =>
    waitFor(
      `runs that are ${status}`,
      async () => (await db.deliveryRun.count({ where: { status } })) === count,
    );

  await accept();
  await runsIn('succeeded', 2);
  treatment = { delayMs: 0, answer: 'refused' };
  await accept();
  await runsIn('retrying', 2);
  await accept(AHEAD_S);
  await accept(FAR_AHEAD_S);
  treatment = { delayMs: HANG_MS, answer: 'accepted' };
  const sent = sends.sends.length;
  await accept();
  await waitFor('open attempts', () => sends.sends.length === sent + 2, { pollMs: 5 });
  await Promise.all(workers.map((worker) => worker.kill()));
  for (let count = 0; count < WAITING_EVENTS; count += 1) await accept();
  return {
    recordedAt: Date.now(),
    encryptionKey: KEY.toString('base64'),
    redis: await readRedis(redis.url),
    tables: await readTables(db),
  };
}

/**
 * Records what a release leaves in Redis and PostgreSQL when its worker is killed: runs of webhooks and mails that have
 * succeeded, are to be retried, are scheduled soon and far ahead, are being sent, and wait.
 */
export function recordRelease(release: Release): Promise<RecordedRelease> {
  return openWithCleanup(async (cleanup) => {
    const recorded = await record(release, cleanup);
    await cleanup.run();
    return recorded;
  });
}
