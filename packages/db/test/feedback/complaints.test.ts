import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type Database, openDatabase, type ServiceKeySource } from '../../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  createTestKeys,
  type Fixture,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { EMAIL, report, reported, type Sent, sendOne } from './support.ts';

let database: TestDatabase;
let api: Database;
let deps: { db: Database; keys: ServiceKeySource };
beforeAll(async () => {
  database = await createTestDatabase();
  api = openDatabase(database.urlFor('postrider_api'), { poolSize: 4 });
  deps = { db: api, keys: createTestKeys(database.db) };
});
afterAll(async () => {
  await api.$disconnect();
  await database.drop();
});

const aFixture = () => createFixture(database.db, { channels: [EMAIL] });
const complained = (sent: Sent, email: string | null = 'ada@example.com') =>
  reported(sent, { type: 'complained', email });

async function countedIn({ environmentId }: Fixture): Promise<number> {
  const [row] = await database.db.$queryRaw<{ complained: number }[]>`
    SELECT COALESCE(sum(complained), 0)::int AS complained FROM stats_deltas WHERE environment_id = ${environmentId}::uuid`;
  return row?.complained ?? 0;
}

describe('the complaints in the figures', () => {
  it('have a complaint that one request reports twice', async () => {
    const fixture = await aFixture();
    const [one, other] = [await sendOne(api, fixture), await sendOne(api, fixture)];
    await report(
      deps,
      fixture,
      [one, other, one, other, one].map((sent) => complained(sent)),
    );
    expect(await countedIn(fixture)).toBe(1);
  });

  it('have a complaint of a recipient whose other mail has bounced by the same request', async () => {
    const fixture = await aFixture();
    const bounces = await Promise.all([1, 2, 3, 4, 5].map(() => sendOne(api, fixture)));
    const sent = await sendOne(api, fixture);
    const bounced = { type: 'bounced', permanent: true } as const;
    await report(deps, fixture, [...bounces.map((one) => reported(one, bounced)), complained(sent)]);
    expect(await countedIn(fixture)).toBe(1);
  });

  it('have one of each recipient of a request, whatever it reports about their copies', async () => {
    const fixture = await aFixture();
    const ada = await sendOne(api, fixture, 'ada@example.com');
    const grace = await sendOne(api, fixture, 'grace@example.com');
    await report(deps, fixture, [
      complained(ada, 'grace@example.com'),
      complained(ada),
      complained(grace, 'grace@example.com'),
    ]);
    expect(await countedIn(fixture)).toBe(2);
  });

  it('have none of an erased recipient, whose reports by mail name nobody, however many come', async () => {
    const fixture = await aFixture();
    for (let sent = 0; sent < 3; sent += 1) {
      const { messageId, runId } = await sendOne(api, fixture);
      await database.db.message.updateMany({
        where: { id: messageId },
        data: { recipient: {}, recipientEmail: null, erasedAt: new Date() },
      });
      await report(deps, fixture, [complained({ messageId, runId })], true);
    }
    expect(await countedIn(fixture)).toBe(0);
  });
});
