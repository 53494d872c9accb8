import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { openBrowser, signIn } from '../support/console.ts';
import { useApi } from '../support/database.ts';
import { callWith, createProduct, redeemLink } from './support.ts';

const world = useApi({ trustedProxies: ['127.0.0.1/32'] });

describe('a link to the portal', () => {
  it('opens a session once, with the look that was asked for', async () => {
    const product = await createProduct(world);
    await product.consumer('org_1', { name: 'Acme' });
    const { link, url, redeem } = await product.openSession('org_1', {
      theme: { accent: '#0a7f5a', radius: 4 },
      locale: 'de-AT',
      return_url: 'https://app.example.com/settings',
    });
    expect(url.pathname).toBe('/portal/');
    const { body } = await redeem().expect(200);
    expect(body).toEqual({
      token: expect.stringMatching(/^pc_/),
      expires_at: link.expires_at,
      environment_id: url.searchParams.get('environment'),
      consumer: { id: 'org_1', name: 'Acme' },
      scopes: expect.arrayContaining(['channels:write', 'messages:content']),
      theme: { mode: 'auto', accent: '#0a7f5a', background: null, radius: 4, logo_url: null },
      locale: 'de',
      return_url: 'https://app.example.com/settings',
    });
    await callWith(world.api(), body.token)('get', 'consumers/org_1').expect(200);
    expect((await redeem().expect(401)).body.error.code).toBe('portal_link_invalid');
    const [entry] = await product.audit();
    expect(entry).toMatchObject({
      action: 'consumer.portal_opened',
      resourceId: 'org_1',
      credential: link.id,
    });
    const listed = await world.api().admin('get', `${product.admin}/tokens`).expect(200);
    expect(JSON.stringify(listed.body)).not.toContain(link.id);
  });

  it('opens one session for fifty requests at once', async () => {
    const product = await createProduct(world);
    await product.consumer('org_1');
    const { redeem, link } = await product.openSession('org_1');
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      await world
        .db()
        .token.count({ where: { environmentId: product.fixture.environmentId, name: 'portal' } }),
    ).toBe(1);
    expect(link.id).toMatch(/^tok_/);
  });

  it('is refused with the same response when it is changed, expired, of another environment, or its consumer is gone', async () => {
    const product = await createProduct(world);
    const other = await createProduct(world);
    await product.consumer('org_1');
    await product.consumer('org_2');
    const post = (link: string, environment: string | null) => redeemLink(world.api(), link, environment);
    const { url, redeem } = await product.openSession('org_1');
    const code = url.hash.slice('#link='.length);
    const environment = url.searchParams.get('environment');
    const changed = await post(`${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`, environment).expect(
      401,
    );
    const elsewhere = other.admin.split('/').at(-1) ?? '';
    const answers = [
      changed,
      await post(code, elsewhere).expect(401),
      await post(code, 'nothing').expect(401),
    ];
    const stale = await product.openSession('org_1');
    await world.db().portalLink.updateMany({
      where: { consumerId: 'org_1', usedAt: null },
      data: { linkExpiresAt: new Date(Date.now() - 1_000) },
    });
    answers.push(await stale.redeem().expect(401), await redeem().expect(401));
    const gone = await product.openSession('org_2');
    await product.call('delete', 'consumers/org_2').expect(204);
    answers.push(await gone.redeem().expect(401));
    await product.call('put', 'consumers/org_2', {}).expect(200);
    answers.push(await gone.redeem().expect(401));
    const [first, ...others] = answers.map(({ body }) => ({ ...body.error, request_id: null }));
    for (const each of others) expect(each).toEqual(first);
  });

  it('gives no scope that its issuer lacks', async () => {
    const product = await createProduct(world, { scopes: ['portal-sessions:write', 'channels:read'] });
    await world.api().admin('put', `${product.admin}/consumers/org_1`, {}).expect(200);
    const path = 'consumers/org_1/portal-sessions';
    await product.call('post', path, { scopes: ['channels:write'] }).expect(403);
    const { redeem } = await product.openSession('org_1');
    expect((await redeem().expect(200)).body.scopes).toEqual(['channels:read']);
  });

  it('takes no script, foreign logo or unsafe address', async () => {
    const product = await createProduct(world);
    await product.consumer('org_1');
    const path = 'consumers/org_1/portal-sessions';
    for (const wrong of [
      { return_url: 'javascript:alert(1)' },
      { return_url: 'http://example.com/' },
      { return_url: 'https://user@example.com/' },
      { theme: { accent: 'red;background:url(x)' } },
      { theme: { logo_url: 'https://elsewhere.example.com/logo.svg' } },
      { theme: { radius: 25 } },
      { ttl_seconds: 59 },
    ])
      await product.call('post', path, wrong).expect(422);
  });
});

