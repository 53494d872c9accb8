import { randomUUID } from 'node:crypto';
import { testRedisUrl } from '@postrider/db/testing';
import { afterEach, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { anEvent } from './support/api.ts';
import { useApi } from './support/database.ts';
import { type ApiProcess, startApiProcess, useProcesses } from './support/process.ts';
import { until } from './support/waiting.ts';

const world = useApi();
const processes = useProcesses();

async function start(change: (url: URL) => void = () => undefined): Promise<ApiProcess> {
  const url = new URL(world.url());
  change(url);
  const started = await startApiProcess({ databaseUrl: url.href, redisUrl: testRedisUrl() });
  processes.push(started);
  return started;
}

const post = ({ url }: ApiProcess, token: string, key: string = randomUUID()) =>
  supertest(url)
    .post('/api/v1/events')
    .set('Authorization', `Bearer ${token}`)
    .set('Idempotency-Key', key)
    .send(anEvent());

const readiness = async ({ url }: ApiProcess) => {
  const { status, body } = await supertest(url).get('/readyz');
  return [status, body.checks.postgres];
};

describe('an API process that cannot write to PostgreSQL', () => {
  it('because of a wrong password says so, answers 503, and logs it once and not for each request', async () => {
    const { token } = await world.environment();
    const api = await start((url) => {
      url.password = 'wrong';
    });
    await until(() => api.log.some(({ message }) => message === 'PostgreSQL cannot be used: login refused'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(api, token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(answers.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true);
    await until(() => api.log.filter(({ message }) => message === 'request').length === 20);
    const failures = api.log.filter(({ postgres }) => postgres === 'login refused');
    expect(failures).toEqual([expect.objectContaining({ message: 'PostgreSQL cannot be used' })]);
    expect(await readiness(api)).toEqual([503, 'login refused']);
  });

  it('because PostgreSQL has no free connection says so', async () => {
    await world.db().$executeRaw`CREATE ROLE postrider_crowded LOGIN PASSWORD 'crowded' CONNECTION LIMIT 0`;
    try {
      const api = await start((url) => {
        Object.assign(url, { username: 'postrider_crowded', password: 'crowded' });
      });
      expect(await readiness(api)).toEqual([503, 'too many connections']);
    } finally {
      await world.db().$executeRaw`DROP ROLE postrider_crowded`;
    }
  });

  it('because the server is read-only is not ready, and answers 503', async () => {
    const { token } = await world.environment();
    const api = await start((url) => url.searchParams.set('options', '-c default_transaction_read_only=on'));
    expect(await readiness(api)).toEqual([503, 'read-only']);
    expect((await post(api, token)).status).toBe(503);
  });

  describe('because of a full disk', () => {
    afterEach(() => world.db().$executeRaw`DROP FUNCTION IF EXISTS refuse_as_full CASCADE`);

    it('is not ready until an event is stored again', async () => {
      const { token } = await world.environment();
      const api = await start();
      expect(await readiness(api)).toEqual([200, 'ok']);
      await world.db().$executeRaw`
        CREATE FUNCTION refuse_as_full() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE SQLSTATE '53100' USING MESSAGE = 'could not extend file'; END $$`;
      await world.db().$executeRaw`
        CREATE TRIGGER refuse_as_full BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse_as_full()`;
      const key = randomUUID();
      expect((await post(api, token, key)).status).toBe(503);
      await until(async () => String(await readiness(api)) === '503,disk full');
      await world.db().$executeRaw`DROP FUNCTION refuse_as_full CASCADE`;
      expect((await post(api, token, key)).status).toBe(201);
      await until(async () => String(await readiness(api)) === '200,ok');
    });
  });
});
