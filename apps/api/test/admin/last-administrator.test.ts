import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import type { TestApi } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const { api, more } = useApi();

function as(
  on: TestApi,
  token: string,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  body = {},
) {
  const test = supertest(on.url)[method](`/admin/v1/${path}`).set('Authorization', `Bearer ${token}`);
  return method === 'post' || method === 'patch' ? test.send(body) : test;
}

describe('while ADMIN_TOKEN is off', () => {
  it('operators use the management API, and the last who can manage operators keeps that right', async () => {
    const first = { email: 'grace@example.com', name: 'Grace', role: 'own-admin' };
    const role = { code: 'own-admin', name: 'Admin', scopes: ['operators:admin'] };
    await api().admin('post', '/admin/v1/roles', role).expect(201);
    const operator = (await api().admin('post', '/admin/v1/operators', first).expect(201)).body;
    const issued = { name: 'laptop', operator_id: operator.id };
    const { token } = (await api().admin('post', '/admin/v1/operator-tokens', issued).expect(201)).body;

    const off = await more({ adminToken: null });
    const refused = await supertest(off.url).get('/admin/v1/plans');
    expect(refused.status).toBe(401);
    await as(off, token, 'get', 'operators').expect(200);
    await as(off, token, 'patch', `operators/${operator.id}`, { enabled: false }).expect(409);
    await as(off, token, 'patch', `operators/${operator.id}`, { tenants: [] }).expect(409);
    await as(off, token, 'get', `operators/${operator.id}`).expect(200, { ...operator, last_seen_at: null });

    const machine = { name: 'machine', role: 'own-admin' };
    const other = (await as(off, token, 'post', 'operator-tokens', machine).expect(201)).body;
    await as(off, other.token, 'patch', `operators/${operator.id}`, { enabled: false }).expect(200);
    await as(off, other.token, 'delete', `operator-tokens/${other.id}`).expect(409);
    const itself = { Authorization: `Bearer ${other.token}` };
    await supertest(off.url).delete('/console/token').set(itself).expect(409);
    await as(off, other.token, 'get', 'operators').expect(200);
    // With the admin token anybody can be removed, because it creates the next one.
    await api().admin('delete', `/admin/v1/operator-tokens/${other.id}`).expect(204);
  });
});
