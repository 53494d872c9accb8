import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { readKeyStates } from '../../src/accept/idempotency.ts';
import { GRANTS } from '../../src/grants.ts';
import {
  acrossEnvironments,
  claimRuns,
  createFinish,
  createIngestBatch,
  type Database,
  findWaitingRuns,
  inEnvironment,
  listMessages,
  openDatabase,
  readDeliveries,
  readInEnvironments,
  readMessage,
  refuseRuns,
  withinEnvironment,
} from '../../src/index.ts';
import { defineStatement } from '../../src/statement.ts';
import {
  createFixture,
  createTestDatabase,
  type Fixture,
  SUCCEEDED,
  type TestDatabase,
  testEvent,
} from '../../src/testing/index.ts';
import { changeInEnvironments } from '../../src/transactions/transaction.ts';
import { acceptOne } from './support.ts';

const WEBHOOK = { kind: 'webhook', name: 'Shop', config: { url: 'https://shop.example.com/in' } } as const;
const newId = createUuidV7Source();

let database: TestDatabase;
let api: Database;
let worker: Database;
let ours: Fixture;
let theirs: Fixture;
let message: { messageId: string; runId: string };

beforeAll(async () => {
  database = await createTestDatabase();
  api = openDatabase(database.urlFor('postrider_api'), { poolSize: 2 });
  worker = openDatabase(database.urlFor('postrider_worker'), { poolSize: 2 });
  ours = await createFixture(database.db, { channels: [WEBHOOK] });
  theirs = await createFixture(database.db, { channels: [WEBHOOK] });
  message = await acceptOne(api, ours);
});
afterAll(async () => {
  await api.$disconnect();
  await worker.$disconnect();
  await database.drop();
});

