import { randomBytes } from 'node:crypto';
import { createSecretBox, createUuidV7Source, credentialBinding, type SecretBox } from '@postrider/domain';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import type { EncryptedSecrets } from '../src/configure/reencrypt-secrets.ts';
import {
  createLazyReencryption,
  readSecretKeys,
  reencryptSecrets,
  rotateChannelSecret,
} from '../src/index.ts';
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

describe('re-encrypting when a secret is decrypted', () => {
  const issues: unknown[] = [];
  const createReencrypter = () =>
    createLazyReencryption({ db: database.db, secretBox: rotated, onError: (e) => issues.push(e) });
  const versionOf = async (id: string) => (await stored(id)) as EncryptedSecrets & { revision: number };

  /** Waits until the secret of a channel is under the current key. */
  async function untilCurrent(id: string): Promise<void> {
    while (!rotated.isCurrent((await stored(id)).sealedSecret ?? '')) await new Promise(setImmediate);
  }

  it('re-encrypts the secret, and does not change the channel', async () => {
    const [channel] = await channelsWith(underOlder, 1);
    const before = await stored(channel?.id ?? '');
    createReencrypter()(before as EncryptedSecrets & { revision: number });
    await untilCurrent(before.id);
    const after = await stored(before.id);
    expect(plaintext(after.sealedSecret, after.id)).toBe(channel?.secret);
    expect({ ...after, sealedSecret: null }).toEqual({ ...before, sealedSecret: null });
    expect(await audited()).toEqual([]);
  });

  it('does not overwrite a newer secret', async () => {
    const [stale, other] = await channelsWith(underOlder, 2);
    const [before, fresh] = [await versionOf(stale?.id ?? ''), await versionOf(other?.id ?? '')];
    const answer = await rotateChannelSecret(deps(underOlder), { channelId: before.id, overlapSeconds: 0 });
    const reencrypt = createReencrypter();
    reencrypt(before);
    reencrypt(fresh);
    await untilCurrent(fresh.id);
    const row = await stored(before.id);
    expect(answer).toMatchObject({ secret: plaintext(row.sealedSecret, row.id, underOlder) });
  });

  it('handles each version of a channel once', async () => {
    const [channel] = await channelsWith(underOlder, 1);
    const before = await versionOf(channel?.id ?? '');
    const reencrypt = createReencrypter();
    for (let time = 0; time < 5; time += 1) reencrypt(before);
    await untilCurrent(before.id);
    const { sealedSecret } = await stored(before.id);
    await database.db.channel.update({
      where: { id: before.id },
      data: { sealedSecret: before.sealedSecret },
    });
    reencrypt(before);
    reencrypt({ ...before, revision: before.revision + 1 });
    await untilCurrent(before.id);
    expect((await stored(before.id)).sealedSecret).not.toBe(sealedSecret);
  });

  it('does not throw if a secret cannot be decrypted', async () => {
    const [channel] = await channelsWith(underLost, 1);
    const [other] = await channelsWith(underOlder, 1);
    const [before, later] = [await versionOf(channel?.id ?? ''), await versionOf(other?.id ?? '')];
    const reencrypt = createReencrypter();
    expect(() => reencrypt(before)).not.toThrow();
    // This one is stored after the other would be, so waiting for it is enough.
    reencrypt(later);
    await untilCurrent(later.id);
    expect((await stored(before.id)).sealedSecret).toBe(before.sealedSecret);
    expect(issues).toEqual([]);
  });
});
