import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../support/api.ts';
import { openBrowser, signIn } from '../support/console.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const { api, db, environment } = world;

const sessionOf = (cookie: string, url = api().url) =>
  supertest(url).get('/console/session').set('Cookie', cookie);
const hasEnded = (cookie: string) => until(async () => (await sessionOf(cookie)).status === 401);

describe('signing in', () => {
  it("with the admin token opens an operator's session, in a cookie that scripts cannot read", async () => {
    const response = await signIn(api(), { token: ADMIN_TOKEN, actor: 'ada' }).expect(201);
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^postrider_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(response.body).toMatchObject({
      role: 'operator',
      actor: 'ada',
      environment_id: null,
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(response.text).not.toContain(ADMIN_TOKEN);
  });

  it("with a token opens an integrator's session, which shows environment and tenant", async () => {
    const { token, environmentId, tenantId, tokenId } = await environment();
    const { session } = await openBrowser(api(), token);
    expect(session).toMatchObject({
      role: 'integrator',
      actor: formatId('tok', tokenId),
      environment_id: formatId('env', environmentId),
      tenant_id: formatId('ten', tenantId),
    });
  });

  it('tells an integrator what the token may do, in its environment alone', async () => {
    const { token, environmentId } = await environment({ scopes: ['channels:write', 'ignore_suppression'] });
    const { request } = await openBrowser(api(), token);
    const { body } = await request('get', '/console/whoami').expect(200);
    expect(body).toMatchObject({
      kind: 'environment_token',
      scopes: ['channels:read', 'channels:write'],
      tenants: [],
      environments: [formatId('env', environmentId)],
    });
  });

  it('lists the sessions of one operator by their id', async () => {
    const { request } = await openBrowser(api());
    const nobody = formatId('opr', '00000000-0000-7000-8000-000000000000');
    const all = await request('get', '/admin/v1/console-sessions').expect(200);
    expect(all.body.data[0]).toMatchObject({ provider: null, address: expect.stringContaining('127.0.0.1') });
    const { body } = await request('get', `/admin/v1/console-sessions?operator_id=${nobody}`).expect(200);
    expect(body.data).toEqual([]);
  });

  it('stores no secret: neither the cookie nor the token', async () => {
    const { cookie, session } = await openBrowser(api());
    const rows = await db().$queryRaw<{ row: string }[]>`SELECT s::text AS row FROM console_sessions s`;
    const secret = cookie.split('=')[1] ?? '';
    const asHex = Buffer.from(secret).toString('hex');
    expect(rows.some(({ row }) => row.includes(secret) || row.includes(asHex))).toBe(false);
    expect(JSON.stringify(session)).not.toContain(secret);
  });

  it.each([
    ['a wrong token', { token: 'x'.repeat(40) }],
    ['a token of nobody', { token: 'pr_dev_0123456789012345678901234567890abcde' }],
    ['a link of nobody', { link: 'x'.repeat(43) }],
    ['a link of another form', { link: 'x' }],
  ])('answers 401 for %s', async (_what, body) => {
    const response = await signIn(api(), body).expect(401);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.body.error.code).toBe('unauthorized');
  });

  it.each([
    ['no credentials', {}],
    ['both', { token: 'x', link: 'y' }],
    ['the name of a part of the service', { token: ADMIN_TOKEN, actor: 'worker' }],
  ])('answers 422 for %s', async (_what, body) => {
    await signIn(api(), body).expect(422);
  });

  it('is refused from another origin', async () => {
    await signIn(api(), { token: ADMIN_TOKEN }).set('Sec-Fetch-Site', 'cross-site').expect(403);
    await signIn(api(), { token: ADMIN_TOKEN }).set('Origin', 'https://evil.example').expect(403);
  });

  it('is limited for each failing client, with the time to retry', async () => {
    const one = await world.more({
      trustedProxies: ['127.0.0.0/8'],
    });
    const from = (address: string) => signIn(one, { token: 'wrong' }).set('X-Forwarded-For', address);
    let refused = await from('192.0.2.1');
    for (let attempt = 0; attempt < 30 && refused.status === 401; attempt += 1)
      refused = await from('192.0.2.1');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('192.0.2.2')).status).toBe(401);
  });

  it('is limited for each token, which could otherwise fill the sessions and the audit log', async () => {
    const { token, environmentId } = await environment();
    let response = await signIn(api(), { token });
    for (let signedIn = 0; signedIn < 30 && response.status === 201; signedIn += 1)
      response = await signIn(api(), { token });
    expect(response.status).toBe(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(await db().consoleSession.count({ where: { environmentId } })).toBe(20);
    const other = await environment();
    await signIn(api(), { token: other.token }).expect(201);
  });

  it('reports the field of an invalid actor', async () => {
    const { body } = await signIn(api(), { token: ADMIN_TOKEN, actor: 'Ada Lovelace' }).expect(422);
    expect(body.error.details).toEqual([
      {
        path: '/actor',
        code: 'invalid_value',
        message: expect.stringContaining('visible ASCII characters'),
      },
    ]);
  });

  it('sets a Secure cookie for this host under TLS, as reported by a trusted proxy', async () => {
    const behind = await world.more({
      trustedProxies: ['127.0.0.0/8'],
    });
    const response = await signIn(behind, { token: ADMIN_TOKEN })
      .set('X-Forwarded-Proto', 'https')
      .expect(201);
    const [cookie = ''] = response.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^__Host-postrider_session=.*; Secure$/);
    const pair = cookie.split(';', 1)[0] ?? '';
    await sessionOf(pair, behind.url).set('X-Forwarded-Proto', 'https').expect(200);
    // Under TLS a sibling domain may have planted the plain name.
    const plain = pair.replace('__Host-', '');
    await sessionOf(plain, behind.url).set('X-Forwarded-Proto', 'https').expect(401);
    // Only a trusted proxy can report TLS.
    await sessionOf(pair).set('X-Forwarded-Proto', 'https').expect(401);
  });
});

