import { createUuidV7Source, orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createIngest, eraseExpiredSecrets, rotateChannelSecret } from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  createTestSecretBox,
  type Fixture,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();
const secretBox = createTestSecretBox();
const actor = actorNamed('test');

const aFixture = () => createFixture(database.db, { channels: [WEBHOOK] }, secretBox);
const channelOf = (fixture: Fixture) => fixture.channels[0]?.id ?? '';
const rotate = (fixture: Fixture, overlapSeconds: number) =>
  rotateChannelSecret(
    { db: database.db, newId, actor, secretBox, kinds: testKinds },
    { channelId: channelOf(fixture), overlapSeconds },
  );
const rowOf = (fixture: Fixture) =>
  database.db.channel.findUniqueOrThrow({ where: { id: channelOf(fixture) } });

/** The secrets that a delivery which is claimed now is signed with. */
async function signingSecrets(fixture: Fixture): Promise<string[]> {
  const runId = onlyRun(await createIngest(database.db)(eventFor(fixture)));
  const outcome = await createOwnerClaim(database.db)({ runId, attemptId: newId() });
  if (outcome.outcome !== 'claimed') throw new Error(outcome.outcome);
  const { sealedSecret, sealedPreviousSecret } = outcome.run.encrypted;
  return [sealedSecret, sealedPreviousSecret].flatMap((sealed) => {
    const decrypted = sealed === null ? null : secretBox.decrypt(sealed, channelOf(fixture));
    return decrypted?.ok ? [decrypted.plaintext] : [];
  });
}

/** Ends the overlap, as if its time had passed. */
const passOverlap = (fixture: Fixture) => database.db.$executeRaw`
  UPDATE channels SET previous_secret_expires_at = now() - interval '1 millisecond'
   WHERE id = ${channelOf(fixture)}::uuid`;

describe('rotating the secret of a webhook', () => {
  it('signs with both during the overlap, the new one first, and then only with the new one', async () => {
    const fixture = await aFixture();
    const old = fixture.channels[0]?.secret ?? '';
    const rotated = await rotate(fixture, 3_600);
    expect(rotated.secret).not.toBe(old);
    expect(await signingSecrets(fixture)).toEqual([rotated.secret, old]);
    const row = await rowOf(fixture);
    expect(Number(row.previousSecretExpiresAt) - Number(row.updatedAt)).toBe(3_600_000);
    await passOverlap(fixture);
    expect(await signingSecrets(fixture)).toEqual([rotated.secret]);
    expect((await rowOf(fixture)).sealedPreviousSecret).not.toBeNull();
    await eraseExpiredSecrets(database.db, 100);
    expect(await rowOf(fixture)).toMatchObject({ sealedPreviousSecret: null, previousSecretExpiresAt: null });
  });

  it('does not erase the old secret before the overlap is over', async () => {
    const fixture = await aFixture();
    await rotate(fixture, 60);
    await eraseExpiredSecrets(database.db, 100);
    expect((await rowOf(fixture)).sealedPreviousSecret).not.toBeNull();
  });

  it('is swept without waiting for locked channels, a limited number at once', async () => {
    const fixtures = [await aFixture(), await aFixture(), await aFixture()];
    for (const fixture of fixtures) {
      await rotate(fixture, 60);
      await passOverlap(fixture);
    }
    const [held, ...free] = fixtures.map(channelOf).sort();
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM channels WHERE id = ${held}::uuid FOR NO KEY UPDATE`;
      expect(await eraseExpiredSecrets(database.db, 1)).toBe(1);
      expect(await eraseExpiredSecrets(database.db, 100)).toBe(free.length - 1);
      await tx.$queryRaw`SELECT FROM channels WHERE id = ANY(${free}::uuid[]) FOR NO KEY UPDATE`;
    });
    expect(await eraseExpiredSecrets(database.db, 100)).toBe(1);
  });

  it('without an overlap erases every old secret at once', async () => {
    const fixture = await aFixture();
    await rotate(fixture, 3_600);
    const last = await rotate(fixture, 0);
    expect(await signingSecrets(fixture)).toEqual([last.secret]);
    expect(await rowOf(fixture)).toMatchObject({ sealedPreviousSecret: null, previousSecretExpiresAt: null });
  });

  it('is refused during an overlap', async () => {
    const fixture = await aFixture();
    await rotate(fixture, 3_600);
    const secrets = await signingSecrets(fixture);
    expect(await orRefusal(() => rotate(fixture, 60))).toMatchObject({ refused: 'conflict' });
    expect(await signingSecrets(fixture)).toEqual(secrets);
    await passOverlap(fixture);
    await rotate(fixture, 60);
    expect((await signingSecrets(fixture))[1]).toBe(secrets[0]);
  });

  it('succeeds for one of many at once, whose secret signs besides the old one', async () => {
    const fixture = await aFixture();
    const rotated = await Promise.all(
      Array.from({ length: 5 }, () => orRefusal(() => rotate(fixture, 3_600))),
    );
    const won = rotated.flatMap((each) => ('secret' in each ? [each] : []));
    expect(won).toHaveLength(1);
    expect(await signingSecrets(fixture)).toEqual([won[0]?.secret, fixture.channels[0]?.secret]);
    const entries = await database.db.auditEntry.findMany({
      where: { environmentId: fixture.environmentId, action: 'channel.secret_rotated' },
    });
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain('whsec_');
  });

  it('without an overlap, concurrently, leaves the secret of one call', async () => {
    const fixture = await aFixture();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => rotate(fixture, 0)));
    const secrets = outcomes.map(({ secret }) => secret);
    expect(new Set(secrets).size).toBe(5);
    const signing = await signingSecrets(fixture);
    expect(signing).toHaveLength(1);
    expect(secrets).toContain(signing[0]);
  });

  it('works without the key of the old secret', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const rotated = await rotate(fixture, 0);
    expect(await signingSecrets(fixture)).toEqual([rotated.secret]);
  });
});
