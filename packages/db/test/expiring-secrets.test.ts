import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { Prisma } from '../src/client.ts';
import {
  EXPIRING_SECRETS,
  readExpiringSecrets,
  reportExpiringSecrets,
} from '../src/operational/expiring-secrets.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { nodesOf, type PlanNode, rowsRead } from './plan-nodes.ts';
import { WEBHOOK } from './support.ts';

const CHANNELS = 5_000;
const MAX_ROWS = 20;

let database: TestDatabase;
let fixture: Fixture;

/** One environment with 5,000 channels and 5,000 tokens; one of each ends soon. */
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createFixture(database.db, {
    channels: [
      { ...WEBHOOK, name: 'ending' },
      { ...WEBHOOK, kind: 'kafka', name: 'broker' },
    ],
  });
  const { environmentId } = fixture;
  await database.db.$executeRaw`
    INSERT INTO channels (id, environment_id, kind, name, config, retry)
    SELECT gen_random_uuid(), environment_id, kind, 'channel ' || n, config, retry
      FROM channels, generate_series(1, ${CHANNELS}::int) AS n WHERE name = 'ending'`;
  await database.db.$executeRaw`
    INSERT INTO tokens (id, environment_id, name, prefix, last_four, hash)
    SELECT gen_random_uuid(), ${environmentId}::uuid, 'token ' || n, 'pr_test', 'abcd', sha256(n::text::bytea)
      FROM generate_series(1, ${CHANNELS}::int) AS n`;
  await database.db.$executeRaw`
    UPDATE channels SET config = config || '{"tls": {"expires_at": "2020-01-01T00:00:00.000Z"}}' WHERE name = 'ending'`;
  await database.db.$executeRaw`
    UPDATE channels SET config = config || '{"tls": true, "certificate_expires_at": "2020-01-02T00:00:00.000Z"}'
     WHERE name = 'broker'`;
  await database.db.$executeRaw`
    UPDATE tokens SET expires_at = now() + interval '1 day' WHERE name = 'token 1'`;
  await database.db.$executeRaw`ANALYZE channels, tokens`;
}, 60_000);
afterAll(() => database.drop());

const scope = () => Prisma.sql`SELECT ${fixture.environmentId}::uuid AS id`;

it('finds the secrets that expire soon without reading others', async () => {
  expect(await readExpiringSecrets(database.db, [fixture.environmentId], 10)).toMatchObject([
    { type: 'client_certificate', name: 'ending', expiresAt: new Date('2020-01-01T00:00:00.000Z') },
    { type: 'client_certificate', name: 'broker', expiresAt: new Date('2020-01-02T00:00:00.000Z') },
    { type: 'token', name: 'token 1' },
  ]);
  const [row] = await database.db.$queryRaw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>`
    EXPLAIN (ANALYZE, FORMAT JSON) WITH scope AS MATERIALIZED (${scope()}) SELECT * FROM ${EXPIRING_SECRETS} AS expiring`;
  const reads = nodesOf(row?.['QUERY PLAN'][0].Plan as PlanNode).filter((node) => node['Relation Name']);
  expect(reads).not.toEqual([]);
  expect(rowsRead(reads)).toBeLessThanOrEqual(MAX_ROWS);
});

it('reports a certificate once, even if it is still used when its report is no longer kept', async () => {
  const { db } = database;
  const { environmentId } = await createFixture(db, {
    channels: [
      { ...WEBHOOK, name: 'used' },
      { ...WEBHOOK, name: 'operations', operational: true },
    ],
  });
  const endedFor = (days: number) => db.$executeRaw`
    UPDATE channels
       SET config = config || jsonb_build_object('tls', jsonb_build_object('expires_at', to_char(
             now() AT TIME ZONE 'UTC' - make_interval(days => ${days}::int), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
     WHERE environment_id = ${environmentId}::uuid AND name = 'used'`;
  await endedFor(1);
  expect([await reportExpiringSecrets(db), await reportExpiringSecrets(db)]).toEqual([1, 0]);
  await endedFor(27);
  await db.operationalEvent.deleteMany({ where: { environmentId } });
  expect(await reportExpiringSecrets(db)).toBe(0);
});
