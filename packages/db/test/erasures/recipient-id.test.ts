import { formatId } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  addSuppression,
  createErasure,
  createIngest,
  listSuppressions,
  readErasure,
} from '../../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  createTestKeys,
  type Fixture,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { openExplainer } from '../hot-plans/plans.ts';
import { statementsOf } from '../hot-plans/sent-statements.ts';
import { createBatch } from '../replay-batches/support.ts';
import { accepted, eventFor, WEBHOOK } from '../support.ts';
import { actor, newId, work } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const fixtureOf = () => createFixture(database.db, { channels: [WEBHOOK] });
const send = async (fixture: Fixture, recipient: Record<string, string | number>) =>
  accepted(await createIngest(database.db)(eventFor(fixture, { recipient }))).messageId;
const ask = ({ environmentId }: Fixture, recipientId: string) =>
  createErasure({ db: database.db, newId, actor }, { environmentId, recipientId });
const remaining = async ({ environmentId }: Fixture) =>
  (await database.db.message.findMany({ where: { environmentId, erasedAt: null } }))
    .map(({ id }) => id)
    .sort();

describe('the erasure of a recipient by id', () => {
  it('erases all messages with the id, whatever their address, and no other ones', async () => {
    const [fixture, elsewhere] = [await fixtureOf(), await fixtureOf()];
    const { environmentId } = fixture;
    await send(fixture, { id: 'u-1', email: 'ada@example.com' });
    await send(fixture, { id: 'u-1', email: 'Countess@example.com' });
    await send(fixture, { id: 'u-1' });
    const others = [
      await send(fixture, { id: 'U-1', email: 'ada@example.com' }),
      await send(fixture, { id: 'u-12' }),
      await send(fixture, { email: 'ada@example.com' }),
    ];
    await send(elsewhere, { id: 'u-1' });
    const erasure = await ask(fixture, 'u-1');
    expect(await work(database.db, erasure)).toEqual({ outcome: 'completed' });
    expect(await remaining(fixture)).toEqual(others);
    expect(await remaining(elsewhere)).toHaveLength(1);
    expect(await readErasure(database.db, erasure.id)).toMatchObject({
      messagesErased: 3,
      recipientId: null,
      recipientEmail: null,
    });
    const [audited] = await database.db.auditEntry.findMany({
      where: { environmentId, resourceId: formatId('era', erasure.id) },
    });
    expect(JSON.stringify(audited?.after)).toContain(erasure.recipientSha256);
    expect(JSON.stringify(audited?.after)).not.toContain('u-1');
  });

  it('finds a number by its text, and ids of any length can be accepted', async () => {
    const fixture = await fixtureOf();
    await send(fixture, { id: 1815 });
    const long = Array.from({ length: 300 }, newId).join();
    const id = await send(fixture, { id: long });
    expect(await work(database.db, await ask(fixture, '1815'))).toEqual({ outcome: 'completed' });
    expect(await remaining(fixture)).toEqual([id]);
  });

  it('removes the addresses of its messages from the suppression list and from bulk replays', async () => {
    const fixture = await fixtureOf();
    const { environmentId } = fixture;
    const email = 'Grace@example.com';
    await send(fixture, { id: 'u-2', email });
    const keys = await createTestKeys(database.db).get();
    await addSuppression({ db: database.db, newId, actor, keys }, { environmentId, email, source: 'manual' });
    const { id } = await createBatch(database.db, fixture, { filter: { recipientEmail: email } });
    expect(await work(database.db, await ask(fixture, 'u-2'))).toEqual({ outcome: 'completed' });
    const listed = await listSuppressions(database.db, keys, {
      environmentId,
      email,
      after: null,
      limit: 10,
    });
    expect(listed.rows).toMatchObject([{ email: null }]);
    expect((await database.db.replayBatch.findUnique({ where: { id } }))?.filter).toMatchObject({
      recipient_email: 'erased@example.invalid',
    });
  });
});

describe('a page of an erasure, among 5,000 messages and 3,000 bulk replays', () => {
  it('reads no others by the role of the worker', async () => {
    const own = await createTestDatabase({ poolSize: 1 });
    // Policies keep functions that are not leakproof out of the conditions of an index.
    const scope = encodeURIComponent('-c postrider.environments=all');
    const explainer = await openExplainer(`${own.urlFor('postrider_worker')}?options=${scope}`);
    try {
      const fixture = await createFixture(own.db, { channels: [WEBHOOK] });
      const { environmentId } = fixture;
      await own.db.$executeRaw`
        INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, created_at)
        SELECT ${environmentId}::uuid, gen_random_uuid(), 'a.b', jsonb_build_object('id', 'u-' || n),
               CASE n % 3 WHEN 0 THEN 'User' || n || '@example.com' WHEN 1 THEN 'user' || n || '@Example.com'
                          ELSE 'user' || n || '@example.com' END, '{}', repeat('a', 32), now()
          FROM generate_series(1, 5000) AS n`;
      await own.db.$executeRaw`
        INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, created_at)
        SELECT ${environmentId}::uuid, gen_random_uuid(), 'a.b', '{"id": "many"}', 'Many@example.com', '{}', repeat('a', 32), now()
          FROM generate_series(1, 2000) AS n`;
      await own.db.$executeRaw`
        INSERT INTO replay_batches (id, environment_id, status, filter, channel_ids, messages_per_second, matched,
                                    matched_is_lower_bound, created_at, completed_at)
        SELECT gen_random_uuid(), ${environmentId}::uuid, 'completed', jsonb_build_object('recipient_email', 'User' || n || '@example.com'),
               '{}', 1, 1, false, now(), now() FROM generate_series(1, 3000) AS n`;
      await own.db.$executeRaw`ANALYZE messages, replay_batches`;
      const erase = async (
        recipient: { recipientEmail: string } | { recipientId: string },
        mostRows: number,
      ) => {
        const erasure = await createErasure({ db: own.db, newId, actor }, { environmentId, ...recipient });
        const statements = await statementsOf(own.db, () => work(own.db, erasure));
        const searches = statements.filter(({ text }) => /message_recipients|replay_batches/.test(text));
        expect(searches).toHaveLength(3);
        for (const statement of searches) expect(await explainer.rowsRead(statement)).toBeLessThan(mostRows);
        return erasure;
      };
      for (const recipient of [{ recipientEmail: 'user7@example.com' }, { recipientId: 'u-9' }]) {
        const erasure = await erase(recipient, 10);
        expect(await work(own.db, erasure)).toEqual({ outcome: 'completed' });
        expect(await readErasure(own.db, erasure.id)).toMatchObject({ messagesErased: 1 });
      }
      for (const recipient of [{ recipientEmail: 'many@example.com' }, { recipientId: 'many' }])
        await erase(recipient, 250);
      expect(
        await own.db.replayBatch.count({
          where: { filter: { path: ['recipient_email'], equals: 'erased@example.invalid' } },
        }),
      ).toBe(2);
    } finally {
      await explainer.close();
      await own.drop();
    }
  });
});
