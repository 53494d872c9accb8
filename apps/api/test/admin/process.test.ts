import { testRedisUrl } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { type ApiProcess, startApiProcess, useProcesses } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const processes = useProcesses();
const OFF = 'nobody can use the management API: set ADMIN_TOKEN to create the first operator';

async function start(environment: Record<string, string>): Promise<ApiProcess> {
  const started = await startApiProcess({ databaseUrl: world.url(), redisUrl: testRedisUrl(), environment });
  processes.push(started);
  return started;
}

const call = (api: ApiProcess, method: 'get' | 'patch', path: string, token = ADMIN_TOKEN) =>
  supertest(api.url)[method](path).set('Authorization', `Bearer ${token}`);
const said = (api: ApiProcess, message: string) => api.log.some((line) => line.message === message);

describe('an API process', () => {
  it('without ADMIN_TOKEN and without operators says at start that nobody can use the management API', async () => {
    const api = await start({});
    await until(() => said(api, OFF));
    expect((await call(api, 'get', '/admin/v1/plans')).status).toBe(401);
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

  it.each(['a revoked token', 'a role without the scope'])('ends the access of others: %s', async (how) => {
    const [one, two] = await Promise.all([start({ ADMIN_TOKEN }), start({ ADMIN_TOKEN })]);
    const { environmentId } = await world.environment();
    const code = `role-${how.length}`;
    const admin = (method: 'post' | 'patch' | 'delete', path: string, body = {}) =>
      supertest(one.url)
        [method](`/admin/v1/${path}`)
        .set('Authorization', `Bearer ${ADMIN_TOKEN}`)
        .send(body);
    await admin('post', 'roles', { code, name: 'Own', scopes: ['messages:read'] }).expect(201);
    const { body } = await admin('post', 'operator-tokens', { name: 'watcher', role: code }).expect(201);
    const path = `/admin/v1/environments/${formatId('env', environmentId)}`;
    const statusAt = async (api: ApiProcess) =>
      (await call(api, 'get', `${path}/messages`, body.token)).status;
    const streams = await Promise.all(
      [one, two].map(async ({ url }) => {
        const stream = await fetch(`${url}${path}/stream`, {
          headers: { Authorization: `Bearer ${body.token}` },
        });
        expect(stream.status).toBe(200);
        return stream;
      }),
    );
    expect([await statusAt(one), await statusAt(two)]).toEqual([200, 200]);
    if (how === 'a revoked token') await admin('delete', `operator-tokens/${body.id}`).expect(204);
    else await admin('patch', `roles/${code}`, { scopes: ['usage:read'] }).expect(200);
    const refused = how === 'a revoked token' ? 401 : 403;
    await until(async () => (await statusAt(one)) === refused && (await statusAt(two)) === refused);
    // They would last for 75 s.
    for (const stream of streams) expect(await stream.text()).not.toBe('');
  });
});
