import { testRedisUrl } from '@postrider/db/testing';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../support/api.ts';
import { pathOf, RICH, RIGHTS_LOCK } from '../support/configuration.ts';
import { useApi } from '../support/database.ts';
import { startApiProcess, useProcesses } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const processes = useProcesses();

describe('a process that is killed while it applies a configuration', () => {
  it('leaves nothing half done, and the document can be applied afterwards', async () => {
    const { environmentId } = await world.environment({ channels: [] });
    const entries = () => world.db().auditEntry.count({ where: { environmentId } });
    const written = await entries();
    const before = (await world.api().admin('get', pathOf(environmentId)).expect(200)).body;
    const api = await startApiProcess({
      databaseUrl: world.url(),
      redisUrl: testRedisUrl(),
      environment: { ADMIN_TOKEN, PUBLIC_URL: 'https://mail.test' },
    });
    processes.push(api);
    const post = (path: string, body: object) =>
      supertest(api.url)
        .post(pathOf(environmentId, path))
        .set('Authorization', `Bearer ${ADMIN_TOKEN}`)
        .send(body);
    const { body: planned } = await post('/plan', { document: RICH }).expect(200);

    await world.db().$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${RIGHTS_LOCK}::bigint)`;
        const applying = post('/apply', { document: RICH, hash: planned.hash }).then(
          () => 'answered',
          () => 'lost',
        );
        await until(async () => {
          const waiting = await tx.$queryRaw<object[]>`
            SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
          return waiting.length > 0;
        });
        api.child.kill('SIGKILL');
        expect(await applying).toBe('lost');
      },
      { timeout: 60_000 },
    );

    const after = (await world.api().admin('get', pathOf(environmentId)).expect(200)).body;
    expect(after).toEqual(before);
    expect(await entries()).toBe(written);
    const again = await world
      .api()
      .admin('post', pathOf(environmentId, '/apply'), { document: RICH, hash: planned.hash });
    expect({ status: again.status, error: again.body.error }).toEqual({ status: 200, error: undefined });
  });
});
