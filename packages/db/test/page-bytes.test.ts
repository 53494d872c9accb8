import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { listAuditEntries, listChannels, putEventType } from '../src/index.ts';
import { MAX_PAGE_BYTES } from '../src/pages.ts';
import { actorNamed, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a page of the audit log', () => {
  it('ends before it exceeds its size, and shows each entry once', async () => {
    const { environmentId } = await createFixture(database.db);
    const deps = {
      db: database.db,
      newId: createUuidV7Source(),
      actor: actorNamed('ada'),
    };
    for (let version = 0; version < 24; version += 1) {
      const payloadSchema = { type: 'object', title: `${version} ${'x'.repeat(60_000)}` };
      await putEventType(deps, { environmentId, eventKey: 'a.b', description: null, payloadSchema });
    }
    const filter = { environmentId, action: 'event_type.put' };
    const sizes: number[] = [];
    const titles: unknown[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listAuditEntries>> = await listAuditEntries(database.db, {
        filter,
        after,
        limit: 100,
      });
      sizes.push(JSON.stringify(page.rows).length);
      titles.push(...page.rows.map((row) => parseInt(String(schemaOf(row.after).title), 10)));
      after = page.nextAfter;
    } while (after !== null);
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    expect(titles).toEqual(Array.from({ length: 24 }, (_, index) => 23 - index));
  });
});

describe('a page of channels', () => {
  it('ends before it exceeds its size, and shows each channel once', async () => {
    const channels = Array.from({ length: 24 }, (_, place) => ({ ...WEBHOOK, name: `hook ${place}` }));
    const { environmentId } = await createFixture(database.db, { channels });
    await database.db.$executeRaw`
      UPDATE channels SET config = config || jsonb_build_object('large', repeat('x', 200000))
       WHERE environment_id = ${environmentId}::uuid`;
    const sizes: number[] = [];
    const names: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listChannels>> = await listChannels(database.db, {
        environmentId,
        after,
        limit: 100,
      });
      sizes.push(JSON.stringify(page.rows.map(({ config }) => config)).length);
      names.push(...page.rows.map(({ name }) => name));
      after = page.nextAfter;
    } while (after !== null);
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    expect(names.sort()).toEqual(channels.map(({ name }) => name).sort());
  });
});

const schemaOf = (entry: unknown) => (entry as { payload_schema: Record<string, unknown> }).payload_schema;
