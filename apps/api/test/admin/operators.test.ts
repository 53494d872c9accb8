import { randomUUID } from 'node:crypto';
import { createTokenUses } from '@postrider/db';
import { ALL_SCOPES, formatId, OPERATOR_TOKENS } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN, type TestApi } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const { api, db, environment, more } = useApi();

type Method = 'get' | 'post' | 'patch' | 'delete';

/** A request with this token for the management API. */
function as(token: string, method: Method, path: string, body?: unknown, on: TestApi = api()) {
  const test = supertest(on.url)[method](`/admin/v1/${path}`).set('Authorization', `Bearer ${token}`);
  return body === undefined ? test : test.send(body as object);
}
const admin = (method: Method, path: string, body?: unknown, on?: TestApi) =>
  as(ADMIN_TOKEN, method, path, body, on);

const newEmail = () => `${randomUUID()}@example.com`;

async function issue(body: object, by = ADMIN_TOKEN): Promise<{ id: string; token: string }> {
  return (await as(by, 'post', 'operator-tokens', { name: 'pipeline', ...body }).expect(201)).body;
}
async function addOperator(body: object = {}): Promise<{ id: string; email: string }> {
  const fields = { email: newEmail(), name: 'Grace', role: 'admin', ...body };
  return (await admin('post', 'operators', fields).expect(201)).body;
}

