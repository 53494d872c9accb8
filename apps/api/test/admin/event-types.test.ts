import { createUuidV7Source, formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const newId = createUuidV7Source();

async function anEnvironment() {
  const fixture = await world.environment();
  return { ...fixture, id: formatId('env', fixture.environmentId) };
}
const pathOf = (environment: string, eventKey = 'order.shipped') =>
  `/admin/v1/environments/${environment}/event-types/${eventKey}`;
const put = (environment: string, body: unknown, eventKey?: string) =>
  world.api().admin('put', pathOf(environment, eventKey), body);
const get = (environment: string, eventKey?: string) =>
  world.api().admin('get', pathOf(environment, eventKey));

describe('PUT /admin/v1/environments/{id}/event-types/{event_key}', () => {
  it('responds with 200 and the event type as later reads show it, and replaces it completely', async () => {
    const environment = await anEnvironment();
    const payload_schema = { type: 'object', required: ['order_id'] };
    const { body } = await put(environment.id, { description: 'Sent', payload_schema }).expect(200);
    expect(body).toEqual({
      environment_id: environment.id,
      event_key: 'order.shipped',
      description: 'Sent',
      payload_schema,
      stream: null,
      search_keys: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await get(environment.id).expect(200)).body).toEqual(body);
    const replaced = await put(environment.id, {}).expect(200);
    expect(replaced.body).toMatchObject({ description: null, payload_schema: null });
  });

  it('validates payloads from then on, until it is removed', async () => {
    const environment = await anEnvironment();
    const post = async () => {
      world.api().deps.snapshots.clear();
      const response = await world.api().postEvent(environment.token, anEvent({ payload: { order_id: 7 } }));
      return [response.status, response.body.error?.details?.[0]?.path];
    };
    await put(environment.id, {
      payload_schema: { properties: { order_id: { pattern: '^A', type: 'string' } } },
    });
    expect(await post()).toEqual([422, '/payload/order_id']);
    await put(environment.id, { description: 'Sent' });
    expect(await post()).toEqual([201, undefined]);
  });

  it.each<[string, unknown, string]>([
    ['what is no JSON Schema', { type: 'objekt' }, '/payload_schema/type'],
    [
      'a pattern that could take for ever',
      { properties: { a: { pattern: '^(?=(a+)+$)' } } },
      '/payload_schema/properties/a/pattern',
    ],
    ['a reference that circles', { $ref: '#' }, '/payload_schema'],
    ['a reference to another document', { $ref: 'https://x.example/' }, '/payload_schema/$ref'],
    ['an older draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/payload_schema/$schema'],
    ['an unknown format', { format: 'emial' }, '/payload_schema/format'],
    ['too large a schema', { title: 'x'.repeat(70_000) }, '/payload_schema'],
  ])('answers 422 for %s', async (_, payload_schema, path) => {
    const environment = await anEnvironment();
    const { body } = await put(environment.id, { payload_schema }).expect(422);
    expect(body.error.details).toContainEqual({ path, code: 'invalid_schema', message: expect.any(String) });
    expect((await get(environment.id)).status).toBe(404);
  });

  it.each<[string, unknown, string, string]>([
    ['a schema that is none', { payload_schema: true }, '/payload_schema', 'invalid_type'],
    ['a long description', { description: 'x'.repeat(2_001) }, '/description', 'too_long'],
    ['an unknown field', { schema: {} }, '/schema', 'unknown_field'],
  ])('answers 422 for %s', async (_, body, path, code) => {
    const response = await put((await anEnvironment()).id, body).expect(422);
    expect(response.body.error.details).toMatchObject([{ path, code }]);
  });

  it('responds with 422 for an invalid event key', async () => {
    const { id } = await anEnvironment();
    for (const eventKey of ['shipped', 'Order.shipped', 'a.b%00', 'a.%F0%9F%98%80']) {
      const { body } = await put(id, {}, eventKey).expect(422);
      expect(body.error.details).toMatchObject([{ path: '/event_key', code: 'invalid_format' }]);
      expect((await get(id, eventKey)).body.error.code).toBe('event_type_not_found');
    }
  });

  it('answers 404 where the environment or the event type does not exist', async () => {
    for (const id of [formatId('env', newId()), formatId('ten', newId()), 'x']) {
      for (const response of [await put(id, {}), await get(id)]) {
        expect([response.status, response.body.error.code]).toEqual([404, 'environment_not_found']);
      }
    }
    const response = await get((await anEnvironment()).id);
    expect([response.status, response.body.error.code]).toEqual([404, 'event_type_not_found']);
  });
});

describe('DELETE /admin/v1/environments/{id}/event-types/{event_key}', () => {
  it('deletes it once, with an entry in the audit log, and payloads are not validated any more', async () => {
    const { id, environmentId } = await anEnvironment();
    await put(id, { payload_schema: { type: 'object', required: ['order_id'] } }).expect(200);
    const path = `/admin/v1/environments/${id}/event-types/order.shipped`;
    await world.api().admin('delete', path).expect(204);
    expect((await get(id)).body.error.code).toBe('event_type_not_found');
    const again = await world.api().admin('delete', path).expect(404);
    expect(again.body.error.code).toBe('event_type_not_found');
    const entries = await world
      .db()
      .auditEntry.findMany({ where: { environmentId, action: 'event_type.deleted' } });
    expect(entries).toMatchObject([
      { resourceId: 'order.shipped', after: null, before: { event_key: 'order.shipped' } },
    ]);
  });
});

describe('GET /admin/v1/environments/{id}/event-types', () => {
  it('lists them by their keys, by page, without their schemas', async () => {
    const { id } = await anEnvironment();
    for (const eventKey of ['b.b', 'a.a', 'c.c']) {
      await put(id, eventKey === 'a.a' ? { payload_schema: {} } : {}, eventKey).expect(200);
    }
    const list = async (query: string) =>
      (await world.api().admin('get', `/admin/v1/environments/${id}/event-types?${query}`).expect(200)).body;
    const first = await list('limit=2');
    expect(first.data).toMatchObject([
      { event_key: 'a.a', has_payload_schema: true },
      { event_key: 'b.b', has_payload_schema: false },
    ]);
    const rest = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([rest.data[0].event_key, rest.has_more]).toEqual(['c.c', false]);
    const unknown = await world
      .api()
      .admin('get', `/admin/v1/environments/${formatId('env', newId())}/event-types`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'environment_not_found']);
  });
});
