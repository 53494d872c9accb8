import { randomBytes } from 'node:crypto';
import { createSecretBox, createUuidV7Source, credentialBinding, type SecretBox } from '@postrider/domain';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { readSecretKeys, reencryptSecrets, rotateChannelSecret } from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createTestDatabase,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

const newKey = (id: string) => ({ id, key: randomBytes(32) });
const [lost, older, newer] = [newKey('lost'), newKey('older'), newKey('newer')];
const underLost = createSecretBox([lost]);
const underOlder = createSecretBox([older]);
const rotated = createSecretBox([newer, older]);

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const deps = (secretBox: SecretBox) => ({
  kinds: testKinds,
  db: database.db,
  newId: createUuidV7Source(),
  actor: actorNamed('ada'),
  secretBox,
});
const channelsWith = async (secretBox: SecretBox, count: number) =>
  (await createFixture(database.db, { channels: Array(count).fill(WEBHOOK) }, secretBox)).channels;
const stored = (id: string) => database.db.channel.findUniqueOrThrow({ where: { id } });
const plaintext = (encrypted: string | null, id: string, box = createSecretBox([newer])) => {
  const decrypted = box.decrypt(encrypted ?? '', id);
  return decrypted.ok ? decrypted.plaintext : decrypted.reason;
};
const counts = async (secretBox: SecretBox) =>
  Object.fromEntries(
    (await readSecretKeys(database.db, secretBox)).map(({ keyId, status, secrets }) => [
      keyId,
      [status, secrets],
    ]),
  );
const audited = () => database.db.auditEntry.findMany({ where: { action: 'secrets.reencrypted' } });

