import { formatId, NEW_CONSUMER } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createErasure, createIngest, deleteConsumer, putConsumer, readErasure } from '../../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
  testKinds,
} from '../../src/testing/index.ts';
import { accepted, eventFor, WEBHOOK } from '../support.ts';
import { actor, message, newId, work } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const deps = () => ({ db: database.db, newId, actor, kinds: testKinds });

/** An environment with the consumers `one` and `other`. */
async function fixtureOf(): Promise<Fixture> {
  const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  const { environmentId } = fixture;
  for (const id of ['one', 'other']) await putConsumer(deps(), { environmentId, id }, NEW_CONSUMER);
  return fixture;
}
const send = async (fixture: Fixture, consumerId: string | null) =>
  accepted(await createIngest(database.db)(eventFor(fixture, { consumerId }))).messageId;
const ask = ({ tenantId, environmentId }: Fixture, consumerId: string) =>
  createErasure(deps(), { tenantId, environmentId, consumerId });

describe('the erasure of a consumer', () => {
  it('erases its messages, also after its deletion, and no other ones', async () => {
    const [fixture, elsewhere] = [await fixtureOf(), await fixtureOf()];
    const own = [await send(fixture, 'one'), await send(fixture, 'one')];
    const others = [await send(fixture, 'other'), await send(fixture, null), await send(elsewhere, 'one')];
    await deleteConsumer(deps(), { environmentId: fixture.environmentId, id: 'one' });
    const erasure = await ask(fixture, 'one');
    expect(await work(database.db, erasure)).toEqual({ outcome: 'completed' });
    for (const id of own)
      expect(await message(database.db, id)).toMatchObject({ recipient: {}, payload: {}, consumerId: 'one' });
    for (const id of others) expect((await message(database.db, id)).erasedAt).toBeNull();
    expect(await readErasure(database.db, erasure.id)).toMatchObject({
      ...{ status: 'completed', messagesErased: 2, runsCancelled: 2, consumerId: null },
    });
    const [audited] = await database.db.auditEntry.findMany({
      where: { resourceId: formatId('era', erasure.id) },
    });
    expect(audited?.after).toMatchObject({ recipient_sha256: erasure.recipientSha256 });
  });

  it('can be repeated for later messages, and finds each once', async () => {
    const fixture = await fixtureOf();
    await send(fixture, 'one');
    expect(await work(database.db, await ask(fixture, 'one'))).toEqual({ outcome: 'completed' });
    await send(fixture, 'one');
    const again = await ask(fixture, 'one');
    expect(await work(database.db, again)).toEqual({ outcome: 'completed' });
    expect(await readErasure(database.db, again.id)).toMatchObject({ messagesErased: 1 });
  });

  it('cannot be completed by a worker of the release before, which does not know consumers', async () => {
    const { id } = await ask(await fixtureOf(), 'one');
    const completed = {
      status: 'completed',
      recipientEmail: null,
      recipientId: null,
      completedAt: new Date(),
    };
    await expect(database.db.erasure.update({ where: { id }, data: completed })).rejects.toThrow(
      /erasures_recipient_while_open/,
    );
  });
});
