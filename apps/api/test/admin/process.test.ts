import { testRedisUrl } from '@postrider/db/testing';
import { afterAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { type ApiProcess, startApiProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const processes: ApiProcess[] = [];
const OFF = 'the management API is off: ADMIN_TOKEN is not set';

async function start(environment: Record<string, string>): Promise<ApiProcess> {
  const started = await startApiProcess({ databaseUrl: world.url(), redisUrl: testRedisUrl(), environment });
  processes.push(started);
  return started;
}
afterAll(async () => {
  for (const { child, exited } of processes) {
    child.kill('SIGKILL');
    await exited;
  }
});

const call = (api: ApiProcess, method: 'get' | 'patch', path: string, token = ADMIN_TOKEN) =>
  supertest(api.url)[method](path).set('Authorization', `Bearer ${token}`);
const said = (api: ApiProcess, message: string) => api.log.some((line) => line.message === message);

describe('an API process', () => {
  it('without ADMIN_TOKEN has no management API, and says so at start', async () => {
    const api = await start({});
    await until(() => said(api, OFF));
    expect((await call(api, 'get', '/admin/v1/plans')).status).toBe(404);
  });

  it('with ADMIN_TOKEN changes the configuration of other processes, and never logs the token', async () => {
    const [one, two] = await Promise.all([start({ ADMIN_TOKEN }), start({ ADMIN_TOKEN })]);
    const { token, planCode } = await world.environment({ plan: { name: 'Before' } });
    const nameAt = async (api: ApiProcess) =>
      (await call(api, 'get', '/api/v1/limits', token)).body.plan?.name;
    expect([await nameAt(one), await nameAt(two)]).toEqual(['Before', 'Before']);
    const changed = await call(one, 'patch', `/admin/v1/plans/${planCode}`).send({ name: 'After' });
    expect(changed.status).toBe(200);
    await until(async () => (await nameAt(one)) === 'After' && (await nameAt(two)) === 'After');
    for (const api of [one, two]) {
      expect(said(api, OFF)).toBe(false);
      expect(JSON.stringify(api.log)).not.toContain(ADMIN_TOKEN);
    }
  });
});