describe('signing in again', () => {
  it.each([
    ['an operator', async () => ADMIN_TOKEN],
    ['an integrator', async () => (await environment()).token],
  ])('as %s ends the session whose cookie it replaces, everywhere', async (_who, tokenOf) => {
    const other = await world.more();
    const { cookie, session } = await openBrowser(api());
    await sessionOf(cookie, other.url).expect(200);
    await signIn(api(), { token: await tokenOf() })
      .set('Cookie', cookie)
      .expect(201);
    await sessionOf(cookie).expect(401);
    await until(async () => (await sessionOf(cookie, other.url)).status === 401);
    const ends = await db().auditEntry.count({
      where: { resourceId: session.id, action: 'console_session.ended' },
    });
    expect(ends).toBe(1);
  });

  it('ends no session if it fails, or if another browser signs in', async () => {
    const { cookie } = await openBrowser(api());
    await signIn(api(), { token: 'wrong' }).set('Cookie', cookie).expect(401);
    await openBrowser(api());
    await sessionOf(cookie).expect(200);
  });
});

describe('several cookies of the name', () => {
  const unknown = `postrider_session=${'x'.repeat(43)}`;
  const malformed = 'postrider_session=x';

  it('are each tried, wherever the usable one is', async () => {
    const { cookie, csrfToken } = await openBrowser(api());
    const many = Array.from({ length: 60 }, (_, at) => `postrider_session=${String(at).padStart(43, 'x')}`);
    for (const cookies of [
      [unknown, cookie],
      [malformed, cookie],
      [cookie, unknown],
      [malformed, ...many, cookie, unknown],
    ]) {
      await sessionOf(cookies.join('; ')).expect(200);
      await supertest(api().url)
        .post('/admin/v1/console-links')
        .set({ Cookie: cookies.join('; '), 'X-CSRF-Token': csrfToken })
        .expect(201);
    }
    await sessionOf([unknown, malformed].join('; ')).expect(401);
  });

  it('are all ended by a sign-out or by signing in again', async () => {
    const both = async () => [await openBrowser(api()), await openBrowser(api())] as const;
    const [first, second] = await both();
    await supertest(api().url)
      .delete('/console/session')
      .set({ Cookie: `${first.cookie}; ${second.cookie}`, 'X-CSRF-Token': first.csrfToken })
      .expect(204);
    const [third, fourth] = await both();
    await signIn(api(), { token: ADMIN_TOKEN })
      .set('Cookie', `${unknown}; ${third.cookie}; ${fourth.cookie}`)
      .expect(201);
    for (const { cookie } of [first, second, third, fourth]) await sessionOf(cookie).expect(401);
  });
});

