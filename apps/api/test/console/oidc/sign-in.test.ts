import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { createAgent, signInAtProvider } from '../../support/agent.ts';
import { until } from '../../support/waiting.ts';
import { CONSOLE, failure, person, useProviders } from './support.ts';

const world = useProviders();
const { db, api, provider, startOf, signIn, sessionOf } = world;
const other = () => provider('two');

describe('signing in at a provider', () => {
  it('opens a session of the operator, whom the verified claims create', async () => {
    const agent = createAgent();
    expect(await signIn('ada', 'one', agent)).toBe('');
    const { status, body } = await sessionOf(agent);
    expect(status).toBe(200);
    expect(body).toMatchObject({ role: 'operator', actor: 'ada@example.com' });
    const operator = await db().operator.findFirstOrThrow({ where: { source: 'one', oidcSubject: 'ada' } });
    expect(operator).toMatchObject({ email: 'ada@example.com', name: 'ada', role: 'admin', bounded: false });
    expect(agent.cookies(api().url)).not.toContain('postrider_oidc');
  });

  it('reads claims that are only at the userinfo endpoint', async () => {
    other().people.set('una', person('una', { groups: ['support'] }));
    expect(await signIn('una', 'two')).toBe('');
    const operator = await db().operator.findFirstOrThrow({ where: { source: 'two', oidcSubject: 'una' } });
    expect(operator).toMatchObject({ role: 'support', bounded: true, tenantIds: [], environmentIds: [] });
  });

  it('lists the providers without secrets', async () => {
    const { body, text } = await supertest(api().url).get('/console/oidc').expect(200);
    expect(body).toEqual({
      providers: [
        { id: 'one', name: 'one' },
        { id: 'two', name: 'two' },
      ],
    });
    expect(text).not.toContain(provider().clientSecret);
  });

  it.each([
    ['nobody in a mapped group', { groups: ['others'] }, 'no_group'],
    ['an address that is not verified', { email_verified: false }, 'email_unverified'],
    ['an address of another domain', { email: 'eve@example.org' }, 'email_domain'],
    ['an address that is none', { email: 'eve' }, 'email_missing'],
    ['a role that does not exist', { groups: ['strange'] }, 'unknown_role'],
  ])('refuses %s, and creates no operator', async (_who, changes, why) => {
    const subject = `eve-${why}`;
    provider().people.set(subject, person('eve', changes));
    const agent = createAgent();
    expect(await signIn(subject, 'one', agent)).toBe(failure(why));
    expect((await sessionOf(agent)).status).toBe(401);
    expect(await db().operator.count({ where: { oidcSubject: subject } })).toBe(0);
  });

  it('never takes over the operator of an address, local or of another provider', async () => {
    const id = api().deps.newId();
    await db().operator.create({ data: { id, email: 'Lou@Example.com', name: 'Lou', role: 'admin' } });
    provider().people.set('lou', person('lou'));
    expect(await signIn('lou')).toBe(failure('email_taken'));
    expect(await db().operator.findFirst({ where: { id } })).toMatchObject({ source: 'local' });
    expect(await signIn('ada', 'two')).toBe(failure('email_taken', 'two'));
    // An address that somebody else has by now is not taken over later, either.
    provider().people.set('moa', person('moa'));
    await signIn('moa');
    provider().people.set('moa', person('lou', { groups: ['support'] }));
    const moa = createAgent();
    expect(await signIn('moa', 'one', moa)).toBe('');
    expect((await sessionOf(moa)).body).toMatchObject({ actor: 'moa@example.com' });
    expect(await db().auditEntry.count({ where: { actor: 'lou@example.com' } })).toBe(0);
    expect(await db().operator.findFirst({ where: { oidcSubject: 'moa' } })).toMatchObject({
      email: 'moa@example.com',
    });
  });

  it('gives the current groups at the next sign-in, and refuses a disabled operator', async () => {
    provider().people.set('kim', person('kim'));
    await signIn('kim');
    provider().people.set('kim', person('kim', { groups: ['support'] }));
    expect(await signIn('kim')).toBe('');
    const where = { source: 'one', oidcSubject: 'kim' };
    expect(await db().operator.findFirst({ where })).toMatchObject({ role: 'support', bounded: true });
    const actions = await db().auditEntry.findMany({
      where: { actor: 'kim@example.com' },
      orderBy: { id: 'asc' },
    });
    expect(actions.map(({ action }) => action)).toEqual([
      'operator.created',
      'console_session.opened',
      'operator.updated',
      'console_session.opened',
    ]);
    await db().operator.updateMany({ where, data: { disabledAt: new Date() } });
    expect(await signIn('kim')).toBe(failure('disabled'));
  });

  it('replaces the session that the browser had', async () => {
    const agent = createAgent();
    await signIn('ada', 'one', agent);
    const first = agent.cookies(api().url);
    await signIn('ada', 'one', agent);
    expect(agent.cookies(api().url)).not.toBe(first);
    await until(async () => {
      const response = await supertest(api().url).get('/console/session').set('Cookie', first);
      return response.status === 401;
    });
  });
});