describe('an operator token', () => {
  it('may do what its scopes name, with the read of their areas, and nothing else', async () => {
    const { environmentId } = await environment();
    const path = `environments/${formatId('env', environmentId)}`;
    const { token } = await issue({ scopes: ['channels:write'] });
    await as(token, 'get', `${path}/channels`).expect(200);
    const refused = await as(token, 'get', `${path}/messages`).expect(403);
    expect(refused.body.error).toMatchObject({
      code: 'forbidden',
      message: 'This requires the scope messages:read.',
    });
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="messages:read"',
    );
    // Operations that the pipeline of the public API serves.
    await as(token, 'get', `${path}/stats`).expect(403);
  });

  it('has the scopes of its role, also of a role of the installation', async () => {
    const code = `own-${randomUUID()}`;
    await admin('post', 'roles', { code, name: 'Own', scopes: ['tenants:read'] }).expect(201);
    const { token } = await issue({ role: code });
    await as(token, 'get', 'tenants').expect(200);
    await as(token, 'post', 'tenants', { name: 'A', plan: 'starter' }).expect(403);
    const viewer = await issue({ role: 'viewer' });
    await as(viewer.token, 'get', 'tenants').expect(200);
    await as(viewer.token, 'get', 'audit-log').expect(403);
  });

  it('gives to tokens of environments only what it may do itself, also by rotating one', async () => {
    const { environmentId } = await environment();
    const path = `environments/${formatId('env', environmentId)}/tokens`;
    const { token } = await issue({ scopes: ['tokens:write', 'events:write'] });
    for (const scopes of [undefined, ['messages:content'], ['events:write', 'ignore_suppression']]) {
      const { body } = await as(token, 'post', path, { name: 'more', ...(scopes && { scopes }) }).expect(403);
      expect(body.error.message).toMatch(/^You can give and change only rights that you have yourself/);
    }
    await as(token, 'post', path, { name: 'as much', scopes: ['events:write'] }).expect(201);
    const strong = (await admin('post', path, { name: 'strong', scopes: ['channels:write'] }).expect(201))
      .body;
    await as(token, 'post', `tokens/${strong.id}/rotate`, {}).expect(403);
    await admin('post', `tokens/${strong.id}/rotate`, {}).expect(200);
  });

  it('is revoked only by somebody who has its rights', async () => {
    const managing = await issue({ scopes: ['operators:admin'] });
    const strong = await issue({ scopes: ['channels:write'] });
    const operator = await addOperator();
    const ofOperator = await issue({ operator_id: operator.id });
    for (const { id } of [strong, ofOperator]) {
      const { body } = await as(managing.token, 'delete', `operator-tokens/${id}`).expect(403);
      expect(body.error.message).toMatch(/^You can give and change only rights that you have yourself/);
      await admin('delete', `operator-tokens/${id}`).expect(204);
    }
    await as(managing.token, 'delete', `operator-tokens/${managing.id}`).expect(204);
  });

  it('belongs to no operator if the id is empty', async () => {
    const { body } = await admin('post', 'operator-tokens', { name: 'ci', role: 'viewer', operator_id: '' });
    expect(body).toMatchObject({ role: 'viewer', operator_id: null });
  });

  it('is only shown when it is issued, and stored as a digest', async () => {
    const { id, token } = await issue({ role: 'viewer' });
    expect(token).toMatch(/^po_[0-9A-Za-z]{36}$/);
    const { body } = await admin('get', 'operator-tokens').expect(200);
    const listed = body.data.find((each: { id: string }) => each.id === id);
    expect(listed).toMatchObject({ prefix: 'po_', last_four: token.slice(-4), role: 'viewer', scopes: [] });
    expect(JSON.stringify(body)).not.toContain(token);
    const entries = await db().auditEntry.findMany({ where: { resourceId: id } });
    expect(entries.map(({ action }) => action)).toEqual(['operator_token.issued']);
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  it.each([
    ['unknown', () => OPERATOR_TOKENS.create()],
    ['mistyped', async () => `${(await issue({ role: 'admin' })).token.slice(0, -1)}_`],
    [
      'expired',
      async () => {
        const { id, token } = await issue({ role: 'admin', expires_at: '2099-01-01T00:00:00Z' });
        await db().$executeRaw`UPDATE operator_tokens SET expires_at = now() - interval '1 s'
                                WHERE name = 'pipeline' AND last_four = ${token.slice(-4)}`;
        expect(id).toMatch(/^otk_/);
        return token;
      },
    ],
  ])('gets 401 if it is %s', async (_what, create) => {
    await as(await create(), 'get', 'plans').expect(401);
  });

  it('is refused by the public API', async () => {
    const { token } = await issue({ role: 'admin' });
    await api().get('/api/v1/limits', token).expect(401);
  });

  it('names the actor of its changes, whatever X-Actor says', async () => {
    const { id, token } = await issue({ name: 'deploys', role: 'admin' });
    const code = `by-${randomUUID()}`;
    await as(token, 'post', 'plans', { code, name: 'Plan' }).set('X-Actor', 'ada').expect(201);
    const entry = await db().auditEntry.findFirstOrThrow({ where: { resourceId: code } });
    expect(entry).toMatchObject({ actor: 'deploys', actorKind: 'operator_token', credential: id });
  });

  it('and its operator show when they were last used', async () => {
    const uses = createTokenUses({ db: db() });
    const on = await more({ recordUse: uses.record });
    const operator = await addOperator();
    const { id, token } = await issue({ operator_id: operator.id });
    await as(token, 'get', 'plans', undefined, on).expect(200);
    await uses.flush();
    const { body } = await admin('get', 'operator-tokens').expect(200);
    expect(body.data.find((each: { id: string }) => each.id === id).last_used_at).toMatch(/:00\.000Z$/);
    const seen = await admin('get', `operators/${operator.id}`).expect(200);
    expect(seen.body.last_seen_at).toMatch(/:00\.000Z$/);
  });

  it.each([
    ['neither role nor scopes', {}, '/role'],
    ['both', { role: 'viewer', scopes: ['messages:read'] }, '/scopes'],
    ['an unknown role', { role: 'nobody' }, '/role'],
    ['an unknown scope', { scopes: ['everything'] }, '/scopes/0'],
    ['an unknown tenant', { role: 'viewer', tenants: ['ten_01k9w2m1n3fjb8d6s4h2g0x7ta'] }, '/tenants/0'],
    ['an unknown environment', { role: 'viewer', environments: ['x'] }, '/environments/0'],
    ['an unknown operator', { operator_id: 'opr_01k9w2m1n3fjb8d6s4h2g0x7ta' }, '/operator_id'],
    ['the name of a part of the service', { name: 'worker', role: 'viewer' }, '/name'],
    ['a name with a space', { name: 'my pipeline', role: 'viewer' }, '/name'],
    ['an end in the past', { role: 'viewer', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
  ])('is not issued with %s', async (_what, body, path) => {
    const refused = await admin('post', 'operator-tokens', { name: 'pipeline', ...body }).expect(422);
    expect(refused.body.error.details).toMatchObject([{ path }]);
  });
});

describe('the token of an operator', () => {
  it('has the rights of the operator, less what its own leave out', async () => {
    const operator = await addOperator({ role: 'viewer' });
    const all = await issue({ operator_id: operator.id });
    const cut = await issue({ operator_id: operator.id, scopes: ['tenants:read', 'audit:read'] });
    const { environmentId } = await environment();
    const channels = `environments/${formatId('env', environmentId)}/channels`;
    await as(all.token, 'get', channels).expect(200);
    await as(cut.token, 'get', channels).expect(403);
    await as(cut.token, 'get', 'tenants').expect(200);
    await as(cut.token, 'get', 'audit-log').expect(403);
  });

  it('has no rights when its role is gone', async () => {
    const code = `own-${randomUUID()}`;
    await admin('post', 'roles', { code, name: 'Own', scopes: ['messages:read'] }).expect(201);
    const operator = await addOperator();
    const { token } = await issue({ operator_id: operator.id, role: code });
    await db().role.delete({ where: { code } });
    await as(token, 'get', 'tenants').expect(403);
  });

  it('has the address of the operator as its actor', async () => {
    const operator = await addOperator();
    const { id, token } = await issue({ operator_id: operator.id });
    const code = `by-${randomUUID()}`;
    await as(token, 'post', 'plans', { code, name: 'Plan' }).expect(201);
    const entry = await db().auditEntry.findFirstOrThrow({ where: { resourceId: code } });
    expect(entry).toMatchObject({ actor: operator.email, actorKind: 'operator', credential: id });
  });

  it('is issued only by a caller with every scope, because the operator may get more rights later', async () => {
    const operator = await addOperator({ role: 'viewer' });
    const { token } = await issue({ scopes: ALL_SCOPES.filter((scope) => scope !== 'erasures:write') });
    const body = { name: 'x', operator_id: operator.id, scopes: ['tenants:read'] };
    await as(token, 'post', 'operator-tokens', body).expect(403);
  });
});

describe('nobody', () => {
  it('gives or changes rights beyond their own', async () => {
    const { token } = await issue({ scopes: ['operators:admin', 'messages:read'] });
    const more = { scopes: ['messages:read', 'channels:write'] };
    const { body } = await as(token, 'post', 'operator-tokens', { name: 'x', ...more }).expect(403);
    expect(body.error.message).toContain('You lack channels:read, channels:write.');
    await as(token, 'post', 'operator-tokens', { name: 'x', scopes: ['messages:read'] }).expect(201);
    await as(token, 'post', 'operator-tokens', { name: 'x', role: 'viewer' }).expect(403);
    await as(token, 'post', 'operators', { email: newEmail(), name: 'Eve', role: 'admin' }).expect(403);
    const code = `own-${randomUUID()}`;
    await as(token, 'post', 'roles', { code, name: 'Own', ...more }).expect(403);
    await admin('post', 'roles', { code, name: 'Own', ...more }).expect(201);
    // Not even less, or a name: they could not give it back.
    await as(token, 'patch', `roles/${code}`, { scopes: ['messages:read'] }).expect(403);
    const operator = await addOperator();
    await as(token, 'patch', `operators/${operator.id}`, { enabled: false }).expect(403);
  });

  it('sees operators without the scope for it', async () => {
    const { token } = await issue({ scopes: ALL_SCOPES.filter((scope) => scope !== 'operators:admin') });
    for (const path of ['operators', 'operator-tokens', 'roles']) await as(token, 'get', path).expect(403);
  });
});

describe('an operator', () => {
  it('is unique by email in any case, and stays in the list when disabled', async () => {
    const { id, email } = await addOperator();
    const again = { email: email.toUpperCase(), name: 'G', role: 'viewer' };
    await admin('post', 'operators', again).expect(409);
    const { body } = await admin('patch', `operators/${id}`, { enabled: false }).expect(200);
    expect(body).toMatchObject({ email, enabled: false, disabled_at: expect.any(String) });
    const entries = await db().auditEntry.findMany({ where: { resourceId: id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action }) => action)).toEqual(['operator.created', 'operator.updated']);
  });

  it('is bound to tenants and environments until both are null', async () => {
    const { tenantId, environmentId } = await environment();
    const tenants = [formatId('ten', tenantId)];
    const { id } = await addOperator({ tenants });
    const path = `operators/${id}`;
    expect((await admin('get', path)).body).toMatchObject({ tenants, environments: [] });
    const environments = [formatId('env', environmentId)];
    const both = await admin('patch', path, { environments }).expect(200);
    expect(both.body).toMatchObject({ tenants, environments });
    const one = await admin('patch', path, { tenants: null }).expect(200);
    expect(one.body).toMatchObject({ tenants: [], environments });
    const none = await admin('patch', path, { tenants: null, environments: null }).expect(200);
    expect(none.body).toMatchObject({ tenants: null, environments: null });
  });

  it('of a provider keeps what the provider says, and can be disabled', async () => {
    const { id, email } = await addOperator();
    await db().operator.updateMany({ where: { email }, data: { source: 'corp', oidcSubject: id } });
    const refused = await admin('patch', `operators/${id}`, { role: 'viewer' }).expect(409);
    expect(refused.body.error.message).toContain('provider');
    await admin('patch', `operators/${id}`, { enabled: false }).expect(200);
  });

  it.each(['ada', 'ada@example.com, eve@example.com', 'Ada <ada@example.com>', 'worker', 'ada@éxample.com'])(
    'needs a bare address in ASCII: %s',
    async (email) => {
      const { body } = await admin('post', 'operators', { email, name: 'Ada', role: 'viewer' }).expect(422);
      expect(body.error.details).toMatchObject([{ path: '/email' }]);
    },
  );
});

describe('a role', () => {
  it.each(['viewer', 'support', 'developer', 'admin'])(
    'is built in, and nobody changes it: %s',
    async (code) => {
      const { body } = await admin('get', `roles/${code}`).expect(200);
      expect(body).toMatchObject({ code, built_in: true, created_at: null });
      await admin('patch', `roles/${code}`, { scopes: ['messages:read'] }).expect(409);
      await admin('delete', `roles/${code}`).expect(409);
      await admin('post', 'roles', { code, name: 'x', scopes: ['messages:read'] }).expect(409);
    },
  );

  it('cannot be deleted while an operator or a valid token has it', async () => {
    const code = `own-${randomUUID()}`;
    await admin('post', 'roles', { code, name: 'Own', scopes: ['messages:read'] }).expect(201);
    const operator = await addOperator({ role: code });
    const { id } = await issue({ role: code });
    await admin('delete', `roles/${code}`).expect(409);
    await admin('patch', `operators/${operator.id}`, { role: 'viewer' }).expect(200);
    await admin('delete', `roles/${code}`).expect(409);
    await admin('delete', `operator-tokens/${id}`).expect(204);
    await admin('delete', `roles/${code}`).expect(204);
    await admin('delete', `roles/${code}`).expect(404);
  });

  it('is in a list in pages, by code', async () => {
    const codes: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { data: { code: string }[]; next_cursor: string | null } } = await admin(
        'get',
        `roles?limit=2${cursor && `&cursor=${cursor}`}`,
      ).expect(200);
      codes.push(...body.data.map(({ code }) => code));
      cursor = body.next_cursor;
    }
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes).toEqual(expect.arrayContaining(['viewer', 'support', 'developer', 'admin']));
  });
});
