import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const PLANS = '/admin/v1/plans';
const plan = (code: string) => ({ code, name: 'Plan' });

const lastEntry = (code: string) => world.db().auditEntry.findFirstOrThrow({ where: { resourceId: code } });

describe('the token of management', () => {
  it.each([
    ['none', undefined],
    ['another scheme', `Basic ${ADMIN_TOKEN}`],
    ['a wrong one', `Bearer ${'x'.repeat(ADMIN_TOKEN.length)}`],
    ['a part of it', `Bearer ${ADMIN_TOKEN.slice(0, -1)}`],
    ['more than it', `Bearer ${ADMIN_TOKEN}x`],
    ['nothing after the scheme', 'Bearer '],
  ])('responds with the 401 of the public API for %s', async (_what, authorization) => {
    const call = (path: string) => {
      const test = supertest(world.api().url).get(path);
      return authorization === undefined ? test : test.set('Authorization', authorization);
    };
    const response = await call(PLANS);
    const ofPublic = await call('/api/v1/limits');
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.body).toEqual(ofPublic.body);
  });

  it('answers 401 for an environment token, and the public API answers 401 for the admin token', async () => {
    const { token } = await world.environment();
    expect((await world.api().get(PLANS, token)).status).toBe(401);
    expect((await world.api().get('/api/v1/limits', ADMIN_TOKEN)).status).toBe(401);
  });

  it('is checked before the body is read', async () => {
    const url = new URL(PLANS, world.api().url);
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      // The body is announced and never sent.
      const headers = { 'Content-Type': 'application/json', 'Content-Length': '1000' };
      const sending = request(url, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        sending.destroy();
      });
      sending.on('error', reject);
      sending.flushHeaders();
    });
    expect(answered).toBe(401);
  });
});

describe('the actor', () => {
  it.each([
    ['named', 'ada@example.com', 'ada@example.com'],
    ['unnamed', undefined, 'admin'],
    ['too-long', 'x'.repeat(129), 'admin'],
    ['with-space', 'Ada L', 'admin'],
  ])('is the value of X-Actor, or admin: %s', async (code, header, actor) => {
    const test = world.api().admin('post', PLANS, plan(code));
    if (header !== undefined) test.set('X-Actor', header);
    await test.expect(201);
    expect(await lastEntry(code)).toMatchObject({ actor });
  });

  it.each(['worker', 'seed', 'Worker', '<worker>'])('is never a name of the service: %s', async (name) => {
    const code = `by-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
    const { body } = await world.api().admin('post', PLANS, plan(code)).set('X-Actor', name).expect(422);
    expect(body.error).toMatchObject({
      code: 'validation_failed',
      details: [{ path: '/X-Actor', code: 'invalid_value', message: expect.stringContaining('worker') }],
    });
    expect(await world.db().auditEntry.count({ where: { resourceId: code } })).toBe(0);
    await world.api().admin('get', `${PLANS}/${code}`).expect(404);
  });

  it('refuses reserved names only after checking the token', async () => {
    await world
      .api()
      .admin('get', PLANS)
      .set('X-Actor', 'worker')
      .set('Authorization', 'Bearer x')
      .expect(401);
  });

  it.each([
    ['the connection', undefined, '127.0.0.1'],
    ['a trusted proxy', '198.51.100.1, 192.0.2.9', '192.0.2.9'],
  ])(
    'has the address from %s, and shows that the admin token proves no name',
    async (_from, forwarded, address) => {
      const trustedProxies = forwarded === undefined ? [] : ['127.0.0.0/8'];
      const api = await world.more({ trustedProxies });
      const code = `from-${trustedProxies.length}`;
      await api
        .admin('post', PLANS, plan(code))
        .set({ 'X-Actor': 'ada', 'X-Forwarded-For': forwarded ?? '203.0.113.5' })
        .expect(201);
      expect(await lastEntry(code)).toMatchObject({
        actor: 'ada',
        actorKind: 'admin_token',
        credential: null,
        address,
      });
    },
  );

  it("is in the request's log line, and the token is in no log line", async () => {
    const api = await world.more();
    await api.admin('get', PLANS).set('X-Actor', 'ada').expect(200);
    await api.stop();
    expect(api.log).toContainEqual(
      expect.objectContaining({ route: PLANS, status: 200, actor: 'ada', method: 'GET' }),
    );
    expect(JSON.stringify(api.log)).not.toContain(ADMIN_TOKEN);
  });
});

describe('paths and bodies', () => {
  it('answers 405 with Allow for a method that a path does not have', async () => {
    const response = await world.api().admin('delete', PLANS).expect(405);
    expect(response.headers.allow).toBe('POST, GET, HEAD, OPTIONS');
  });

  it('answers 404 for a path that does not exist', async () => {
    const { body } = await world.api().admin('get', '/admin/v1/nothing').expect(404);
    expect(body.error.code).toBe('route_not_found');
  });

  it('refuses pages of other origins', async () => {
    const preflight = await supertest(world.api().url)
      .options(PLANS)
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.allow).toBe('POST, GET, HEAD, OPTIONS');
    const read = await world.api().admin('get', PLANS).set('Origin', 'https://app.example');
    for (const { headers } of [preflight, read]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('answers 415, 413 and 400 for bodies that cannot be read', async () => {
    const post = (body: string, type = 'application/json') =>
      world.api().admin('post', PLANS).type(type).send(body);
    expect((await post('code=x', 'text/plain')).status).toBe(415);
    expect((await post(`"${'x'.repeat(262_144)}"`)).status).toBe(413);
    for (const body of ['', '{', '"\\u0000"', '"\\ud800"', '1e999', '['.repeat(33) + ']'.repeat(33)]) {
      const response = await post(body);
      expect([body, response.status, response.body.error.code]).toEqual([body, 400, 'invalid_json']);
    }
  });
});

describe('the reason', () => {
  /** The bytes of a text in UTF-8, as a client sends them. */
  const header = (text: string) => Buffer.from(text).toString('latin1');
  /** Creates a plan. `fetch` sends the characters of a header as bytes; Node's own client does not if it has a body. */
  const create = (code: string, reason: string) =>
    fetch(`${world.api().url}${PLANS}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${ADMIN_TOKEN}`,
        'Content-Type': 'application/json',
        'X-Reason': reason,
      },
      body: JSON.stringify(plan(code)),
    });

  it.each(['Invoice 4711', 'Größe geändert', '解約'])('is kept with the entry: %s', async (reason) => {
    const code = `why-${createHash('sha256').update(reason).digest('hex').slice(0, 8)}`;
    expect((await create(code, header(reason))).status).toBe(201);
    expect(await lastEntry(code)).toMatchObject({ reason });
  });

  it.each([
    ['empty', ''],
    ['only blanks', '   '],
    ['too long', 'x'.repeat(501)],
    ['not UTF-8', '\xff\xfe'],
    ['with a control character', header('a\u0085b')],
    ['with text that changes direction', header('a\u202eb')],
    ['with an email address, which no erasure could remove', 'Asked by Ada <ada@example.com>'],
  ])('is refused and changes nothing: %s', async (what, reason) => {
    const code = `bad-${createHash('sha256').update(what).digest('hex').slice(0, 8)}`;
    const response = await create(code, reason);
    expect(response.status).toBe(422);
    const { error } = (await response.json()) as { error: unknown };
    expect(error).toMatchObject({
      details: [{ path: '/X-Reason', code: 'invalid_value' }],
    });
    await world.api().admin('get', `${PLANS}/${code}`).expect(404);
  });
});
