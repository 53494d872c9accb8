import { formatId } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  addSuppression,
  createErasure,
  createIngest,
  listSuppressions,
  readErasure,
} from '../../src/index.ts';
import { anyCaseConditions, recipientIdCondition } from '../../src/recipient-address.ts';
import {
  createFixture,
  createTestDatabase,
  createTestKeys,
  type Fixture,
  type TestDatabase,
} from '../../src/testing/index.ts';
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
const ask = ({ tenantId, environmentId }: Fixture, recipientId: string) =>
  createErasure({ db: database.db, newId, actor }, { tenantId, environmentId, recipientId });
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

describe('the search for the messages of an erasure', () => {
  it('uses an index for each of its conditions', async () => {
    const fixture = await fixtureOf();
    const { environmentId } = fixture;
    await database.db.$executeRaw`
      INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, created_at)
      SELECT ${environmentId}::uuid, gen_random_uuid(), 'a.b', jsonb_build_object('id', 'u-' || n),
             CASE n % 3 WHEN 0 THEN 'User' || n || '@example.com' WHEN 1 THEN 'user' || n || '@Example.com'
                        ELSE 'user' || n || '@example.com' END, '{}', repeat('a', 32), now()
        FROM generate_series(1, 5000) AS n`;
    await database.db.$executeRaw`ANALYZE messages`;
    const conditions = [...anyCaseConditions('user7@example.com'), recipientIdCondition('u-7')];
    const used: string[] = [];
    for (const condition of conditions) {
      const plan = await database.db.$queryRaw<{ 'QUERY PLAN': string }[]>`
        EXPLAIN SELECT id FROM messages WHERE environment_id = ${environmentId}::uuid AND ${condition}`;
      const text = plan.map((line) => line['QUERY PLAN']).join(' ');
      used.push(/(?:Scan using|Scan on) (messages_\w+)/.exec(text)?.[1] ?? text);
    }
    expect(used).toEqual([
      'messages_environment_id_recipient_email_id_idx',
      'messages_domain_case',
      'messages_local_case',
      'messages_recipient_id',
    ]);
  });
});
