import {
  createUuidV7Source,
  DEFAULT_TOKEN_SCOPES,
  formatId,
  isWellFormedToken,
  parseId,
} from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const newId = createUuidV7Source();
const DAY_MS = 86_400_000;

const listOf = (environment: string) => `/admin/v1/environments/${environment}/tokens`;
const anEnvironment = async () => formatId('env', (await world.environment()).environmentId);
const issue = async (environment: string, body: unknown = { name: 'ci' }) =>
  (await world.api().admin('post', listOf(environment), body).expect(201)).body;
const rotate = (id: string, body?: unknown) =>
  world.api().admin('post', `/admin/v1/tokens/${id}/rotate`, body);
const revoke = (id: string) => world.api().admin('delete', `/admin/v1/tokens/${id}`);
const list = async (environment: string) =>
  (await world.api().admin('get', listOf(environment)).expect(200)).body.data;
const statusOf = async (token: string) => (await world.api().get('/api/v1/usage/current', token)).status;
const auditOf = (resourceId: string) =>
  world.db().auditEntry.findMany({ where: { resourceId }, orderBy: { id: 'asc' } });

describe('POST /admin/v1/environments/{id}/tokens', () => {
  it('responds with 201 and a valid token, which no other response contains', async () => {
    const environment = await anEnvironment();
    const { token, ...shown } = await issue(environment, { name: 'Checkout' });
    expect(isWellFormedToken(token)).toBe(true);
    expect(shown).toEqual({
      id: expect.stringMatching(/^tok_/),
      environment_id: environment,
      consumer: null,
      name: 'Checkout',
      prefix: token.slice(0, -36),
      last_four: token.slice(-4),
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      replaced_by: null,
      scopes: [...DEFAULT_TOKEN_SCOPES],
    });
    expect(await statusOf(token)).toBe(200);
    expect((await list(environment))[0]).toEqual(shown);
    expect(await auditOf(shown.id)).toMatchObject([{ action: 'token.issued', before: null, after: shown }]);
  });

  it('shows the scopes that it was issued with, which a rotation keeps', async () => {
    const scopes = ['channels:write', 'ignore_suppression'];
    const environment = await anEnvironment();
    const issued = await issue(environment, { name: 'portal', scopes });
    const rotated = await rotate(issued.id).expect(200);
    expect([issued.scopes, rotated.body.scopes, rotated.body.previous.scopes]).toEqual([
      scopes,
      scopes,
      scopes,
    ]);
    const extra = await issue(environment, { name: 'security', scopes: ['ignore_suppression'] });
    expect(extra.scopes).toEqual([...DEFAULT_TOKEN_SCOPES, 'ignore_suppression']);
  });

  it('stores its expiry', async () => {
    const body = { name: 'ci', expires_at: '2099-01-01T01:00:00+01:00' };
    expect((await issue(await anEnvironment(), body)).expires_at).toBe('2099-01-01T00:00:00.000Z');
  });

  it.each([
    [{}, '/name', 'required'],
    [{ name: '' }, '/name', 'too_short'],
    [{ name: 'a\nb' }, '/name', 'invalid_format'],
    [{ name: 'x', expires_at: 'tomorrow' }, '/expires_at', 'invalid_format'],
    [{ name: 'x', expires_at: 7 }, '/expires_at', 'invalid_type'],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at', 'invalid_value'],
    [{ name: 'x', token: 'pr_mine' }, '/token', 'unknown_field'],
    [{ name: 'x', scopes: ['tokens:write'] }, '/scopes/0', 'invalid_value'],
    [{ name: 'x', scopes: ['channels:admin'] }, '/scopes/0', 'invalid_value'],
  ])('answers 422 for %j', async (given, path, code) => {
    const { body } = await world
      .api()
      .admin('post', listOf(await anEnvironment()), given)
      .expect(422);
    expect(body.error.details).toMatchObject([{ path, code }]);
  });

  it.each([formatId('env', newId()), formatId('ten', newId()), 'x', '%00'])(
    'answers 404 for an environment that does not exist: %s',
    async (environment) => {
      for (const answer of [
        await world.api().admin('post', listOf(environment), { name: 'ci' }),
        await world.api().admin('get', listOf(environment)),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([404, 'environment_not_found']);
      }
    },
  );
});

describe('GET /admin/v1/environments/{id}/tokens', () => {
  it('pages through only the tokens of this environment, newest first', async () => {
    const environment = await anEnvironment();
    const issued = [await issue(environment), await issue(environment)];
    await issue(await anEnvironment());
    const first = await world
      .api()
      .admin('get', `${listOf(environment)}?limit=2`)
      .expect(200);
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([issued[1].id, issued[0].id]);
    const next = await world
      .api()
      .admin('get', `${listOf(environment)}?cursor=${first.body.next_cursor}`)
      .expect(200);
    expect(next.body).toMatchObject({ data: [{ name: 'test' }], has_more: false, next_cursor: null });
  });
});

describe('POST /admin/v1/tokens/{id}/rotate', () => {
  it('responds with 200 and a new token, and the old one stays valid for a day by default', async () => {
    const environment = await anEnvironment();
    const { token: old, ...before } = await issue(environment);
    const { body } = await rotate(before.id).expect(200);
    const { token, previous, ...after } = body;
    expect(after).toMatchObject({ name: 'ci', environment_id: environment, expires_at: null });
    expect(previous).toMatchObject({ id: before.id, replaced_by: after.id });
    expect(Date.parse(previous.expires_at) - Date.parse(after.created_at)).toBeLessThan(DAY_MS + 60_000);
    expect(Date.parse(previous.expires_at) - Date.parse(after.created_at)).toBeGreaterThan(DAY_MS - 60_000);
    expect([await statusOf(old), await statusOf(token)]).toEqual([200, 200]);
    expect(await list(environment)).toMatchObject([after, previous, { name: 'test' }]);
    expect(await auditOf(before.id)).toMatchObject([
      { action: 'token.issued' },
      { action: 'token.rotated', before, after: previous },
    ]);
    expect(await auditOf(after.id)).toMatchObject([{ action: 'token.issued', before: null, after }]);
  });

  it('ends the old token with an overlap of 0, in every process', async () => {
    const { id, token: old } = await issue(await anEnvironment());
    const other = await world.more();
    expect([await statusOf(old), (await other.get('/api/v1/usage/current', old)).status]).toEqual([200, 200]);
    const { body } = await rotate(id, { overlap_seconds: 0 }).expect(200);
    expect(await statusOf(body.token)).toBe(200);
    await until(async () => (await statusOf(old)) === 401);
    await until(async () => (await other.get('/api/v1/usage/current', old)).status === 401);
  });

  it('responds with 409 and the reason for a revoked, expired or rotated token', async () => {
    const environment = await anEnvironment();
    const [revoked, expired, replaced] = [
      await issue(environment),
      await issue(environment),
      await issue(environment),
    ];
    await revoke(revoked.id).expect(204);
    const expiredId = parseId('tok', expired.id) ?? '';
    await world.db().token.update({ where: { id: expiredId }, data: { expiresAt: new Date(0) } });
    const { body: successor } = await rotate(replaced.id).expect(200);
    const conflict = async ({ id }: { id: string }) => (await rotate(id).expect(409)).body.error;
    expect((await conflict(revoked)).message).toContain('is revoked');
    expect((await conflict(expired)).message).toContain('has expired');
    expect((await conflict(replaced)).message).toContain(successor.id);
    expect(await list(environment)).toHaveLength(5);
  });

  it.each([
    [{ overlap_seconds: -1 }, 'too_small'],
    [{ overlap_seconds: 2_592_001 }, 'too_large'],
    [{ overlap_seconds: 1.5 }, 'invalid_type'],
    [{ overlap_seconds: '60' }, 'invalid_type'],
  ])('answers 422 for %j', async (given, code) => {
    const { id } = await issue(await anEnvironment());
    const { body } = await rotate(id, given).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/overlap_seconds', code }]);
  });
});

describe('DELETE /admin/v1/tokens/{id}', () => {
  it('responds with 204, even when repeated, and the token stays in the list', async () => {
    const environment = await anEnvironment();
    const { id, token } = await issue(environment);
    await revoke(id).expect(204);
    await revoke(id).expect(204);
    expect(await statusOf(token)).toBe(401);
    expect((await list(environment))[0]).toMatchObject({ id, revoked_at: expect.any(String) });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['token.issued', 'token.revoked']);
  });
});

describe.each(['rotate', 'revoke'] as const)('to %s a token', (action) => {
  it.each([formatId('tok', newId()), formatId('env', newId()), 'x', '%00'])(
    'that does not exist gets 404: %s',
    async (id) => {
      const answer = action === 'rotate' ? await rotate(id) : await revoke(id);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'token_not_found']);
    },
  );
});