/** Every table that has rows of environments, as the schema says it: with such a column, or with rows of runs. */
async function environmentTables(): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT columns.table_name AS name
      FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name NOT IN ('retention_turn', 'worker_presence')
       AND (column_name IN ('environment_id', 'run_id') OR table_name = 'environments')
     ORDER BY 1`;
  return rows.map(({ name }) => name);
}

describe('row-level security', () => {
  it('is enabled for every table with rows of environments', async () => {
    const rows = await database.db.$queryRaw<{ name: string }[]>`
      SELECT relname AS name FROM pg_class
       WHERE relrowsecurity AND relnamespace = current_schema()::regnamespace ORDER BY 1`;
    expect(rows.map(({ name }) => name)).toEqual(await environmentTables());
  });

  it('shows no row to a statement without an environment', async () => {
    for (const [db, role] of [
      [api, 'postrider_api'],
      [worker, 'postrider_worker'],
    ] as const) {
      for (const table of [...(await environmentTables()), 'message_recipients']) {
        if (!GRANTS[role][table]) continue;
        const rows = await db.$queryRawUnsafe<unknown[]>(`SELECT 1 FROM "${table}"`);
        expect({ role, table, rows: rows.length }).toEqual({ role, table, rows: 0 });
      }
    }
    expect(await api.message.findMany()).toEqual([]);
  });

  it('only shows an environment its own rows', async () => {
    const place = { environmentId: ours.environmentId, messageId: message.messageId };
    const read = (environmentId: string) =>
      readInEnvironments(api, [environmentId], async (tx) => [
        (await readMessage(tx, place))?.id ?? null,
        (await readDeliveries(tx, place))?.rows.length ?? null,
        (await listMessages(tx, { environmentId: ours.environmentId, filter: {}, after: null, limit: 10 }))
          .rows.length,
        (await tx.$queryRaw<unknown[]>`SELECT FROM message_recipients`).length,
      ]);
    expect(await read(ours.environmentId)).toEqual([message.messageId, 1, 1, 1]);
    expect(await read(theirs.environmentId)).toEqual([null, null, 0, 0]);
  });

  it('ends with the transaction, on the same connection', async () => {
    const one = openDatabase(database.urlFor('postrider_api'), { poolSize: 1 });
    try {
      const count = (db: Pick<Database, 'message'>) => db.message.count();
      expect(await readInEnvironments(one, [ours.environmentId], count)).toBe(1);
      expect(await count(one)).toBe(0);
      expect(await count(acrossEnvironments(one))).toBe(1);
      expect(await count(one)).toBe(0);
    } finally {
      await one.$disconnect();
    }
  });

  it('shows an environment its rows on a connection from before the policies', async () => {
    const fresh = await createTestDatabase();
    const setPolicies = async (action: 'ENABLE' | 'DISABLE') => {
      for (const table of await environmentTables()) {
        await fresh.db.$executeRawUnsafe(`ALTER TABLE "${table}" ${action} ROW LEVEL SECURITY`);
      }
    };
    const one = openDatabase(fresh.urlFor('postrider_api'), { poolSize: 1 });
    try {
      const { environmentId } = await createFixture(fresh.db, { channels: [WEBHOOK] });
      const count = () => readInEnvironments(one, [environmentId], (tx) => tx.channel.count());
      const countAcross = () => acrossEnvironments(one).channel.count();
      await setPolicies('DISABLE');
      expect([await count(), await countAcross()]).toEqual([1, 1]);
      await setPolicies('ENABLE');
      expect([await count(), await countAcross()]).toEqual([1, 1]);
      expect(await one.channel.count()).toBe(0);
    } finally {
      await one.$disconnect();
      await fresh.drop();
    }
  });

  it('refuses a row that is written for another environment', async () => {
    const insert = changeInEnvironments(api, [ours.environmentId], (tx) =>
      tx.eventType.create({ data: { environmentId: theirs.environmentId, eventKey: 'order.paid' } }),
    );
    await expect(insert).rejects.toThrow('row-level security');
    const steal = changeInEnvironments(api, [ours.environmentId], (tx) =>
      tx.channel.updateMany({ where: { environmentId: theirs.environmentId }, data: { name: 'Stolen' } }),
    );
    expect(await steal).toEqual({ count: 0 });
  });

  it('keeps a claim and its result within the environments of the batch', async () => {
    const { runId } = message;
    const [waiting] = await findWaitingRuns(acrossEnvironments(worker), [runId]);
    const channelId = waiting?.channelId ?? '';
    const claimFor = async (environmentId: string) => {
      const ask = { channelId, environmentId, slots: 1, renders: 0, attemptIds: [newId()], since: null };
      return (await claimRuns(worker, [ask], { addressHashKey: null }))[0];
    };
    expect(await claimFor(theirs.environmentId)).toBeNull();
    const [run] = (await claimFor(ours.environmentId))?.runs ?? [];
    if (run?.runId !== runId) throw new Error('the run was not claimed');
    const finish = createFinish(worker);
    const finishFor = (environmentId: string) =>
      finish({ run: { ...run, environmentId }, outcome: SUCCEEDED });
    expect(await finishFor(theirs.environmentId)).toBe('stale');
    expect(await finishFor(ours.environmentId)).toBe('finished');
  });

  it('keeps a refusal within the environment that it is for, also in a batch with the run’s own', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    const { runId } = await acceptOne(api, fixture);
    await database.db.message.updateMany({ where: { environmentId }, data: { expiresAt: new Date(0) } });
    const asTheirs = { runId, environmentId: theirs.environmentId, attemptId: newId() };
    const asOwn = { runId, environmentId, attemptId: newId() };
    const refuse = (...runs: (typeof asOwn)[]) => refuseRuns(worker, runs, { addressHashKey: null });
    expect(await refuse(asTheirs)).toBe(0);
    expect(await refuse(asTheirs, { ...asOwn, runId: newId() })).toBe(0);
    expect(await refuse(asOwn)).toBe(1);
  });

  it('allows a batch of several environments', async () => {
    const events = await Promise.all([acceptOne(api, ours), acceptOne(api, theirs)]);
    const runs = await findWaitingRuns(
      acrossEnvironments(worker),
      events.map(({ runId }) => runId),
    );
    const asks = [ours, theirs].map(({ environmentId }, index) => {
      const channelId = runs.find(({ runId }) => runId === events[index]?.runId)?.channelId ?? '';
      return {
        channelId,
        environmentId,
        slots: 9,
        renders: 0,
        attemptIds: Array.from({ length: 9 }, newId),
        since: null,
      };
    });
    const answers = await claimRuns(worker, asks, { addressHashKey: null });
    expect(
      answers.map((answer, index) => answer?.runs.some(({ runId }) => runId === events[index]?.runId)),
    ).toEqual([true, true]);
  });

  it('lets an atomic batch store its events, and see the keys that are taken', async () => {
    const events = [testEvent(ours, { runs: [] }), testEvent(ours, { runs: [] })];
    const { outcome } = await createIngestBatch(api)({ events, atomic: true });
    expect(outcome).toBe('decided');
    const ofOthers = new Error('the lock of another row');
    const responses = [...events, testEvent(ours, { runs: [] })].map(({ response }) => response);
    expect(await readKeyStates(api, responses, ofOthers)).toEqual(['taken', 'taken', 'free']);
  });

  it('only lets the owner change the schema, and limits what each role reads', async () => {
    for (const db of [api, worker]) {
      await expect(db.$executeRaw`CREATE TABLE mine (id int)`).rejects.toThrow('permission denied');
      await expect(db.$executeRaw`ALTER TABLE messages DISABLE ROW LEVEL SECURITY`).rejects.toThrow(
        'must be owner',
      );
    }
    await expect(worker.$queryRaw`SELECT hash FROM tokens`).rejects.toThrow('permission denied');
    await expect(worker.$executeRaw`UPDATE plans SET name = 'x'`).rejects.toThrow('permission denied');
    await expect(worker.$executeRaw`UPDATE channels SET sealed_secret = ''`).rejects.toThrow(
      'permission denied',
    );
    await expect(api.$executeRaw`DELETE FROM messages`).rejects.toThrow('permission denied');
  });
});

describe('a client within an environment', () => {
  const idsOf = async (rows: Promise<readonly { readonly id: string }[]>) => (await rows).map(({ id }) => id);
  const channelsIn = defineStatement<readonly string[], { id: string }>({
    text: 'SELECT id FROM channels',
    environments: (environmentIds) => environmentIds,
  });
  const channelsOf = ({ channels }: Fixture) => channels.map(({ id }) => id);

  it('only sees rows of the current environment, with requests for others at the same time', async () => {
    const db = withinEnvironment(api);
    const find = () => idsOf(db.channel.findMany());
    const both = Array.from({ length: 20 }, (_, index) => (index % 2 ? ours : theirs));
    const found = await Promise.all(both.map((of) => inEnvironment(of.environmentId, find)));
    expect(found).toEqual(both.map(channelsOf));
    expect(await find()).toEqual([]);
  });

  it('stays within it in transactions, and whatever environments a statement names', async () => {
    const db = withinEnvironment(api);
    await inEnvironment(ours.environmentId, async () => {
      const named = [theirs.environmentId, ours.environmentId];
      const find = (tx: Pick<Database, 'channel'>) => idsOf(tx.channel.findMany());
      expect(await changeInEnvironments(db, named, find)).toEqual(channelsOf(ours));
      expect(await readInEnvironments(db, named, find)).toEqual(channelsOf(ours));
      expect(await db.$transaction(find)).toEqual(channelsOf(ours));
      expect(await find(acrossEnvironments(db))).toEqual(channelsOf(ours));
      expect(await idsOf(channelsIn(db, named))).toEqual(channelsOf(ours));
      const steal = db.channel.updateMany({ where: { id: { in: channelsOf(theirs) } }, data: { name: 'x' } });
      expect(await steal).toEqual({ count: 0 });
      const insert = db.eventType.create({
        data: { environmentId: theirs.environmentId, eventKey: 'order.paid' },
      });
      await expect(insert).rejects.toThrow('row-level security');
    });
  });

  it('leaves the other clients of the pool their scopes', async () => {
    const one = openDatabase(database.urlFor('postrider_api'), { poolSize: 1 });
    try {
      const counts = () =>
        Promise.all([withinEnvironment(one), one, acrossEnvironments(one)].map((db) => db.channel.count()));
      const all = await database.db.channel.count();
      for (let round = 0; round < 2; round += 1)
        expect(await inEnvironment(ours.environmentId, counts)).toEqual([1, 0, all]);
    } finally {
      await one.$disconnect();
    }
  });
});

describe('the rights of the processes', () => {
  it('are defined for every table and view of the schema', async () => {
    const rows = await database.db.$queryRaw<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name COLLATE "C"`;
    const named = new Set(Object.values(GRANTS).flatMap((grants) => Object.keys(grants)));
    expect(rows.map(({ name }) => name)).toEqual([...named].sort());
  });
});
