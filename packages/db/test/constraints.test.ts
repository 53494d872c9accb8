import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { createIngest } from '../src/index.ts';
import { sessionConfig } from '../src/session-settings.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
let fixture: Fixture;
let other: Fixture;
let messageId: string;
let runId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  other = await createFixture(database.db, { channels: [WEBHOOK] });
  const outcome = await createIngest(database.db)(eventFor(fixture));
  messageId = accepted(outcome).messageId;
  runId = onlyRun(outcome);
});
afterAll(() => database.drop());

const newId = createUuidV7Source();

function runRow(changes: object) {
  return {
    id: newId(),
    environmentId: fixture.environmentId,
    messageId,
    channelId: fixture.channels[0]?.id ?? '',
    channelKind: 'webhook',
    replay: 1,
    status: 'queued',
    maxAttempts: 1,
    dueAt: new Date(),
    createdAt: new Date(),
    ...changes,
  };
}

describe('the database refuses', () => {
  it.each([
    ['a run status that does not exist', { status: 'sending' }],
    ['a running run without a lease', { status: 'running' }],
    ['a lease on a run that is not running', { leaseUntil: new Date() }],
    ['a terminal run without its time of completion', { status: 'failed' }],
    ['a time of completion on a run that is not terminal', { completedAt: new Date() }],
    ['a scheduled run without its time', { status: 'scheduled' }],
    ['a second run of one message, channel and trigger', { replay: 0 }],
  ])('%s', async (_, changes) => {
    await expect(database.db.deliveryRun.create({ data: runRow(changes) })).rejects.toThrow(
      /constraint|Unique/i,
    );
  });

  it('a run that refers to rows of two environments', async () => {
    for (const changes of [
      { channelId: other.channels[0]?.id ?? '' },
      { environmentId: other.environmentId },
    ]) {
      await expect(database.db.deliveryRun.create({ data: runRow(changes) })).rejects.toThrow(/Foreign key/i);
    }
  });

  it('a second attempt with the same number, and a failure without a code', async () => {
    const attempt = { runId, number: 1, id: newId(), fence: 1, startedAt: new Date() };
    await database.db.attempt.create({ data: { ...attempt, status: 'running' } });
    await expect(database.db.attempt.create({ data: { ...attempt, status: 'running' } })).rejects.toThrow(
      /Unique/,
    );
    await expect(
      database.db.attempt.create({
        data: { ...attempt, number: 2, status: 'failed', completedAt: new Date() },
      }),
    ).rejects.toThrow(/constraint/);
  });

  it('two active templates for one event key and channel kind', async () => {
    const template = {
      environmentId: fixture.environmentId,
      eventKey: 'order.shipped',
      channelKind: 'email',
      subject: 's',
      text: 't',
      active: true,
    };
    await database.db.templateVersion.create({ data: { ...template, id: newId(), version: 1 } });
    await expect(
      database.db.templateVersion.create({ data: { ...template, id: newId(), version: 2 } }),
    ).rejects.toThrow(/Unique/);
  });

  it.each([1500.5, '15 s', 0, -1])('a channel whose time limit is %p', async (timeout_ms) => {
    const id = fixture.channels[0]?.id ?? '';
    const config = { url: 'http://127.0.0.1:9/', timeout_ms };
    await expect(database.db.channel.update({ where: { id }, data: { config } })).rejects.toThrow(
      /constraint/,
    );
  });

  it('a stored response that is not a success', async () => {
    await expect(
      database.db.idempotencyRecord.create({
        data: {
          environmentId: fixture.environmentId,
          operation: 'events.create',
          key: newId(),
          fingerprint: new Uint8Array(32),
          responseStatus: 422,
          responseBody: new Uint8Array(),
          createdAt: new Date(),
          expiresAt: new Date(),
        },
      }),
    ).rejects.toThrow(/constraint/);
  });
});

describe('the unique indexes', () => {
  // ON CONFLICT with the columns of one index does not cover another one, where a concurrent insert then fails.
  it('repeat the columns of another one only where foreign keys need it', async () => {
    const rows = await database.db.$queryRaw<{ name: string }[]>`
      SELECT wide.indexrelid::regclass::text AS name
        FROM pg_index wide
        JOIN pg_index narrow ON narrow.indrelid = wide.indrelid AND narrow.indexrelid <> wide.indexrelid
         AND narrow.indisunique AND narrow.indpred IS NULL
         AND string_to_array(narrow.indkey::text, ' ') <@ string_to_array(wide.indkey::text, ' ')
       WHERE wide.indisunique AND wide.indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
         AND NOT EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conindid = wide.indexrelid)`;
    expect(rows).toEqual([]);
  });
});

describe('the foreign keys of an empty database', () => {
  it('look up parents by the index that they reference', async () => {
    const empty = await createTestDatabase();
    const client = new Client({ connectionString: sessionConfig(empty.url).connectionString });
    await client.connect();
    try {
      await client.query('SET plan_cache_mode = force_generic_plan');
      const { rows: keys } = await client.query<{
        name: string;
        parent: string;
        index: string;
        columns: string[];
      }>(`
        SELECT conname AS name, confrelid::regclass::text AS parent, conindid::regclass::text AS index,
               ARRAY(SELECT attname::text FROM unnest(confkey) WITH ORDINALITY AS key (number, place)
                       JOIN pg_attribute ON attrelid = confrelid AND attnum = number ORDER BY place) AS columns
          FROM pg_constraint WHERE contype = 'f'`);
      const planned: typeof keys = [];
      for (const key of keys) {
        const condition = key.columns.map((column, index) => `"${column}" = $${index + 1}`).join(' AND ');
        // The statement of PostgreSQL's own trigger (ri_triggers.c), whose plan cannot be read.
        const lookUp = `SELECT 1 FROM ONLY ${key.parent} x WHERE ${condition} FOR KEY SHARE OF x`;
        await client.query(`PREPARE "${key.name}" AS ${lookUp}`);
        const nulls = key.columns.map(() => 'NULL').join(', ');
        const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE "${key.name}" (${nulls})`);
        planned.push({ ...key, index: rows[0]['QUERY PLAN'][0].Plan.Plans[0]['Index Name'] });
      }
      expect(keys.map(({ name }) => name)).toContain('delivery_runs_environment_id_message_id_fkey');
      expect(planned).toEqual(keys);
    } finally {
      await client.end();
      await empty.drop();
    }
  });
});
