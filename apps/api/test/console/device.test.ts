import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/console.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const { api, db } = world;

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Creates an operator, and signs a browser in as it by a link. */
async function operator(role = 'support') {
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
  const { body } = await api().admin('post', '/admin/v1/operators', { email, name: role, role }).expect(201);
  const link = await api().admin('post', '/admin/v1/console-links', { operator_id: body.id }).expect(201);
  const [, code] = link.body.url_fragment.split('=');
  const response = await signIn(api(), { link: code }).expect(201);
  const cookie = String(response.headers['set-cookie']).split(';', 1)[0] ?? '';
  return { id: body.id, email, cookie, csrfToken: response.body.csrf_token, session: response.body };
}

type SignedIn = Pick<Browser, 'cookie' | 'csrfToken'>;

const begin = async () => {
  const { body } = await supertest(api().url)
    .post('/console/device')
    .type('form')
    .send({ client_name: 'ada@laptop' })
    .expect(200);
  return body as { device_code: string; user_code: string; verification_uri: string; interval: number };
};
const poll = (deviceCode: string, at = api().url) =>
  supertest(at)
    .post('/console/device/token')
    .type('form')
    .send({ grant_type: GRANT, device_code: deviceCode });
const post = ({ cookie, csrfToken }: SignedIn, path: string, body: object) =>
  supertest(api().url)
    .post(`/console/device/${path}`)
    .set({ Cookie: cookie, 'X-CSRF-Token': csrfToken })
    .send(body);
const decide = (by: SignedIn, userCode: string, approve = true) =>
  post(by, 'decision', { user_code: userCode, approve });
/** Polls are counted from the last one: as if the interval had passed. */
const waitInterval = () => db().$executeRaw`UPDATE device_logins SET polled_at = NULL`;
const whoAmI = (token: string) =>
  supertest(api().url).get('/console/whoami').set('Authorization', `Bearer ${token}`);

