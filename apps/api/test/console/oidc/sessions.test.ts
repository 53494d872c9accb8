import { createHash, randomUUID } from 'node:crypto';
import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { createOidcClient } from '../../../src/console/oidc/client.ts';
import { type Agent, createAgent } from '../../support/agent.ts';
import { signIn as openSession } from '../../support/console.ts';
import { until } from '../../support/waiting.ts';
import { CONSOLE, person, useProviders } from './support.ts';

const world = useProviders();
const { db, api, provider, configured, startOf, signIn, sessionOf } = world;
const other = () => provider('two');

describe('an open session of a provider', () => {
  /** The session was last confirmed this long ago. */
  const makeStale = (subject: string, seconds = 61) =>
    db().$executeRaw`
      UPDATE provider_sessions SET checked_at = now() - make_interval(secs => ${seconds}::float8)
       WHERE subject = ${subject}`;
  const roleOf = async (subject: string) =>
    (await db().operator.findFirst({ where: { oidcSubject: subject } }))?.role;
  /** A session in a process that has not read it yet. */
  async function opened(subject: string, id: 'one' | 'two', changes: object = {}) {
    const at = provider(id);
    at.people.set(subject, person(subject, changes));
    const agent = createAgent();
    expect(await signIn(subject, id, agent)).toBe('');
    return { at, agent };
  }
  const hasEnded = (agent: Agent) => until(async () => (await sessionOf(agent)).status === 401);

  it.each([
    ['with the refresh token', 'one'],
    ['at the userinfo endpoint', 'two'],
  ] as const)('gets the current groups from the provider %s', async (_how, id) => {
    const subject = `ref-${id}`;
    const { at, agent } = await opened(subject, id);
    at.people.set(subject, person(subject, { groups: ['support'] }));
    await makeStale(subject);
    await until(async () => {
      expect((await sessionOf(agent)).status).toBe(200);
      return (await roleOf(subject)) === 'support';
    });
    expect(await db().operator.findFirst({ where: { oidcSubject: subject } })).toMatchObject({
      bounded: true,
    });
  });

  it('is asked about only when its interval has passed, by one process', async () => {
    const { at, agent } = await opened('idle', 'one');
    const before = at.requests.length;
    await makeStale('idle', 30);
    await sessionOf(agent);
    await world.more();
    await makeStale('idle');
    const apis = await Promise.all([1, 2, 3].map(() => world.more()));
    const cookie = agent.cookies(api().url);
    await Promise.all(
      apis.map(({ url }) => supertest(url).get('/console/session').set('Cookie', cookie).expect(200)),
    );
    await until(async () => at.requests.slice(before).includes('/token'));
    expect(at.requests.slice(before).filter((path) => path === '/token')).toHaveLength(1);
  });

  it.each([
    [
      'no group is left',
      (subject: string) => provider().people.set(subject, person(subject, { groups: [] })),
    ],
    ['the provider has revoked the grant', (subject: string) => provider().revoke(subject)],
  ])('ends when %s, with all sessions and tokens of the person', async (_why, withdraw) => {
    const subject = `gone-${_why.length}`;
    const { agent } = await opened(subject, 'one');
    const second = createAgent();
    await signIn(subject, 'one', second);
    const operator = await db().operator.findFirstOrThrow({ where: { oidcSubject: subject } });
    const token = { name: 'cli', prefix: 'po_', lastFour: 'abcd', scopes: [], operatorId: operator.id };
    await db().operatorToken.create({
      data: { ...token, id: api().deps.newId(), hash: createHash('sha256').update(subject).digest() },
    });
    const link = { operator_id: formatId('opr', operator.id) };
    const { body } = await api().admin('post', '/admin/v1/console-links', link).expect(201);
    const third = await openSession(api(), { link: body.url_fragment.split('=')[1] }).expect(201);
    await withdraw(subject);
    await makeStale(subject);
    await hasEnded(agent);
    await hasEnded(second);
    await until(async () => {
      const own = await db().consoleSession.findFirst({ where: { id: parseId('ses', third.body.id) ?? '' } });
      return own?.endedAt !== null;
    });
    const [revoked] = await db().operatorToken.findMany({ where: { operatorId: operator.id } });
    expect(revoked?.revokedAt).not.toBeNull();
  });

  it('stays when the only token that could confirm it has expired: that withdraws nobody', async () => {
    provider('two').setAccessTokenSeconds(1);
    const { at, agent } = await opened('short', 'two');
    const expired = Date.now() + 1_000;
    provider('two').setAccessTokenSeconds(3_600);
    // The service counts it as expired 5 s early. Only after its end does the provider refuse it, which would end the session.
    await until(async () => Date.now() > expired);
    const before = at.requests.length;
    // A check begins only when the one before it has ended.
    for (let checks = 0; checks < 3; checks += 1) {
      await makeStale('short');
      await until(async () => {
        expect((await sessionOf(agent)).status).toBe(200);
        const [row] = await db().$queryRaw<{ seconds: number }[]>`
          SELECT extract(epoch FROM now() - checked_at)::float8 AS seconds FROM provider_sessions
           WHERE subject = 'short'`;
        return (row?.seconds ?? 61) < 60;
      });
    }
    expect(at.requests.slice(before)).toEqual([]);
  });

  it('stays while the provider is away, and ends when its time has passed without a confirmation', async () => {
    const { at, agent } = await opened('stay', 'one');
    const lastsFor = async () => {
      const [row] = await db().$queryRaw<{ seconds: number }[]>`
        SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM console_sessions
          JOIN provider_sessions ON session_id = id WHERE subject = 'stay'`;
      return row?.seconds ?? 0;
    };
    expect(await lastsFor()).toBeLessThanOrEqual(3_600);
    await db().$executeRaw`
      UPDATE console_sessions SET expires_at = now() + interval '5 minutes' WHERE id =
        (SELECT session_id FROM provider_sessions WHERE subject = 'stay')`;
    at.setFault('error');
    const before = at.requests.length;
    await makeStale('stay');
    await until(async () => {
      expect((await sessionOf(agent)).status).toBe(200);
      return at.requests.length > before;
    });
    expect(await lastsFor()).toBeLessThan(301);
    at.setFault(null);
    await makeStale('stay');
    await until(async () => {
      await sessionOf(agent);
      return (await lastsFor()) > 3_000;
    });
    await db().$executeRaw`
      UPDATE console_sessions SET expires_at = now() WHERE id =
        (SELECT session_id FROM provider_sessions WHERE subject = 'stay')`;
    await hasEnded(agent);
  });

  it('stores the tokens of the provider only encrypted', async () => {
    await opened('seal', 'one');
    const rows = await db().providerSession.findMany({ where: { subject: 'seal' } });
    expect(rows[0]?.sealedTokens).toMatch(/^v1\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('ends at the provider when its browser signs out', async () => {
    const { agent } = await opened('out', 'one');
    const { body } = await sessionOf(agent);
    const response = await supertest(api().url)
      .delete('/console/session')
      .set({ Cookie: agent.cookies(api().url), 'X-CSRF-Token': body.csrf_token })
      .expect(200);
    const url = new URL(response.body.provider_sign_out_url);
    expect(url.origin).toBe(provider().issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${api().url}/console/`);
    const page = await agent.get(url.href);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? '';
    const left = await agent.post(
      `${provider().issuer}/session/end/confirm`,
      { xsrf, logout: 'yes' },
      CONSOLE,
    );
    expect(left.url).toBe(`${api().url}/console/`);
    expect(await agent.get(startOf())).toMatchObject({ url: expect.stringContaining('/interaction/') });
  });

  it('ends when the session at the provider ends, by its own signed message', async () => {
    const { agent } = await opened('back', 'one');
    const { agent: elsewhere } = await opened('back', 'one');
    const page = await agent.get(`${provider().issuer}/session/end`);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? '';
    await agent.post(`${provider().issuer}/session/end/confirm`, { xsrf, logout: 'yes' }, /./);
    await hasEnded(agent);
    expect((await sessionOf(elsewhere)).status).toBe(200);
  });
});

describe('a logout token', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = (changes: Record<string, unknown> = {}) => ({
    ...{ iss: provider().issuer, aud: 'postrider', iat: now(), exp: now() + 120, jti: randomUUID() },
    ...{ events: EVENT, sub: 'log', ...changes },
  });
  const send = (token: string) =>
    supertest(api().url)
      .post('/console/oidc/one/backchannel-logout')
      .type('form')
      .send({ logout_token: token });
  async function opened() {
    provider().people.set('log', person('log'));
    const agent = createAgent();
    expect(await signIn('log', 'one', agent)).toBe('');
    return agent;
  }

  it.each([
    ['of another audience', { aud: 'another' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without the event', { events: {} }],
    ['with a nonce, which an ID token has', { nonce: 'x' }],
    ['without an id', { jti: undefined }],
    ['that names nobody', { sub: undefined }],
    ['that is too old', { iat: now() - 661, exp: now() + 60 }],
    ['that has expired', { iat: now() - 200, exp: now() - 61 }],
  ])('%s ends nothing', async (_what, changes) => {
    const agent = await opened();
    await send(await provider().sign(claims(changes))).expect(400);
    expect((await sessionOf(agent)).status).toBe(200);
  });

  it('that another key has signed ends nothing, nor does one without a signature', async () => {
    const agent = await opened();
    const none = [{ alg: 'none' }, claims()].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    for (const token of [await other().sign(claims()), `${none.join('.')}.`, 'x', ''])
      await send(token).expect(400);
    expect((await sessionOf(agent)).status).toBe(200);
  });

  it.each([
    ['the person', {}, 'every'],
    ['another session', { sub: undefined, sid: 'another' }, 'no'],
  ])('that names %s ends %s token of postrider login', async (_whom, named, which) => {
    const agent = await opened();
    const { body: session } = await sessionOf(agent);
    const form = (path: string, body: object) =>
      supertest(api().url).post(`/console/device${path}`).type('form').send(body);
    const { body: codes } = await form('', {}).expect(200);
    await supertest(api().url)
      .post('/console/device/decision')
      .set({ Cookie: agent.cookies(api().url), 'X-CSRF-Token': session.csrf_token })
      .send({ user_code: codes.user_code, approve: true })
      .expect(204);
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' };
    const { body } = await form('/token', { ...grant, device_code: codes.device_code }).expect(200);
    const whoAmI = async () => {
      const request = supertest(api().url).get('/console/whoami');
      return (await request.set('Authorization', `Bearer ${body.access_token}`)).status;
    };
    expect(await whoAmI()).toBe(200);
    await send(await provider().sign(claims(named))).expect(200);
    if (which === 'every') await until(async () => (await whoAmI()) === 401);
    const open = {
      revokedAt: null,
      name: { startsWith: 'postrider login' },
      operator: { oidcSubject: 'log' },
    };
    expect(await db().operatorToken.count({ where: open })).toBe(which === 'every' ? 0 : 1);
  });

  it('ends when the operator is disabled here, without asking the provider', async () => {
    const agent = await opened();
    const { body } = await sessionOf(agent);
    const path = `/admin/v1/operators/${body.operator_id}`;
    const asked = provider().requests.length;
    await api().admin('patch', path, { enabled: false }).expect(200);
    await until(async () => (await sessionOf(agent)).status === 401);
    expect(provider().requests.length).toBe(asked);
    await api().admin('patch', path, { enabled: true }).expect(200);
  });

  it('ends all sessions of the person, once: used again it does not end a later one', async () => {
    const agent = await opened();
    const token = await provider().sign(claims());
    await send(token).expect(200);
    await until(async () => (await sessionOf(agent)).status === 401);
    const later = await opened();
    await send(token).expect(400);
    expect((await sessionOf(later)).status).toBe(200);
  });

  it('that could not be carried out was not used: sent again, it ends the sessions', async () => {
    const agent = await opened();
    const token = await provider().sign(claims());
    await db().$executeRaw`ALTER TABLE provider_sessions RENAME TO away`;
    expect((await send(token)).status).toBeGreaterThanOrEqual(500);
    await db().$executeRaw`ALTER TABLE away RENAME TO provider_sessions`;
    await send(token).expect(200);
    await until(async () => (await sessionOf(agent)).status === 401);
  });

  it('gets 503 while the keys of the provider cannot be read, and then works', async () => {
    const fresh = await world.more();
    const agent = await opened();
    const token = await provider().sign(claims());
    const to = () =>
      supertest(fresh.url)
        .post('/console/oidc/one/backchannel-logout')
        .type('form')
        .send({ logout_token: token });
    provider().setFault('error');
    const refused = await to().expect(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    provider().setFault(null);
    await until(async () => (await to()).status === 200);
    await until(async () => (await sessionOf(agent)).status === 401);
  });
});

describe('the keys of a provider', () => {
  it('are read again for an unknown key, but not for each token with an invented one', async () => {
    const keyRequests = () => provider().requests.filter((path) => path === '/jwks').length;
    const client = createOidcClient(configured(), {
      monotonicMs: () => performance.now(),
      keysCooldownMs: 0,
    });
    const logout = () =>
      provider().sign({
        ...{ iss: provider().issuer, aud: 'postrider', jti: randomUUID(), sub: 'ada' },
        iat: Math.floor(Date.now() / 1_000),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      });
    await client.verifyLogout(await logout());
    await provider().rotateKeys();
    expect(await client.verifyLogout(await logout())).toMatchObject({ subject: 'ada' });

    const limited = createOidcClient(configured(), { monotonicMs: () => performance.now() });
    await limited.verifyLogout(await logout());
    const before = keyRequests();
    for (let invented = 0; invented < 5; invented += 1)
      await expect(limited.verifyLogout(await other().sign({ iss: provider().issuer }))).rejects.toThrow();
    expect(keyRequests()).toBe(before);
  });
});
