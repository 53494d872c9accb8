import { randomBytes } from 'node:crypto';
import { addressHash, createSecretBox, createUuidV7Source, type ServiceKeys } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { createServiceKeys, readSecretKeys, reencryptSecrets } from '../src/index.ts';
import { actorNamed, createTestDatabase } from '../src/testing/index.ts';

const newId = createUuidV7Source();
const actor = actorNamed('op');

describe('the service’s own key', () => {
  it('is the same for all processes, also after a rotation of the encryption key', async () => {
    const own = await createTestDatabase();
    try {
      const [older, newer] = ['old', 'new'].map((id) => ({ id, key: randomBytes(32) }));
      if (!older || !newer) throw new Error('there are two keys');
      const before = createSecretBox([older]);
      const hashOf = ({ addressHash: key }: ServiceKeys) => addressHash(key, 'env', 'ada@example.com');
      const open = (secretBox: typeof before) => createServiceKeys({ db: own.db, secretBox }).get();
      const [first, ...others] = await Promise.all([open(before), open(before), open(before)]);
      for (const other of others) expect(hashOf(other)).toEqual(hashOf(first));
      const rotating = createSecretBox([newer, older]);
      await reencryptSecrets({ db: own.db, newId, actor, secretBox: rotating });
      expect(hashOf(await open(createSecretBox([newer])))).toEqual(hashOf(first));
      expect(await readSecretKeys(own.db, rotating)).toMatchObject([
        { keyId: 'new', secrets: 1 },
        { keyId: 'old', secrets: 0 },
      ]);
      await expect(open(before)).rejects.toThrow('the key "new" is not in ENCRYPTION_KEYS');
    } finally {
      await own.drop();
    }
  });
});
