import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createIngest, listAuditEntries, putEventType, readDeliveries } from '../src/index.ts';
import { MAX_PAGE_BYTES } from '../src/read/page-bytes.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, WEBHOOK } from './support.ts';

const EXCERPT_BYTES = 16_384;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a page of the audit log', () => {
  it('ends where its entries get larger than a page may be, and gives each once', async () => {
    const { environmentId } = await createFixture(database.db);
    const deps = {
      db: database.db,
      newId: createUuidV7Source(),
      actor: { name: 'ada', requestId: null, traceId: null },
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

const schemaOf = (entry: unknown) => (entry as { payload_schema: Record<string, unknown> }).payload_schema;

describe('the deliveries of a message', () => {
  it('have the excerpts of their newest attempts, as many as a page may hold', async () => {
    const fixture = await createFixture(database.db, {
      channels: Array.from({ length: 10 }, (_, index) => ({ ...WEBHOOK, name: `hook ${index}` })),
    });
    const { messageId } = accepted(await createIngest(database.db)(eventFor(fixture)));
    await database.db.$executeRaw`
      INSERT INTO attempts (run_id, number, id, fence, status, error_code, started_at, completed_at, duration_ms,
                            response_status, response_excerpt)
      SELECT run.id, number, gen_random_uuid(), number, 'failed', 'webhook_http_error', now() + number * interval '1 s',
             now() + number * interval '1 s', 1, 500, repeat('x', ${EXCERPT_BYTES}::int)
        FROM delivery_runs run, generate_series(1, 20) AS number
       WHERE run.message_id = ${messageId}::uuid`;
    const runs = await readDeliveries(database.db, { environmentId: fixture.environmentId, messageId });
    const attempts = (runs ?? []).flatMap((run) => run.attempts);
    const withExcerpt = attempts.filter(({ response }) => response?.bodyExcerpt !== null);
    expect(attempts).toHaveLength(200);
    expect(attempts.filter(({ response }) => response?.statusCode === 500)).toHaveLength(200);
    expect(withExcerpt).toHaveLength(MAX_PAGE_BYTES / EXCERPT_BYTES);
    const oldestShown = Math.min(...withExcerpt.map(({ number }) => number));
    const newestLeftOut = Math.max(
      ...attempts.filter(({ response }) => response?.bodyExcerpt === null).map(({ number }) => number),
    );
    expect(oldestShown).toBeGreaterThanOrEqual(newestLeftOut);
  });
});
