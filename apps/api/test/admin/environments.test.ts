import { createUuidV7Source, formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const newId = createUuidV7Source();

const aTenant = async () => formatId('ten', (await world.environment()).tenantId);
const listOf = (tenant: string) => `/admin/v1/tenants/${tenant}/environments`;
const post = (tenant: string, body: unknown) => world.api().admin('post', listOf(tenant), body);

describe('POST /admin/v1/tenants/{id}/environments', () => {
  it('responds with 201 and the environment as later reads show it, with an audit entry', async () => {
    const tenant = await aTenant();
    const { body } = await post(tenant, { name: 'production' }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^env_/),
      tenant_id: tenant,
      name: 'production',
      unmatched_events: 'refuse',
      missing_email_template: 'refuse',
      idempotency_keys: 'uuid',
      https_only: false,
      default_locale: 'en',
      soft_bounce_limit: 5,
      soft_bounce_days: 7,
      soft_bounce_pause_days: 7,
      pause_streams_at_complaint_rate: null,
      stream_names: {},
      outcome_events: [],
      portal: { origins: [], theme: null, locale: null },
      unknown_consumers: 'refuse',
      created_at: expect.any(String),
    });
    const read = await world.api().admin('get', `/admin/v1/environments/${body.id}`).expect(200);
    expect(read.body).toEqual(body);
    const entries = await world.db().auditEntry.findMany({ where: { resourceId: body.id } });
    expect(entries).toMatchObject([{ action: 'environment.created', before: null, after: body }]);
    expect(formatId('ten', entries[0]?.tenantId ?? '')).toBe(tenant);
    expect(formatId('env', entries[0]?.environmentId ?? '')).toBe(body.id);
  });

  it('lets one of many concurrent requests for a name win, and allows the name to other tenants', async () => {
    const tenant = await aTenant();
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(tenant, { name: 'staging' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatchObject({ code: 'already_exists', details: [{ path: '/name' }] });
    await post(await aTenant(), { name: 'staging' }).expect(201);
  });

  it.each(['', '-a', 'Prod', 'a_b', 'a b', 'x'.repeat(64), 'a\n'])(
    'answers 422 for the name %j',
    async (name) => {
      const { body } = await post(await aTenant(), { name }).expect(422);
      expect(body.error.details).toMatchObject([{ path: '/name', code: 'invalid_format' }]);
    },
  );

  it.each([formatId('ten', newId()), formatId('env', newId()), 'x'])(
    'answers 404 for a tenant that does not exist: %s',
    async (tenant) => {
      for (const response of [
        await post(tenant, { name: 'a' }),
        await world.api().admin('get', listOf(tenant)),
      ]) {
        expect([response.status, response.body.error.code]).toEqual([404, 'tenant_not_found']);
      }
    },
  );
});

describe('GET /admin/v1/tenants/{id}/environments', () => {
  it('pages through the environments of this tenant alone, newest first', async () => {
    const tenant = await aTenant();
    await aTenant();
    for (const name of ['a', 'b', 'c']) await post(tenant, { name }).expect(201);
    const first = await world
      .api()
      .admin('get', `${listOf(tenant)}?limit=2`)
      .expect(200);
    expect(first.body.has_more).toBe(true);
    const cursor = first.body.next_cursor;
    const second = await world
      .api()
      .admin('get', `${listOf(tenant)}?limit=2&cursor=${cursor}`)
      .expect(200);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const all = [...first.body.data, ...second.body.data];
    expect(all.map(({ name }) => name).slice(0, 3)).toEqual(['c', 'b', 'a']);
    expect(all).toHaveLength(4);
    expect(all.every((environment) => environment.tenant_id === tenant)).toBe(true);
  });

  it('shows nothing of other tenants for a cursor of theirs', async () => {
    const theirs = await aTenant();
    for (const name of ['a', 'b']) await post(theirs, { name }).expect(201);
    const page = await world.api().admin('get', `${listOf(theirs)}?limit=1`);
    const mine = await aTenant();
    const { body } = await world.api().admin('get', `${listOf(mine)}?cursor=${page.body.next_cursor}`);
    expect(body).toEqual({ data: [], has_more: false, next_cursor: null });
  });
});

describe('PATCH /admin/v1/environments/{id}', () => {
  const patch = (id: string, body: unknown) =>
    world.api().admin('patch', `/admin/v1/environments/${id}`, body);

  it('changes the given settings with one audit entry', async () => {
    const id = formatId('env', (await world.environment()).environmentId);
    const { body } = await patch(id, { unmatched_events: 'store' }).expect(200);
    expect(body).toMatchObject({ id, unmatched_events: 'store', missing_email_template: 'refuse' });
    await patch(id, { unmatched_events: 'store' }).expect(200);
    await patch(id, { missing_email_template: 'skip', unmatched_events: null }).expect(200);
    const read = await world.api().admin('get', `/admin/v1/environments/${id}`).expect(200);
    expect(read.body).toMatchObject({ unmatched_events: 'refuse', missing_email_template: 'skip' });
    const entries = await world.db().auditEntry.findMany({
      where: { resourceId: id, action: 'environment.updated' },
      orderBy: { id: 'asc' },
    });
    expect(entries).toMatchObject([
      { before: { unmatched_events: 'refuse' }, after: { unmatched_events: 'store' } },
      { before: { unmatched_events: 'store' }, after: { missing_email_template: 'skip' } },
    ]);
  });

  it('merges the names of streams, by stream and language', async () => {
    const tenant = await aTenant();
    const { body } = await post(tenant, { name: 'named', stream_names: { news: { en: 'News' } } }).expect(
      201,
    );
    const path = `/admin/v1/environments/${body.id}`;
    const patch = (stream_names: unknown) => world.api().admin('patch', path, { stream_names });
    await patch({ news: { 'fr-CA': 'Infolettre' }, offers: { de: 'Angebote' } }).expect(200);
    const changed = await patch({ offers: null }).expect(200);
    expect(changed.body.stream_names).toEqual({ news: { en: 'News', 'fr-CA': 'Infolettre' } });
  });

  it.each([
    [{ 'Two Words': { en: 'a' } }, '/stream_names/Two Words'],
    [{ all: { en: 'a' } }, '/stream_names/all'],
    [{ news: { English: 'a' } }, '/stream_names/news/English'],
    [{ news: { en: '' } }, '/stream_names/news/en'],
    [{ news: { en: 'two\nlines' } }, '/stream_names/news/en'],
  ])('refuses the names of streams %j', async (stream_names, at) => {
    const refused = await post(await aTenant(), { name: 'named', stream_names }).expect(422);
    expect(refused.body.error.details).toMatchObject([{ path: at }]);
  });

  it('applies to the next events', async () => {
    const { environmentId, token } = await world.environment({ channels: [] });
    const id = formatId('env', environmentId);
    await world.api().postEvent(token, anEvent()).expect(422);
    await patch(id, { unmatched_events: 'store' }).expect(200);
    await until(async () => (await world.api().postEvent(token, anEvent())).status === 201);
  });

  it.each([
    [{ unmatched_events: 'drop' }, 'invalid_value'],
    [{ name: 'other' }, 'unknown_field'],
    [{ idempotency_keys: null, extra: 1 }, 'unknown_field'],
  ])('answers 422 for %j', async (body, code) => {
    const id = formatId('env', (await world.environment()).environmentId);
    const response = await patch(id, body).expect(422);
    expect(response.body.error.details).toMatchObject([{ code }]);
  });

  it('answers 404 for an unknown environment', async () => {
    await patch(formatId('env', newId()), { unmatched_events: 'store' }).expect(404);
  });
});

describe('GET /admin/v1/environments/{id}', () => {
  it.each([formatId('env', newId()), formatId('ten', newId()), 'x', '%00'])(
    'answers 404 for %s',
    async (id) => {
      const { body } = await world.api().admin('get', `/admin/v1/environments/${id}`).expect(404);
      expect(body.error.code).toBe('environment_not_found');
    },
  );
});
