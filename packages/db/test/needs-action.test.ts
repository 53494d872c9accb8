import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { deleteChannel, inTransaction, listChannels, lockChannel, readAttention } from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { WEBHOOK } from './support.ts';

/** More than a list reads of each state. */
const MANY = 1_100;

let database: TestDatabase;
let explainer: Explainer;
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  explainer = await openExplainer(database.url);
}, 60_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

const newId = createUuidV7Source();

const aFixture = () => createFixture(database.db, { channels: [{ ...WEBHOOK, name: 'own' }] });
const ownOf = (fixture: Fixture) => fixture.channels[0]?.id ?? '';

/** Gives a consumer of the environment channels, whose ids are before that of the environment's own one. */
async function addChannels({ environmentId, channels }: Fixture, count: number): Promise<string[]> {
  const { db } = database;
  await db.$executeRaw`INSERT INTO consumers (environment_id, id) VALUES (${environmentId}::uuid, 'org_1')`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO channels (id, environment_id, consumer_id, kind, name, config, retry)
    SELECT ('00000000' || substr(gen_random_uuid()::text, 9))::uuid, environment_id, 'org_1', kind, 'of consumer', config, retry
      FROM channels, generate_series(1, ${count}::int) WHERE id = ${channels[0]?.id}::uuid RETURNING id`;
  return rows.map(({ id }) => id).sort();
}

const pauseAll = ({ environmentId }: Fixture, ids: readonly string[]) => database.db.$executeRaw`
  INSERT INTO channel_health (channel_id, environment_id, state, reason, failing_since)
  SELECT id, ${environmentId}::uuid, 'paused', 'failures', now() FROM unnest(${[...ids]}::uuid[]) AS id`;
const blockKeys = ({ environmentId }: Fixture, id: string, count: number) => database.db.$executeRaw`
  INSERT INTO ordering_keys (channel_id, key, environment_id, last_sequence, blocked_at)
  SELECT ${id}::uuid, n::text, ${environmentId}::uuid, 2, now() FROM generate_series(1, ${count}::int) AS n`;

async function needyOf({ environmentId }: Fixture): Promise<string[]> {
  const query = { environmentId, needsAction: true, after: null, limit: 100 } as const;
  return (await listChannels(database.db, query)).rows.map(({ id }) => id).sort();
}

describe('what needs action', () => {
  it('is not hidden by deleted channels, whose health is reset', async () => {
    const fixture = await aFixture();
    const [first = '', live = '', ...others] = await addChannels(fixture, MANY);
    await pauseAll(fixture, [first, ...others]);
    await database.db.$executeRaw`UPDATE channels SET deleted_at = now() WHERE id = ANY (${others}::uuid[])`;
    await deleteChannel({ db: database.db, newId, actor: actorNamed('test'), kinds: testKinds }, first);
    await pauseAll(fixture, [live]);
    expect(await needyOf(fixture)).toEqual([live]);
    const { environmentId } = fixture;
    expect(await database.db.channelHealth.count({ where: { environmentId, state: 'paused' } })).toBe(1);
    expect(await database.db.channelHealth.findUnique({ where: { channelId: first } })).toMatchObject({
      state: 'ok',
      reason: null,
      failingSince: null,
    });
  });

  it('is not hidden by disabled channels', async () => {
    const fixture = await aFixture();
    const [live = '', ...others] = await addChannels(fixture, MANY);
    await pauseAll(fixture, [...others, live]);
    await database.db.$executeRaw`UPDATE channels SET enabled = false WHERE id = ANY (${others}::uuid[])`;
    expect(await needyOf(fixture)).toEqual([live]);
  });

  it('has every blocked channel, whatever the number of blocked keys of another', async () => {
    const fixture = await aFixture();
    const [first = '', second = ''] = await addChannels(fixture, 2);
    await blockKeys(fixture, first, MANY);
    await blockKeys(fixture, second, 1);
    await blockKeys(fixture, ownOf(fixture), 2);
    expect(await needyOf(fixture)).toEqual([first, second, ownOf(fixture)].sort());
    const [of] = await readAttention(database.db, [fixture.environmentId]);
    expect(of?.blocked.map(({ channelId, keys }) => [channelId, keys])).toEqual([
      [first, 333],
      [ownOf(fixture), 2],
      [second, 1],
    ]);
  });

  it("has the environment's own channels, whatever the number of blocked channels of consumers", async () => {
    const fixture = await aFixture();
    for (const id of await addChannels(fixture, 110)) await blockKeys(fixture, id, 1);
    await blockKeys(fixture, ownOf(fixture), 1);
    const [of] = await readAttention(database.db, [fixture.environmentId]);
    expect(of?.blocked).toHaveLength(100);
    expect(of?.blocked.map(({ channelId }) => channelId)).toContain(ownOf(fixture));
  });
});

describe('a locked channel', () => {
  it('is locked for no read of its activity', async () => {
    const fixture = await aFixture();
    const lock = () => inTransaction(database, (tx) => lockChannel(tx, ownOf(fixture)));
    const texts = (await statementsOf(database.db, lock)).map(({ text }) => text);
    expect(texts.join()).toContain('FOR NO KEY UPDATE');
    expect(texts.join()).not.toMatch(/FROM (stats|attempts|ordering_keys)/);
  });
});

describe('a list by state', () => {
  it('counts the blocked keys of its page alone', async () => {
    const fixture = await aFixture();
    const { environmentId } = fixture;
    for (const id of await addChannels(fixture, 100)) await blockKeys(fixture, id, 300);
    await database.db.$executeRaw`ANALYZE channels, ordering_keys`;
    const query = { environmentId, consumerId: 'org_1', order: 'state', after: null, limit: 25 } as const;
    const reads: number[] = [];
    for (const statement of await statementsOf(database.db, () => listChannels(database.db, query)))
      reads.push(await explainer.rowsRead(statement));
    expect(Math.max(...reads)).toBeLessThan(25 * 300 + 1_000);
  });
});
