import { createUuidV7Source, orRefusal, presentEventType } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  type ConfigureDeps,
  listEventTypes,
  putEventType,
  readEventType,
  type UnboundDatabase,
} from '../src/index.ts';
import { actorNamed, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

describe('event types', () => {
  let database: TestDatabase;
  let db: UnboundDatabase;
  let deps: ConfigureDeps;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = database.db;
    deps = { db, newId: createUuidV7Source(), actor: actorNamed('ada') };
  });
  afterAll(() => database.drop());

  const auditOf = (environmentId: string) =>
    db.auditEntry.findMany({ where: { environmentId, resourceType: 'event_type' }, orderBy: { id: 'asc' } });

  it('are created and changed, with an audit entry each', async () => {
    const { environmentId } = await createFixture(db);
    const key = { environmentId, eventKey: 'order.shipped' };
    expect(await readEventType(db, key)).toBeNull();
    await putEventType(deps, { ...key, description: 'Sent', payloadSchema: { required: ['order_id'] } });
    await putEventType(deps, { ...key, description: null, payloadSchema: null });
    expect(await readEventType(db, key)).toMatchObject({ description: null, payloadSchema: null });
    expect((await auditOf(environmentId)).map(({ before, after }) => [before, after])).toMatchObject([
      [null, { description: 'Sent', payload_schema: { required: ['order_id'] } }],
      [{ description: 'Sent' }, { description: null, payload_schema: null }],
    ]);
  });

  it('write nothing if nothing changes', async () => {
    const { environmentId } = await createFixture(db);
    const eventType = {
      environmentId,
      eventKey: 'order.shipped',
      description: 'Sent',
      payloadSchema: { required: ['b', 'a'], type: 'object' },
    };
    const first = await putEventType(deps, eventType);
    expect(await putEventType(deps, eventType)).toEqual(first);
    expect(await auditOf(environmentId)).toHaveLength(1);
  });

  it('are changed one after the other, and each entry follows from the one before', async () => {
    const { environmentId } = await createFixture(db);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        putEventType(deps, {
          environmentId,
          eventKey: 'order.shipped',
          description: `${index}`,
          payloadSchema: { title: `${index}` },
        }),
      ),
    );
    const entries = await auditOf(environmentId);
    const chain = new Map(
      entries.map(({ before, after }) => [JSON.stringify(before), JSON.stringify(after)]),
    );
    let state = 'null';
    for (const _ of entries) state = chain.get(state) ?? 'broken';
    const stored = await readEventType(db, { environmentId, eventKey: 'order.shipped' });
    expect(JSON.parse(state)).toEqual(stored && presentEventType(stored));
    expect(stored?.payloadSchema).toEqual({ title: stored?.description });
  });

  it('are not stored with an invalid schema or for an unknown environment', async () => {
    const { environmentId } = await createFixture(db);
    const eventType = {
      environmentId,
      eventKey: 'a.b',
      description: null,
      payloadSchema: { pattern: '(?=a)' },
    };
    expect(await orRefusal(() => putEventType(deps, eventType))).toMatchObject({
      refused: 'validation_failed',
      details: [{ path: '/payload_schema/pattern', code: 'invalid_schema' }],
    });
    expect(await readEventType(db, eventType)).toBeNull();
    const nowhere = { ...eventType, environmentId: deps.newId(), payloadSchema: null };
    expect(await orRefusal(() => putEventType(deps, nowhere))).toEqual({ refused: 'environment_not_found' });
  });

  it('have schemas of at most 2 MiB in total', async () => {
    const { environmentId } = await createFixture(db);
    const schemas = Array.from({ length: 33 }, (_, index) => ({
      environmentId,
      eventKey: `a.b${index}`,
      description: null,
      payloadSchema: { title: 'x'.repeat(65_000) },
    }));
    const refused = [];
    for (const eventType of schemas)
      refused.push('refused' in (await orRefusal(() => putEventType(deps, eventType))));
    expect(refused.indexOf(true)).toBe(32);
    const [first] = schemas;
    if (!first) throw new Error('there are schemas');
    const replaced = await putEventType(deps, { ...first, payloadSchema: { title: 'y'.repeat(65_000) } });
    expect(replaced.eventKey).toBe(first.eventKey);
    const keyed = { ...first, eventKey: 'a.keyed', payloadSchema: null };
    const searchKeys = Array.from({ length: 10 }, (_, index) => `/${index}${'x'.repeat(2_000)}`);
    const larger = orRefusal(() => putEventType(deps, { ...keyed, searchKeys }));
    expect(await larger).toMatchObject({ refused: 'conflict' });
    expect(await putEventType(deps, keyed)).toMatchObject({ eventKey: 'a.keyed' });
  });

  it('are listed by key in pages, without their schemas', async () => {
    const { environmentId } = await createFixture(db);
    for (const [index, eventKey] of ['b.a', 'a_.b', 'a-.b', 'a.b'].entries()) {
      const payloadSchema = index === 0 ? { type: 'object' } : null;
      await putEventType(deps, { environmentId, eventKey, description: null, payloadSchema });
    }
    const first = await listEventTypes(db, { environmentId, after: null, limit: 3 });
    expect(first.rows.map(({ eventKey }) => eventKey)).toEqual(['a-.b', 'a.b', 'a_.b']);
    const rest = await listEventTypes(db, { environmentId, after: first.nextAfter, limit: 3 });
    expect(rest.rows).toMatchObject([{ eventKey: 'b.a', hasPayloadSchema: true }]);
    expect(rest.nextAfter).toBeNull();
  });
});
