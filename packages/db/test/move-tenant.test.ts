import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { createIngest } from '../src/index.ts';
import {
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  type Fixture,
  failedWith,
  SUCCEEDED,
  type TestDatabase,
} from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, WEBHOOK } from './support.ts';

let source: TestDatabase;
let target: TestDatabase;
beforeEach(async () => {
  [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterEach(() => Promise.all([source.drop(), target.drop()]));

/** The tables that docs/scaling.md says to copy, in its order. */
async function tablesToCopy(): Promise<string[]> {
  const page = await readFile(new URL('../../../docs/scaling.md', import.meta.url), 'utf8');
  const [step = ''] = /in this order[\s\S]*?Leave out/.exec(page) ?? [];
  return [...step.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
}

/** Not a tenant's, or short-lived: people sign in again, and the place of the removal is the database's own. */
const LEFT_OUT = ['console_sessions', 'environment_attention', 'portal_links', 'retention_turn'];

async function columnsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  return rows.map(({ column_name: name }) => name);
}

/** Which rows of a table are the tenant's, `$1`. */
function conditionFor(table: string, columns: readonly string[]): string {
  const environments = '(SELECT id FROM environments WHERE tenant_id = $1)';
  if (table === 'tenants') return 'id = $1';
  const parts = [
    ...(columns.includes('tenant_id') ? ['tenant_id = $1'] : []),
    ...(columns.includes('environment_id') ? [`environment_id IN ${environments}`] : []),
    ...(columns.includes('run_id')
      ? [`run_id IN (SELECT id FROM delivery_runs WHERE environment_id IN ${environments})`]
      : []),
  ];
  return parts.join(' OR ');
}

/** The tenant's rows of a table as one JSON text, in the order of its first columns. */
async function rowsOf(client: Client, table: string, tenantId: string): Promise<string> {
  const columns = await columnsOf(client, table);
  const { rows } = await client.query(
    `SELECT COALESCE(json_agg(part), '[]')::text AS rows FROM (
       SELECT ${columns.join(', ')} FROM ${table} WHERE ${conditionFor(table, columns)} ORDER BY 1, 2) AS part`,
    [tenantId],
  );
  return rows[0].rows;
}

async function insertRows(client: Client, table: string, rows: string): Promise<void> {
  const columns = (await columnsOf(client, table)).join(', ');
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [rows],
  );
}

async function connect({ url }: TestDatabase): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Delivers a run of the source with this outcome. */
async function attempt(runId: string, succeeded: boolean): Promise<void> {
  await createOwnerClaim(source.db)({ runId, attemptId: randomUUID() });
  const outcome = succeeded
    ? SUCCEEDED
    : failedWith('webhook_http_error', { status: 'retrying', delayMs: 60_000 });
  const run = { runId, attemptNumber: 1, fence: 1 };
  expect(await createOwnerFinish(source.db)(run, outcome)).toBe('finished');
}

/** The steps "Lock" and "Copy" of docs/scaling.md, up to both commits; `whileLocked` runs before the first. */
async function move({ tenantId, planCode }: Fixture, whileLocked: () => Promise<void>): Promise<void> {
  const [from, to] = await Promise.all([connect(source), connect(target)]);
  const ofTenant = 'environment_id IN (SELECT id FROM environments WHERE tenant_id = $1)';
  try {
    const { rows } = await from.query('SELECT json_agg(plans)::text AS plans FROM plans WHERE code = $1', [
      planCode,
    ]);
    await insertRows(to, 'plans', rows[0].plans);
    await from.query('BEGIN');
    await from.query(`SELECT FROM delivery_runs WHERE completed_at IS NULL AND ${ofTenant} FOR UPDATE`, [
      tenantId,
    ]);
    await whileLocked();
    await to.query('BEGIN');
    const tables = await tablesToCopy();
    for (const table of tables) {
      if (table === 'delivery_usage_deltas')
        await to.query(`DELETE FROM ${table} WHERE ${ofTenant}`, [tenantId]);
      await insertRows(to, table, await rowsOf(from, table, tenantId));
    }
    await to.query('COMMIT');
    for (const table of tables) {
      expect(`${table} ${await rowsOf(to, table, tenantId)}`).toBe(
        `${table} ${await rowsOf(from, table, tenantId)}`,
      );
    }
    await from.query(`DELETE FROM delivery_runs WHERE completed_at IS NULL AND ${ofTenant}`, [tenantId]);
    await from.query(`UPDATE tokens SET revoked_at = now() WHERE ${ofTenant}`, [tenantId]);
    await from.query('COMMIT');
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

it('a tenant that is copied in the order of docs/scaling.md loses no row and is delivered by one cell', async () => {
  const fixture = await createFixture(source.db, { channels: [WEBHOOK], plan: { eventsPerMonth: 4 } });
  const ingest = createIngest(source.db);
  const [delivered, failed, waiting] = [eventFor(fixture), eventFor(fixture), eventFor(fixture)];
  await attempt(onlyRun(await ingest(delivered)), true);
  await attempt(onlyRun(await ingest(failed)), false);
  const runId = onlyRun(await ingest(waiting));
  const claimAt = ({ db }: TestDatabase) => createOwnerClaim(db)({ runId, attemptId: randomUUID() });

  await move(fixture, async () => {
    expect(await claimAt(source)).toMatchObject({ outcome: 'not_claimable' });
  });

  expect(await claimAt(source)).toMatchObject({ outcome: 'not_claimable' });
  expect(await claimAt(target)).toMatchObject({ outcome: 'claimed' });
  const ingestThere = createIngest(target.db);
  const again = eventFor(fixture, { key: delivered.response.key });
  expect(await ingestThere(again)).toMatchObject({ outcome: 'duplicate' });
  expect(accepted(await ingestThere(eventFor(fixture))).eventsUsed).toBe(4);
  expect(await ingestThere(eventFor(fixture))).toMatchObject({ outcome: 'quota_exceeded' });
});

it('docs/scaling.md names every table that has rows of a tenant', async () => {
  const client = await connect(source);
  try {
    const { rows } = await client.query(`
      SELECT DISTINCT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('tenant_id', 'environment_id', 'run_id', 'message_id')`);
    const names = rows.map(({ table_name: name }) => name);
    expect([...(await tablesToCopy()), ...LEFT_OUT].sort()).toEqual(['tenants', ...names].sort());
  } finally {
    await client.end();
  }
});
