import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { listAuditEntries } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';

const ENTRIES = 300_000;
const LIMIT = 50;

let database: TestDatabase;
let explainer: Explainer;
let tenantId: string;

/** 300,000 entries that all four filters find, or half of them. */
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  ({ tenantId } = await createFixture(database.db, { channels: [] }));
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET session_replication_role = 'replica'");
  await client.query(`
    INSERT INTO audit_log (id, tenant_id, actor, action, resource_type, resource_id, created_at)
    SELECT gen_random_uuid(), '${tenantId}', 'admin', CASE n % 2 WHEN 0 THEN 'channel.updated' ELSE 'plan.created' END,
           CASE n % 2 WHEN 0 THEN 'channel' ELSE 'plan' END, 'resource-' || n, now() FROM generate_series(1, ${ENTRIES}) AS n`);
  await client.query('VACUUM (ANALYZE) audit_log');
  await client.end();
  explainer = await openExplainer(database.url);
}, 120_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

it.each(['tenantId', 'actor', 'action', 'resourceType'] as const)(
  'a page of the audit log by %s reads the entries of the page',
  async (field) => {
    const filter = {
      [field]: { tenantId, actor: 'admin', action: 'channel.updated', resourceType: 'channel' }[field],
    };
    const [search] = await statementsOf(database.db, () =>
      listAuditEntries(database.db, { filter: filter as object, after: null, limit: LIMIT }),
    );
    expect(search && (await explainer.rowsRead(search))).toBeLessThan(3 * LIMIT);
  },
);