describe('a session of the portal', () => {
  const opened = async (product: Awaited<ReturnType<typeof createProduct>>) => {
    const { redeem, link } = await product.openSession('org_1');
    const { token } = (await redeem().expect(200)).body;
    const call = callWith(world.api(), token);
    await call('get', 'consumers/org_1').expect(200);
    return { token, link, call };
  };
  const isOver = async (product: { forget: () => void }, { call }: { call: ReturnType<typeof callWith> }) => {
    product.forget();
    await call('get', 'consumers/org_1').expect(401);
  };

  it('ends when the page says so', async () => {
    const product = await createProduct(world);
    await product.consumer('org_1');
    const session = await opened(product);
    const end = () =>
      supertest(world.api().url).delete('/portal/session').set('Authorization', `Bearer ${session.token}`);
    await end().expect(204);
    await isOver(product, session);
    await end().expect(401);
  });

  it('ends with its consumer, with its token, and with the token that issued its link', async () => {
    const product = await createProduct(world);
    await product.consumer('org_1');
    const revoked = await opened(product);
    await world.api().admin('delete', `/admin/v1/tokens/${revoked.link.id}`).expect(204);
    await isOver(product, revoked);
    const ended = await opened(product);
    await product.call('delete', 'consumers/org_1').expect(204);
    await isOver(product, ended);
    await product.consumer('org_1');
    await isOver(product, ended);
    const orphan = await opened(product);
    const waiting = await product.openSession('org_1');
    await world.api().admin('delete', `/admin/v1/tokens/${product.tokenId}`).expect(204);
    await isOver(product, orphan);
    await waiting.redeem().expect(401);
  });

  it('ends with the operator, or the token of one or of a machine, that issued its link', async () => {
    const product = await createProduct(world);
    await product.consumer('org_1');
    const { admin } = world.api();
    const path = `${product.admin}/consumers/org_1/portal-sessions`;
    const as = (token: string) =>
      supertest(world.api().url).post(path).set('Authorization', `Bearer ${token}`).send({}).expect(201);
    const open = async (url: string) => {
      const opened = new URL(url, 'https://portal.test');
      const link = opened.hash.slice('#link='.length);
      const redeem = () => redeemLink(world.api(), link, opened.searchParams.get('environment'));
      const { body } = await redeem().expect(200);
      return callWith(world.api(), body.token);
    };
    const scopes = ['portal-sessions:write', 'consumers:read'];
    const machine = await admin('post', '/admin/v1/operator-tokens', { name: 'ci', scopes }).expect(201);
    const { body: operator } = await admin('post', '/admin/v1/operators', {
      ...{ email: `${randomUUID()}@example.com`, name: 'Ada', role: 'admin' },
    }).expect(201);
    const personal = await admin('post', '/admin/v1/operator-tokens', {
      ...{ name: 'laptop', operator_id: operator.id },
    }).expect(201);
    const [ofMachine, ofOperator] = [
      await open((await as(machine.body.token)).body.url),
      await open((await as(personal.body.token)).body.url),
    ];
    const unused = await as(machine.body.token);
    const [entry] = await product.audit();
    expect(entry).toMatchObject({ after: { issued_by: personal.body.id } });
    await ofMachine('get', 'consumers/org_1').expect(200);
    await admin('delete', `/admin/v1/operator-tokens/${machine.body.id}`).expect(204);
    product.forget();
    await ofMachine('get', 'consumers/org_1').expect(401);
    await expect(open(unused.body.url)).rejects.toThrow('401');
    await ofOperator('get', 'consumers/org_1').expect(200);
    await admin('patch', `/admin/v1/operators/${operator.id}`, { enabled: false }).expect(200);
    product.forget();
    await ofOperator('get', 'consumers/org_1').expect(401);
  });

  it('ends with the session of the console in which its link was issued, and with the token behind that', async () => {
    const product = await createProduct(world);
    await product.consumer('org_1');
    const { admin, url } = world.api();
    const asIssued = async (response: supertest.Test) => {
      const opened = new URL((await response.expect(201)).body.url, 'https://portal.test');
      const link = opened.hash.slice('#link='.length);
      const { body } = await redeemLink(world.api(), link, opened.searchParams.get('environment')).expect(
        200,
      );
      const call = callWith(world.api(), body.token);
      await call('get', 'consumers/org_1').expect(200);
      return { call };
    };
    const path = '/consumers/org_1/portal-sessions';
    const integrator = await openBrowser(world.api(), product.token);
    const administrator = await openBrowser(world.api());
    const sessions = [
      { browser: integrator, session: await asIssued(integrator.request('post', `/api/v1${path}`)) },
      {
        browser: administrator,
        session: await asIssued(administrator.request('post', `${product.admin}${path}`)),
      },
    ];
    for (const { browser, session } of sessions) {
      await browser.request('delete', '/console/session').expect(204);
      await isOver(product, session);
    }

    const { body: operator } = await admin('post', '/admin/v1/operators', {
      ...{ email: `${randomUUID()}@example.com`, name: 'Ada', role: 'admin' },
    }).expect(201);
    const { body: token } = await admin('post', '/admin/v1/operator-tokens', {
      ...{ name: 'laptop', operator_id: operator.id },
    }).expect(201);
    const { body: link } = await supertest(url)
      .post('/admin/v1/console-links')
      .set('Authorization', `Bearer ${token.token}`)
      .send({})
      .expect(201);
    const opened = await signIn(world.api(), { link: link.url_fragment.replace('#link=', '') }).expect(201);
    const cookie = String(opened.headers['set-cookie']).split(';', 1)[0] ?? '';
    const ofOperator = await asIssued(
      supertest(url)
        .post(`${product.admin}${path}`)
        .set({ Cookie: cookie, 'X-CSRF-Token': opened.body.csrf_token, 'Sec-Fetch-Site': 'same-origin' }),
    );
    await admin('delete', `/admin/v1/operator-tokens/${token.id}`).expect(204);
    await isOver(product, ofOperator);
  });

  it('cannot be extended by a rotation, and no other token ends as a session', async () => {
    const product = await createProduct(world);
    const { token } = await product.consumer('org_1');
    const session = await opened(product);
    await world.api().admin('post', `/admin/v1/tokens/${session.link.id}/rotate`).expect(404);
    await supertest(world.api().url)
      .delete('/portal/session')
      .set('Authorization', `Bearer ${token}`)
      .expect(401);
    await supertest(world.api().url)
      .delete('/portal/session')
      .set('Authorization', `Bearer ${product.token}`)
      .expect(401);
  });
});