describe('an answer that is not for this sign-in', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  it.each([
    ['the nonce of another sign-in', () => ({ nonce: 'another' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['another audience', () => ({ aud: 'another-client' })],
    ['more audiences, and another authorised party', () => ({ aud: ['postrider', 'b'], azp: 'b' })],
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    [
      'a time that has passed for longer than clocks may differ',
      () => ({ exp: now() - 61, iat: now() - 600 }),
    ],
  ])('is refused: %s', async (_what, changes) => {
    provider().setTamper((claims) => ({ ...claims, ...changes() }));
    try {
      const agent = createAgent();
      expect(await signIn('ada', 'one', agent)).toBe(failure('invalid'));
      expect((await sessionOf(agent)).status).toBe(401);
    } finally {
      provider().setTamper(null);
    }
  });

  it.each([
    ['a subject that cannot be stored', { sub: 'a\u0000' }, 'invalid'],
    ['a subject that would be stored as another one', { sub: '\ud800' }, 'invalid'],
    [
      'an address that only the verification of another one confirms',
      { email: 'eve@example.com', email_verified: undefined, groups: undefined },
      'email_unverified',
    ],
    [
      'an address that the ID token calls not verified, and the userinfo endpoint verified',
      { email_verified: false, groups: undefined },
      'email_unverified',
    ],
    [
      'an address that the ID token says in text is not verified, as Amazon Cognito does',
      { email_verified: 'false', groups: undefined },
      'email_unverified',
    ],
  ])('is refused: %s', async (_what, changes, why) => {
    provider().setTamper((claims) => ({ ...claims, ...changes }));
    try {
      expect(await signIn('ada')).toBe(failure(why));
    } finally {
      provider().setTamper(null);
    }
  });

  it('accepts an address whose verification is text', async () => {
    provider().people.set('tia', person('tia'));
    provider().setTamper((claims) => ({ ...claims, email_verified: 'true' }));
    try {
      expect(await signIn('tia')).toBe('');
    } finally {
      provider().setTamper(null);
    }
  });

  it('names a person by their address if their name is not one line of text', async () => {
    provider().people.set('zoe', person('zoe'));
    provider().setTamper((claims) => ({ ...claims, name: 'Zoe\u0000\u202e', sid: '\u0000' }));
    try {
      expect(await signIn('zoe')).toBe('');
      const where = { oidcSubject: 'zoe' };
      expect(await db().operator.findFirst({ where })).toMatchObject({ name: 'zoe@example.com' });
    } finally {
      provider().setTamper(null);
    }
  });

  it('may have times that differ by the tolerance of clocks', async () => {
    provider().setTamper((claims) => ({ ...claims, exp: now() - 40, iat: now() + 40 }));
    try {
      expect(await signIn('ada')).toBe('');
    } finally {
      provider().setTamper(null);
    }
  });

  it('is refused when its code or its state is used again, also from the same browser', async () => {
    const agent = createAgent();
    const { url } = await signInAtProvider(agent, startOf(), 'ada', /\/callback\?/);
    const cookie = agent.cookies(url);
    const again = () => supertest(api().url).get(url.slice(api().url.length)).set('Cookie', cookie);
    const first = await again();
    expect(first.headers.location).toBe('../../');
    const tokenRequests = provider().requests.filter((path) => path === '/token').length;
    const second = await again();
    expect(second.headers.location).toBe(`../../${failure('expired')}`);
    expect(provider().requests.filter((path) => path === '/token')).toHaveLength(tokenRequests);
  });

  it('is refused with the code of a sign-in in another browser', async () => {
    const [victim, attacker] = [createAgent(), createAgent()];
    const stolen = await signInAtProvider(attacker, startOf(), 'ada', /\/callback\?/);
    await victim.get(startOf(), /./);
    expect((await victim.get(stolen.url, CONSOLE)).url).toContain(failure('expired'));
    const own = new URL((await victim.get(startOf(), /./)).url).searchParams.get('state') ?? '';
    const mixed = new URL(stolen.url);
    mixed.searchParams.set('state', own);
    // PKCE: the code belongs to the verifier of the attacker's browser.
    expect((await victim.get(mixed.href, CONSOLE)).url).toContain('#sign-in=');
    expect((await sessionOf(victim)).status).toBe(401);
  });

  it('is refused at the callback of another provider, and when it names another issuer', async () => {
    const agent = createAgent();
    const { url } = await signInAtProvider(agent, startOf(), 'ada', /\/callback\?/);
    const elsewhere = url.replace('/oidc/one/', '/oidc/two/');
    expect((await agent.get(elsewhere, CONSOLE)).url).toContain(failure('expired', 'two'));
    const mixedUp = new URL(url);
    expect(mixedUp.searchParams.get('iss')).toBe(provider().issuer);
    mixedUp.searchParams.set('iss', other().issuer);
    expect((await agent.get(mixedUp.href, CONSOLE)).url).toContain(failure('invalid'));
  });

  it('never leads to another site', async () => {
    const agent = createAgent();
    const { url } = await agent.get(
      `${startOf()}?return=https://evil.example&redirect_uri=//evil.example`,
      /./,
    );
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${api().url}/console/oidc/one/callback`);
    for (const query of ['?error=access_denied&state=x', '?code=x&state=y&return=//evil.example', '']) {
      const path = `/console/oidc/one/callback${query}`;
      const { headers } = await supertest(api().url).get(path).expect(303);
      expect(headers.location).toBe(`../../${failure('expired')}`);
    }
    for (const host of ['evil.example/path', 'user@evil.example', 'evil.example?x='])
      await supertest(api().url).get('/console/oidc/one/start').set('Host', host).expect(400);
    await supertest(api().url).get('/console/oidc/%2F%2Fevil.example/start').expect(404);
  });
});

describe('a provider that refuses', () => {
  it('is told apart from one that is away', async () => {
    const agent = createAgent();
    const page = await agent.get(startOf());
    const abort = /href="([^"]*\/abort)"/.exec(page.text)?.[1] ?? `${page.url}/abort`;
    const { url } = await agent.get(new URL(abort, page.url).href, CONSOLE);
    expect(new URL(url).hash).toBe(failure('refused'));
  });

  it('only in the query of the browser counts as a failed sign-in of the client', async () => {
    await db().signInLimit.deleteMany();
    const agent = createAgent();
    const { url } = await agent.get(startOf(), /\?/);
    const state = new URL(url).searchParams.get('state');
    const callback = startOf().replace(
      /start$/,
      `callback?error=access_denied&state=${state}&iss=${provider().issuer}`,
    );
    expect((await agent.get(callback, CONSOLE)).url).toContain(failure('refused'));
    const [counted] = await db().$queryRaw<{ failures: number }[]>`
      SELECT count(*)::int4 AS failures FROM sign_in_limits
       WHERE key = sha256('client 127.0.0.1 at provider one') AND full_at > now()`;
    expect(counted?.failures).toBe(1);
  });
});

describe('a provider that is away', () => {
  it('delays neither the start of the service nor its other requests', async () => {
    provider().setFault('hang');
    try {
      const started = await world.more();
      const waiting = supertest(started.url).get('/console/oidc/one/start');
      const [start] = await Promise.all([waiting, supertest(started.url).get('/readyz').expect(200)]);
      expect(start.headers.location).toBe(`../../${failure('away')}`);
    } finally {
      provider().setFault(null);
    }
  });

  it.each([
    ['does not listen', () => provider().close(), () => provider().open()],
    ['never responds', async () => provider().setFault('hang'), async () => provider().setFault(null)],
    ['responds with 500', async () => provider().setFault('error'), async () => provider().setFault(null)],
  ])('is told so at the callback when it %s, and can be used again afterwards', async (_how, leave, back) => {
    const agent = createAgent();
    const { url } = await signInAtProvider(agent, startOf(), 'ada', /\/callback\?/);
    await leave();
    try {
      expect((await agent.get(url, CONSOLE)).url).toContain(failure('away'));
    } finally {
      await back();
    }
    expect(await signIn('ada')).toBe('');
  });
});