describe('the sign-in of the command line', () => {
  it('gives a token with the current rights of the operator, for at most 12 hours, once', async () => {
    const ada = await operator('support');
    const codes = await begin();
    expect(codes).toMatchObject({
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${api().url}/console/#/device`,
      verification_uri_complete: `${api().url}/console/#/device?code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect((await poll(codes.device_code).expect(400)).body).toEqual({ error: 'authorization_pending' });
    const shown = await post(ada, 'request', { user_code: codes.user_code.toLowerCase() }).expect(200);
    expect(shown.body).toMatchObject({ client: 'ada@laptop', address: expect.stringContaining('127.0.0.1') });
    await decide(ada, codes.user_code).expect(204);
    await waitInterval();
    const { body } = await poll(codes.device_code).expect(200);
    expect(body).toMatchObject({ token_type: 'Bearer', access_token: expect.stringMatching(/^po_\w{36}$/) });
    expect(body.expires_in).toBeLessThanOrEqual(43_200);
    expect(body.expires_in).toBeGreaterThan(43_000);
    expect((await poll(codes.device_code).expect(400)).body).toEqual({ error: 'invalid_grant' });

    const token = body.access_token;
    expect((await whoAmI(token).expect(200)).body).toMatchObject({
      name: ada.email,
      kind: 'operator',
      operator: { id: ada.id, role: 'support' },
      scopes: expect.arrayContaining(['replays:write']),
      tenants: null,
    });
    const bearer = { Authorization: `Bearer ${token}` };
    await supertest(api().url).get('/admin/v1/tenants').set(bearer).expect(200);
    await supertest(api().url).get('/admin/v1/audit-log').set(bearer).expect(403);
    await api().admin('patch', `/admin/v1/operators/${ada.id}`, { enabled: false }).expect(200);
    await until(async () => (await whoAmI(token)).status === 401);
  });

  it('ends with the command line: its token can end itself, and nothing else', async () => {
    const ada = await operator();
    const codes = await begin();
    await decide(ada, codes.user_code).expect(204);
    const { body } = await poll(codes.device_code).expect(200);
    const bearer = { Authorization: `Bearer ${body.access_token}` };
    await supertest(api().url).delete('/console/token').set(bearer).expect(204);
    await until(async () => (await whoAmI(body.access_token)).status === 401);
    await api().admin('delete', '/console/token').expect(409);
  });

  it('of a session of the admin token has the role admin, and ends no later than the session', async () => {
    const admin = await openBrowser(api());
    const codes = await begin();
    await decide(admin, codes.user_code).expect(204);
    await db().$executeRaw`
      UPDATE console_sessions SET expires_at = now() + interval '5 minutes'
       WHERE id = (SELECT session_id FROM device_logins ORDER BY id DESC LIMIT 1)`;
    const { body } = await poll(codes.device_code).expect(200);
    expect(body.expires_in).toBeLessThanOrEqual(300);
    expect((await whoAmI(body.access_token).expect(200)).body).toMatchObject({
      kind: 'operator_token',
      operator: null,
      scopes: expect.arrayContaining(['operators:admin']),
    });
    // It ends when the admin token is changed or switched off.
    for (const adminToken of [`${ADMIN_TOKEN}-new`, null]) {
      const { url } = await world.more({ adminToken });
      const whoIs = supertest(url).get('/console/whoami');
      expect((await whoIs.set('Authorization', `Bearer ${body.access_token}`)).status).toBe(401);
    }
  });

  it.each([
    [
      'it is denied',
      async (code: string) => decide(await operator(), code, false).expect(204),
      'access_denied',
    ],
    [
      'its time has passed',
      () => db().$executeRaw`UPDATE device_logins SET expires_at = now()`,
      'expired_token',
    ],
    [
      'the session that approved it has ended meanwhile',
      async (code: string) => {
        const ada = await operator();
        await decide(ada, code).expect(204);
        await api().admin('delete', `/admin/v1/console-sessions/${ada.session.id}`).expect(204);
      },
      'access_denied',
    ],
    [
      'the operator who approved it is disabled meanwhile',
      async (code: string) => {
        const ada = await operator();
        await decide(ada, code).expect(204);
        await api().admin('patch', `/admin/v1/operators/${ada.id}`, { enabled: false }).expect(200);
      },
      'access_denied',
    ],
  ])('gives no token when %s', async (_why, change, error) => {
    const codes = await begin();
    await change(codes.user_code);
    expect((await poll(codes.device_code).expect(400)).body).toEqual({ error });
  });

  it('asks the command line to slow down, also in another process, and is decided once', async () => {
    const other = await world.more();
    const codes = await begin();
    await poll(codes.device_code).expect(400);
    expect((await poll(codes.device_code, other.url).expect(400)).body).toEqual({ error: 'slow_down' });
    const [ada, eve] = [await operator(), await operator()];
    const decisions = await Promise.all([decide(ada, codes.user_code), decide(eve, codes.user_code, false)]);
    expect(decisions.map(({ status }) => status).sort()).toEqual([204, 422]);
  });

  it('gives one token to two polls at once', async () => {
    const ada = await operator();
    const codes = await begin();
    await decide(ada, codes.user_code).expect(204);
    const polls = await Promise.all([poll(codes.device_code), poll(codes.device_code)]);
    expect(polls.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('needs the session and the CSRF token of an operator to be approved', async () => {
    const ada = await operator();
    const { token } = await world.environment();
    const integrator = await openBrowser(api(), token);
    const { user_code: code } = await begin();
    await supertest(api().url)
      .post('/console/device/decision')
      .send({ user_code: code, approve: true })
      .expect(401);
    await decide({ ...ada, csrfToken: 'A'.repeat(43) }, code).expect(403);
    await decide(ada, code).set('Sec-Fetch-Site', 'cross-site').expect(401);
    await decide(integrator, code).expect(401);
    await post({ ...ada, csrfToken: '' }, 'request', { user_code: code }).expect(403);
    const newest = await db().deviceLogin.findFirst({ orderBy: { id: 'desc' } });
    expect(newest).toMatchObject({ sessionId: null, denied: false });
  });

  it('limits guesses of codes by the operator who guesses, and not the others', async () => {
    const [eve, ada] = [await operator(), await operator()];
    let status = 422;
    for (let guess = 0; guess < 40 && status === 422; guess += 1)
      status = (await decide(eve, 'BBBB-BBBB')).status;
    expect(status).toBe(429);
    const { user_code: code } = await begin();
    await decide(eve, code).expect(429);
    await decide(ada, code).expect(204);
  });

  it('stores neither code, and shows no unprintable name', async () => {
    const { body } = await supertest(api().url)
      .post('/console/device')
      .type('form')
      .send({ client_name: `a\u0007\u202eb\n${'x'.repeat(200)}` })
      .expect(200);
    const rows = await db().$queryRaw<{ row: string }[]>`SELECT d::text AS row FROM device_logins d`;
    const text = JSON.stringify(rows);
    for (const code of [body.device_code, body.user_code, body.user_code.replace('-', '')])
      expect(text).not.toContain(code);
    expect(text).toContain(`ab${'x'.repeat(62)}`);
    expect(text).not.toContain('x'.repeat(63));
  });

  it('limits the codes for one address', async () => {
    const far = await world.more({ trustedProxies: ['127.0.0.0/8'] });
    const ask = () =>
      supertest(far.url).post('/console/device').type('form').send({}).set('X-Forwarded-For', '203.0.113.9');
    let status = 200;
    for (let asked = 0; asked < 40 && status === 200; asked += 1) ({ status } = await ask());
    expect(status).toBe(429);
  });
});

describe('the sessions of an operator', () => {
  it('are listed and ended by the operator, whatever its scopes, and those of others are not', async () => {
    const [ada, eve] = [await operator('viewer'), await operator('viewer')];
    const as = ({ cookie, csrfToken }: SignedIn) => ({ Cookie: cookie, 'X-CSRF-Token': csrfToken });
    const { body } = await supertest(api().url).get('/console/sessions').set(as(ada)).expect(200);
    expect(body.data).toEqual([
      expect.objectContaining({
        id: ada.session.id,
        operator_id: ada.id,
        actor: ada.email,
        address: expect.stringContaining('127.0.0.1'),
      }),
    ]);
    await supertest(api().url).get('/admin/v1/console-sessions').set(as(ada)).expect(403);
    await supertest(api().url).delete(`/console/sessions/${eve.session.id}`).set(as(ada)).expect(404);
    await supertest(api().url).delete(`/console/sessions/${ada.session.id}`).set(as(ada)).expect(204);
    await until(async () => {
      const own = await supertest(api().url).get('/console/session').set(as(ada));
      return own.status === 401;
    });
    await supertest(api().url).get('/console/session').set(as(eve)).expect(200);
    const all = await api().admin('get', '/admin/v1/console-sessions').expect(200);
    expect(all.body.data).toContainEqual(expect.objectContaining({ operator_id: eve.id, user_agent: null }));
  });
});

describe('a link for an operator', () => {
  it('needs every right, unless it is for oneself', async () => {
    const ada = await operator('admin');
    const code = `links-${Date.now()}`;
    await api()
      .admin('post', '/admin/v1/roles', { code, name: 'Helpers', scopes: ['operators:admin'] })
      .expect(201);
    const helper = await operator(code);
    const as = ({ cookie, csrfToken }: SignedIn) => ({ Cookie: cookie, 'X-CSRF-Token': csrfToken });
    const link = (by: SignedIn, body?: object) =>
      supertest(api().url).post('/admin/v1/console-links').set(as(by)).send(body);
    await link(helper, { operator_id: ada.id }).expect(403);
    await link(ada, { operator_id: helper.id }).expect(201);
    const { body } = await link(helper).expect(201);
    expect(body).toMatchObject({ actor: helper.email, issued_by: helper.session.id });
    const opened = await signIn(api(), { link: body.url_fragment.split('=')[1] }).expect(201);
    expect(opened.body).toMatchObject({ operator_id: helper.id, actor: helper.email });
  });

  /** A link that the token of an operator asks for. */
  async function linkOf(body: object) {
    const ada = await operator('support-admin');
    const issued = { name: 'cli', operator_id: ada.id, ...body };
    const { body: token } = await api().admin('post', '/admin/v1/operator-tokens', issued).expect(201);
    const link = await supertest(api().url)
      .post('/admin/v1/console-links')
      .set('Authorization', `Bearer ${token.token}`);
    return { tokenId: token.id, link };
  }

  it('of a token ends with the token, and so does its session, which approves no command line', async () => {
    const scopes = ['operators:admin', 'messages:read'];
    await api().admin('post', '/admin/v1/roles', { code: 'support-admin', name: 'S', scopes }).expect(201);
    const expiry = new Date(Date.now() + 300_000).toISOString();
    const { tokenId, link } = await linkOf({ expires_at: expiry });
    const response = await signIn(api(), { link: link.body.url_fragment.split('=')[1] }).expect(201);
    expect(response.body.expires_at).toBe(expiry);
    const cookie = String(response.headers['set-cookie']).split(';', 1)[0] ?? '';
    const browser = { cookie, csrfToken: response.body.csrf_token };
    const codes = await begin();
    await decide(browser, codes.user_code).expect(403);
    const headers = { Cookie: cookie, 'X-CSRF-Token': browser.csrfToken };
    const next = await supertest(api().url).post('/admin/v1/console-links').set(headers).expect(201);
    await api().admin('delete', `/admin/v1/operator-tokens/${tokenId}`).expect(204);
    await until(async () => {
      const shown = await supertest(api().url).get('/console/session').set('Cookie', cookie);
      return shown.status === 401;
    });
    await signIn(api(), { link: next.body.url_fragment.split('=')[1] }).expect(401);
  });

  it.each([
    ['scopes', { scopes: ['operators:admin'] }],
    ['a role', { role: 'support-admin' }],
  ])('is not given to a token with %s of its own', async (_what, body) => {
    expect((await linkOf(body)).link.status).toBe(403);
  });

  it('opens nothing for a disabled or unknown operator', async () => {
    const eve = await operator();
    const { body } = await api()
      .admin('post', '/admin/v1/console-links', { operator_id: eve.id })
      .expect(201);
    await api().admin('patch', `/admin/v1/operators/${eve.id}`, { enabled: false }).expect(200);
    await signIn(api(), { link: body.url_fragment.split('=')[1] }).expect(401);
    await api().admin('post', '/admin/v1/console-links', { operator_id: eve.id }).expect(422);
    const unknown = { operator_id: 'opr_01kb2t4v6xe0f9w7r5m3k1d8pc' };
    await api().admin('post', '/admin/v1/console-links', unknown).expect(422);
  });
});
