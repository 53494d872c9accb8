import { randomUUID } from 'node:crypto';
import {
  CONNECT_QUERY_SETTINGS,
  findSessionWarning,
  measureConfiguration,
  openDatabase,
  readInEnvironments,
} from '@postrider/db';
import { createFixture, createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import { startReceiver, status, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describeWith, expect, it } from '@postrider/testing';
import { findPgBouncer, startPgBouncer, startTestService } from '../src/testing/index.ts';

const found = await findPgBouncer();
/** Clean-up steps, run in reverse order. */
const closing: (() => Promise<unknown>)[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await database.drop();
});

async function startBouncer(
  settings: readonly string[],
  poolSize?: number,
  databaseUrl = database.url,
): Promise<string> {
  if (!found.ok) throw new Error(found.reason);
  const bouncer = await startPgBouncer(found.value, {
    databaseUrl,
    settings,
    ...(poolSize === undefined ? {} : { poolSize }),
  });
  closing.push(bouncer.stop);
  return bouncer.url;
}

function open(url: string) {
  const db = openDatabase(url, { poolSize: 4 });
  closing.push(() => db.$disconnect());
  return db;
}

/** Without PgBouncer, packages/db/test/pooled-connections.test.ts still checks what the service sends. */
describeWith(found, 'through PgBouncer in transaction mode', () => {
  it('every statement runs on any server connection', async () => {
    const db = open(`${await startBouncer(CONNECT_QUERY_SETTINGS, 2)}?pgbouncer=true`);
    const ask = async (number: number) => {
      const [row] = await db.$queryRaw<
        { number: number }[]
      >`SELECT ${number}::int AS number, pg_sleep(0.002)::text`;
      return row?.number;
    };
    const numbers = Array.from({ length: 200 }, (_value, index) => index);
    expect(await Promise.all(numbers.map(ask))).toEqual(numbers);
  });

  it('the settings apply if connect_query sets the limits', async () => {
    const url = await startBouncer(CONNECT_QUERY_SETTINGS, 1);
    expect(await findSessionWarning(open(`${url}?pgbouncer=true`))).toBeNull();
  });

  it('the settings that do not apply are reported', async () => {
    const db = open(`${await startBouncer([])}?pgbouncer=true`);
    const isDefault = (setting: string) => setting.startsWith('default_transaction_isolation');
    const missing = CONNECT_QUERY_SETTINGS.filter((setting) => !isDefault(setting));
    expect(await findSessionWarning(db)).toContain(missing.join(', '));
  });

  it('row-level security applies to each statement on a shared server connection', async () => {
    const channels = [
      { kind: 'webhook', name: 'Shop', config: { url: 'https://shop.example.com/in' } },
    ] as const;
    const fixtures = await Promise.all([1, 2].map(() => createFixture(database.db, { channels })));
    const url = await startBouncer(CONNECT_QUERY_SETTINGS, 1, database.urlFor('postrider_api'));
    const db = open(`${url}?pgbouncer=true`);
    const idsOf = (environmentIds: readonly string[]) =>
      readInEnvironments(db, environmentIds, async (tx) =>
        (await tx.environment.findMany()).map(({ id }) => id),
      );
    const rounds = Array.from({ length: 20 }, async (_value, index) => {
      const { environmentId = '' } = fixtures[index % 2] ?? {};
      expect(await idsOf([environmentId])).toEqual([environmentId]);
      expect(await measureConfiguration(db, environmentId)).toBeGreaterThan(0);
      expect(await db.environment.count()).toBe(0);
    });
    await Promise.all(rounds);
  });

  it('a URL that does not declare it is distinguished from an outage', async () => {
    const db = open(await startBouncer(CONNECT_QUERY_SETTINGS));
    expect(await findSessionWarning(db)).toContain('add pgbouncer=true');
  });

  it('the service accepts and delivers, and gets notifications by the direct URL', async () => {
    const url = await startBouncer(CONNECT_QUERY_SETTINGS, 8);
    const key = Buffer.alloc(32, 7);
    const service = await startTestService({
      databaseUrl: `${url}?pgbouncer=true`,
      worker: true,
      env: { DATABASE_DIRECT_URL: database.url, ENCRYPTION_KEYS: `test:${key.toString('base64')}` },
    });
    closing.push(service.stop);
    const receiver = await startReceiver();
    closing.push(receiver.close);
    const hook = receiver.endpoint('/hook', status(200));
    const fixture = await createFixture(
      database.db,
      {
        channels: [{ kind: 'webhook', name: 'hook', config: { url: hook, timeout_ms: 5_000 } }],
      },
      createSecretBox([{ id: 'test', key }]),
    );
    const response = await fetch(`${service.url}/api/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ event_key: 'order.shipped', recipient: {}, payload: {} }),
    });
    expect(response.status).toBe(201);
    await waitFor('the delivery', () => receiver.received('/hook').length > 0);
    const [listeners] = await database.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN %'`;
    expect(listeners?.count).toBe(1);
  });
});