describe('a session', () => {
  it('is shown again with the same CSRF token, so that a page can be reloaded', async () => {
    const { cookie, csrfToken, session } = await openBrowser(api());
    const { body } = await sessionOf(cookie).expect(200);
    expect(body).toEqual({ ...session, csrf_token: csrfToken });
  });

  it('needs its CSRF token for changes, but not for reads', async () => {
    const { cookie, request } = await openBrowser(api());
    const plans = () => supertest(api().url).post('/admin/v1/plans').set('Cookie', cookie);
    const plan = { code: `plan-${Date.now()}`, name: 'Plan' };
    for (const forged of [plans(), plans().set('X-CSRF-Token', 'x'.repeat(43))]) {
      const { body } = await forged.send(plan).expect(403);
      expect(body.error.code).toBe('forbidden');
    }
    await supertest(api().url).get('/admin/v1/plans').set('Cookie', cookie).expect(200);
    await request('post', '/admin/v1/plans').send(plan).expect(201);
    await supertest(api().url).delete('/console/session').set('Cookie', cookie).expect(403);
  });

  it('is ignored with an Authorization header, or from another origin', async () => {
    const { request, cookie } = await openBrowser(api());
    await request('get', '/admin/v1/plans').set('Authorization', 'Bearer x').expect(401);
    await request('get', '/admin/v1/plans').set('Sec-Fetch-Site', 'same-site').expect(401);
    const { token } = await environment();
    const integrator = await openBrowser(api(), token);
    const cors = await integrator.request('get', '/api/v1/messages').set('Sec-Fetch-Site', 'cross-site');
    expect(cors.status).toBe(401);
    expect(cors.headers['access-control-allow-credentials']).toBeUndefined();
    await supertest(api().url)
      .get('/console/session')
      .set('Cookie', cookie)
      .set('Sec-Fetch-Site', 'cross-site')
      .expect(401);
  });

  it('ends with a sign-out', async () => {
    const { request, cookie } = await openBrowser(api());
    const response = await request('delete', '/console/session').expect(204);
    expect(String(response.headers['set-cookie'])).toMatch(/^postrider_session=; Max-Age=0; .*HttpOnly/);
    await sessionOf(cookie).expect(401);
  });

  it('is listed, and can be ended in every process by an operator', async () => {
    const other = await world.more();
    const { token } = await environment();
    const integrator = await openBrowser(other, token);
    await sessionOf(integrator.cookie).expect(200);
    const { body } = await api().admin('get', '/admin/v1/console-sessions').expect(200);
    expect(body.data).toContainEqual(
      expect.objectContaining({
        id: integrator.session.id,
        role: 'integrator',
        actor: integrator.session.actor,
      }),
    );
    await api().admin('delete', `/admin/v1/console-sessions/${integrator.session.id}`).expect(204);
    await until(async () => (await sessionOf(integrator.cookie, other.url)).status === 401);
    await hasEnded(integrator.cookie);
    const after = await api().admin('get', '/admin/v1/console-sessions').expect(200);
    expect(after.body.data.map(({ id }: { id: string }) => id)).not.toContain(integrator.session.id);
  });

  it.each(['revoked', 'rotated'])('ends with its token: %s', async (how) => {
    const { token, tokenId } = await environment();
    const { cookie, request } = await openBrowser(api(), token);
    await request('get', '/api/v1/limits').expect(200);
    const path = `/admin/v1/tokens/${formatId('tok', tokenId)}`;
    if (how === 'revoked') await api().admin('delete', path).expect(204);
    else await api().admin('post', `${path}/rotate`, {}).expect(200);
    await hasEnded(cookie);
    await request('get', '/api/v1/limits').expect(401);
  });

  it('of an operator ends when the admin token changes', async () => {
    const { cookie } = await openBrowser(api());
    const other = await world.more({ adminToken: 'another-admin-token-of-the-tests-01234' });
    await supertest(other.url).get('/admin/v1/plans').set('Cookie', cookie).expect(401);
    await sessionOf(cookie, other.url).expect(401);
  });

  it.each([
    ['an hour after its last use', "last_used_at = now() - interval '61 minutes'"],
    ['twelve hours after it began, however much it is used', 'expires_at = now()'],
  ])('ends %s', async (_when, change) => {
    const { cookie, session } = await openBrowser(api());
    const [, suffix] = session.id.split('_');
    expect(suffix).toBeDefined();
    const [row] = await db().$queryRaw<
      { id: string }[]
    >`SELECT id FROM console_sessions ORDER BY id DESC LIMIT 1`;
    await db().$executeRawUnsafe(`UPDATE console_sessions SET ${change} WHERE id = '${row?.id}'`);
    await hasEnded(cookie);
  });

  it('stays open while it is used', async () => {
    const { cookie } = await openBrowser(api());
    const [row] = await db().$queryRaw<
      { id: string }[]
    >`SELECT id FROM console_sessions ORDER BY id DESC LIMIT 1`;
    await db().$executeRaw`
      UPDATE console_sessions SET last_used_at = now() - interval '59 minutes' WHERE id = ${row?.id}::uuid`;
    const fresh = await world.more();
    await sessionOf(cookie, fresh.url).expect(200);
    await until(async () => {
      const [used] = await db().$queryRaw<{ is_new: boolean }[]>`
        SELECT last_used_at > now() - interval '1 minute' AS is_new FROM console_sessions WHERE id = ${row?.id}::uuid`;
      return used?.is_new === true;
    });
  });

  it('has audit entries, and is the actor of its changes', async () => {
    const { session, request } = await openBrowser(api());
    const code = `by-console-${Date.now()}`;
    await request('post', '/admin/v1/plans')
      .set('X-Actor', 'mallory')
      .send({ code, name: 'Plan' })
      .expect(201);
    await request('delete', '/console/session').expect(204);
    const entries = await db().auditEntry.findMany({
      where: { resourceId: { in: [session.id, code] } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['console_session.opened', 'console'],
      ['plan.created', 'console'],
      ['console_session.ended', 'console'],
    ]);
  });
});
