import { randomBytes } from 'node:crypto';
import { createUuidV7Source, hashToken, NEW_CONSUMER, orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acrossEnvironments,
  deleteConsumer,
  deleteExpiredRows,
  endPortalSession,
  issuePortalLink,
  issueToken,
  MAX_PORTAL_SESSIONS,
  openPooledDatabase,
  putConsumer,
  redeemPortalLink,
  rotateToken,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';

let database: TestDatabase;
let fixture: Fixture;
const deps = () => ({
  db: database.db,
  newId: createUuidV7Source(),
  actor: actorNamed('test'),
  kinds: testKinds,
});
const key = (id: string) => ({ environmentId: fixture.environmentId, id });

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createFixture(database.db);
});
afterAll(() => database.drop());

async function aLink(id: string, seconds = 3_600) {
  const hash = hashToken(randomBytes(16).toString('hex'));
  const look = { theme: null, locale: null, returnUrl: null, issuer: { tokenId: fixture.tokenId } };
  const link = { consumer: key(id), hash, scopes: ['channels:read'], seconds, ...look };
  const issued = await issuePortalLink(deps(), link);
  const redeem = () => redeemPortalLink(deps(), { hash, environmentId: fixture.environmentId });
  return { issued, redeem };
}

describe('links to the portal', () => {
  it('leave no session behind if their consumer is deleted meanwhile', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = `org_${round}`;
      await putConsumer(deps(), key(id), NEW_CONSUMER);
      const { redeem } = await aLink(id);
      await Promise.all([redeem(), redeem(), deleteConsumer(deps(), key(id)), redeem()]);
      expect(await database.db.token.count({ where: { consumerId: id, revokedAt: null } })).toBe(0);
      await putConsumer(deps(), key(id), NEW_CONSUMER);
      expect(await redeem()).toBeNull();
    }
  });

  it('are limited for each consumer', async () => {
    await putConsumer(deps(), key('full'), NEW_CONSUMER);
    const { issued, redeem } = await aLink('full');
    await redeem();
    for (let each = 1; each < MAX_PORTAL_SESSIONS; each += 1) await aLink('full');
    expect(await orRefusal(() => aLink('full'))).toMatchObject({ refused: 'conflict' });
    // A session that has ended makes room.
    expect(await endPortalSession(database.db, issued.id)).toBe(true);
    await aLink('full');
    await putConsumer(deps(), key('other'), NEW_CONSUMER);
    expect((await aLink('other')).issued.expiresAt).toBeInstanceOf(Date);
  });

  it('are removed by the worker with their sessions when these have ended, and not before', async () => {
    await putConsumer(deps(), key('swept'), NEW_CONSUMER);
    const [ended, open] = [await aLink('swept'), await aLink('swept')];
    await Promise.all([ended.redeem(), open.redeem()]);
    const { issued } = ended;
    const past = new Date(Date.now() - 1_000);
    await database.db.portalLink.update({
      where: { id: issued.id },
      data: { expiresAt: past },
    });
    const worker = openPooledDatabase(database.urlFor('postrider_worker'));
    expect(await deleteExpiredRows(acrossEnvironments(worker.db), 'portal_links', 10)).toBe(1);
    await worker.db.$disconnect();
    expect(await database.db.token.count({ where: { consumerId: 'swept' } })).toBe(1);
  });
});

describe('a token of a consumer that is rotated while the consumer is deleted', () => {
  it('leaves no successor for a later consumer with its id', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = `rotated_${round}`;
      await putConsumer(deps(), key(id), NEW_CONSUMER);
      const issued = await issueToken(deps(), {
        environmentId: fixture.environmentId,
        name: 'backend',
        scopes: ['channels:read'],
        consumerId: id,
      });
      const rotation = { tokenId: issued.token.id, overlapSeconds: 60 };
      const rotating = orRefusal(() => rotateToken(deps(), rotation));
      await Promise.all([rotating, deleteConsumer(deps(), key(id))]);
      expect(await database.db.token.count({ where: { consumerId: id, revokedAt: null } })).toBe(0);
    }
  });
});
