import { testRedisUrl } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { useApi } from '../support/database.ts';
import { type ApiProcess, startApiProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const AWAY = 'redis://127.0.0.1:1';
let processes: readonly ApiProcess[];

beforeAll(async () => {
  const start = (redisUrl: string) => startApiProcess({ databaseUrl: world.url(), redisUrl });
  processes = await Promise.all([start(testRedisUrl()), start(AWAY)]);
});
afterAll(async () => {
  for (const { child, exited } of processes) {
    child.kill('SIGKILL');
    await exited;
  }
});

const statuses = (token: string) =>
  Promise.all(
    processes.map(async ({ url }) => {
      const request = supertest(url).get('/api/v1/limits').set('Authorization', `Bearer ${token}`);
      return (await request).status;
    }),
  );
const refusedEverywhere = async (token: string) => (await statuses(token)).every((status) => status === 401);

/** Runs `work` while no notice of a token's change is sent. */
async function withoutNotices(work: () => Promise<void>): Promise<void> {
  await world.db().$executeRaw`ALTER TABLE tokens DISABLE TRIGGER tokens_notify`;
  try {
    await work();
  } finally {
    await world.db().$executeRaw`ALTER TABLE tokens ENABLE TRIGGER tokens_notify`;
  }
}

describe('processes that have cached a token, with and without Redis', () => {
  it('refuse it when it is revoked by another process', async () => {
    const { token, tokenId } = await world.environment();
    expect(await statuses(token)).toEqual([200, 200]);
    await world
      .api()
      .admin('delete', `/admin/v1/tokens/${formatId('tok', tokenId)}`)
      .expect(204);
    await until(() => refusedEverywhere(token));
  });

  it('refuse it when it is revoked and the notice is lost', async () => {
    const { token, tokenId } = await world.environment();
    expect(await statuses(token)).toEqual([200, 200]);
    await withoutNotices(async () => {
      await world
        .api()
        .admin('delete', `/admin/v1/tokens/${formatId('tok', tokenId)}`)
        .expect(204);
    });
    await until(() => refusedEverywhere(token));
  });

  it('refuse it when it expires, without any notice', async () => {
    const { token, tokenId } = await world.environment();
    expect(await statuses(token)).toEqual([200, 200]);
    await withoutNotices(async () => {
      await world.db().$executeRaw`
        UPDATE tokens SET expires_at = clock_timestamp() + interval '500 ms' WHERE id = ${tokenId}::uuid`;
    });
    await until(() => refusedEverywhere(token));
  });

  it('store when it was used when they stop', async () => {
    const { token, tokenId } = await world.environment();
    const api = await startApiProcess({ databaseUrl: world.url(), redisUrl: AWAY });
    await supertest(api.url).get('/api/v1/limits').set('Authorization', `Bearer ${token}`).expect(200);
    api.child.kill('SIGTERM');
    expect(await api.exited).toBe(0);
    const { lastUsedAt } = await world.db().token.findUniqueOrThrow({ where: { id: tokenId } });
    expect(lastUsedAt?.getUTCSeconds()).toBe(0);
  });
});