describe('re-encrypting by command', () => {
  it('re-encrypts every readable secret with the current key, reports it, and leaves the others', async () => {
    const channels = await channelsWith(underOlder, 3);
    const [first] = channels;
    await rotateChannelSecret(deps(underOlder), { channelId: first?.id ?? '', overlapSeconds: 60 });
    const [unreadable] = await channelsWith(underLost, 1);
    expect(await counts(rotated)).toEqual({
      newer: ['current', 0],
      older: ['older', 4],
      lost: ['missing', 1],
    });
    expect(await reencryptSecrets(deps(rotated))).toEqual({ reencrypted: 4, hasMore: false });
    expect(await counts(rotated)).toEqual({
      newer: ['current', 4],
      older: ['older', 0],
      lost: ['missing', 1],
    });
    for (const { id, secret } of channels.slice(1)) {
      expect(plaintext((await stored(id)).sealedSecret, id)).toBe(secret);
    }
    expect(plaintext((await stored(first?.id ?? '')).sealedPreviousSecret, first?.id ?? '')).toBe(
      first?.secret,
    );
    const missing = (await readSecretKeys(database.db, rotated)).at(-1);
    expect(missing?.channelIds).toEqual([unreadable?.id]);
    expect(await audited()).toMatchObject([{ actor: 'ada', after: { key_id: 'newer', secrets: 4 } }]);
  });

  it('lists channels whose key has been replaced by another one with its id', async () => {
    const [channel] = await channelsWith(underOlder, 1);
    const [later] = await channelsWith(createSecretBox([newKey('older')]), 1);
    const channelIds = async (secretBox: SecretBox) =>
      (await readSecretKeys(database.db, secretBox)).flatMap((key) => key.channelIds);
    expect(await channelIds(underOlder)).toEqual([later?.id]);
    expect(await channelIds(createSecretBox([newKey('older')]))).toEqual([channel?.id, later?.id]);
  });

  it('decrypts few secrets in one turn of the event loop, and all of them', async () => {
    const [channel] = await channelsWith(underOlder, 1);
    const sealedCredentials = Object.fromEntries(
      Array.from({ length: 240 }, (_, index) => [`key${index}`, underLost.encrypt('a', '')]),
    );
    await database.db.channel.update({ where: { id: channel?.id ?? '' }, data: { sealedCredentials } });
    const perTurn = [0];
    const counting: SecretBox = {
      ...underLost,
      decrypt(encrypted, boundTo) {
        if (perTurn.at(-1) === 0) setImmediate(() => perTurn.push(0));
        perTurn.push((perTurn.pop() ?? 0) + 1);
        return underLost.decrypt(encrypted, boundTo);
      },
    };
    await readSecretKeys(database.db, counting);
    expect(perTurn.reduce((sum, decrypted) => sum + decrypted, 0)).toBe(241);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(50);
  });

  it('re-encrypts the named credentials of a channel, too', async () => {
    const config = { smtp: { host: 'mail.example.com', port: 25 }, from: { email: 'shop@example.com' } };
    const credentials = { 'senders/smtp/password': 'a', 'senders/b/password': 'b', 'senders/c/key': 'c' };
    const channel = { kind: 'email', name: 'Mail', config, credentials };
    const [made] = (await createFixture(database.db, { channels: [channel] }, underOlder)).channels;
    const id = made?.id ?? '';
    await createFixture(database.db, { channels: [channel] }, underLost);
    expect(await counts(rotated)).toEqual({
      newer: ['current', 0],
      older: ['older', 3],
      lost: ['missing', 3],
    });
    expect(await reencryptSecrets(deps(rotated))).toEqual({ reencrypted: 3, hasMore: false });
    expect(await counts(rotated)).toMatchObject({ newer: ['current', 3], older: ['older', 0] });
    const { sealedSecret, sealedCredentials } = await stored(id);
    expect(plaintext(sealedSecret, id)).toBe('a');
    const encrypted = sealedCredentials as Record<string, string>;
    for (const [name, value] of [
      ['senders/b/password', 'b'],
      ['senders/c/key', 'c'],
    ] as const) {
      expect(plaintext(encrypted[name] ?? null, credentialBinding(id, name))).toBe(value);
    }
  });

  it('can stop at any point and continue, even past secrets that cannot be decrypted', async () => {
    await channelsWith(underOlder, 5);
    const [broken] = await channelsWith(underOlder, 1);
    await database.db.channel.update({
      where: { id: broken?.id ?? '' },
      data: { sealedSecret: underOlder.encrypt('elsewhere', 'another channel') },
    });
    await channelsWith(underOlder, 5);
    let calls = 0;
    let total = 0;
    for (let hasMore = true; hasMore; calls += 1) {
      const outcome = await reencryptSecrets(deps(rotated), { limit: 2 });
      total += outcome.reencrypted;
      hasMore = outcome.hasMore;
    }
    expect([total, calls]).toEqual([10, 6]);
    expect(await counts(rotated)).toEqual({ newer: ['current', 10], older: ['older', 1] });
    expect(await reencryptSecrets(deps(rotated))).toEqual({ reencrypted: 0, hasMore: false });
    const written = (await audited()).map(({ after }) => (after as { secrets: number }).secrets);
    expect(written.reduce((sum, secrets) => sum + secrets, 0)).toBe(10);
  });

  it('in several processes handles each secret once', async () => {
    await channelsWith(underOlder, 40);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => reencryptSecrets(deps(rotated))));
    expect(outcomes.reduce((sum, { reencrypted }) => sum + reencrypted, 0)).toBe(40);
  });

  it('does not restore a secret that a rotation has replaced', async () => {
    const channels = await channelsWith(underOlder, 20);
    const [, ...answers] = await Promise.all([
      reencryptSecrets(deps(rotated)),
      ...channels.map(({ id }) => rotateChannelSecret(deps(rotated), { channelId: id, overlapSeconds: 60 })),
    ]);
    for (const [index, answer] of answers.entries()) {
      const { id, secret } = channels[index] ?? { id: '', secret: null };
      const row = await stored(id);
      expect(plaintext(row.sealedSecret, id)).toBe(answer.secret);
      expect(plaintext(row.sealedPreviousSecret, id, rotated)).toBe(secret);
    }
  });
});
