import { randomBytes } from 'node:crypto';
import {
  deriveServiceKeys,
  formatId,
  type RandomBytes,
  SERVICE_KEY_BYTES,
  type SecretBox,
  type ServiceKeys,
} from '@postrider/domain';
import type { AnyClient } from '../client.ts';
import { inShare } from '../pool.ts';

/** The name of the only stored key, from which the others are derived. */
const NAME = 'service';
/** What the encrypted key is bound to. */
const SERVICE_KEY_BOUND_TO = `service-key:${NAME}`;

/** The stored key cannot be decrypted with the keys of this process. */
export class ServiceKeyLost extends Error {
  constructor(keyId: string | undefined) {
    const missing =
      keyId === undefined ? 'it was changed in the database' : `the key "${keyId}" is not in ENCRYPTION_KEYS`;
    super(
      `The key of suppressed addresses cannot be decrypted: ${missing}. Email of environments with suppressions waits, and ` +
        'suppressions cannot be changed, and the audit log is not chained, until it is available again.',
    );
    this.name = 'ServiceKeyLost';
  }
}

/** The service's own keys, decrypted once per process. */
export interface ServiceKeySource {
  /**
   * The keys. The first process that asks creates and stores them.
   * @throws ServiceKeyLost, or the database's error; the next call tries again
   */
  get(): Promise<ServiceKeys>;
}

async function readEncrypted(db: AnyClient): Promise<string | null> {
  const [row] = await db.$queryRaw<
    { sealed: string }[]
  >`SELECT sealed FROM service_keys WHERE name = ${NAME}`;
  return row?.sealed ?? null;
}

/** If several processes create the key at once, all use the stored one. */
async function createEncrypted(db: AnyClient, secretBox: SecretBox, random: RandomBytes): Promise<string> {
  const made = Buffer.from(random(SERVICE_KEY_BYTES)).toString('base64');
  await db.$executeRaw`
    INSERT INTO service_keys (name, sealed) VALUES (${NAME}, ${secretBox.encrypt(made, SERVICE_KEY_BOUND_TO)})
    ON CONFLICT (name) DO NOTHING`;
  const encrypted = await readEncrypted(db);
  if (encrypted === null) throw new Error('the stored service key was not found');
  return encrypted;
}

/**
 * Creates the {@link ServiceKeySource} of a process. `service_keys` belongs to no environment, so any client can read
 * it.
 */
export function createServiceKeys({
  db,
  secretBox,
  random = randomBytes,
}: {
  readonly db: AnyClient;
  readonly secretBox: SecretBox;
  readonly random?: RandomBytes;
}): ServiceKeySource {
  let loaded: Promise<ServiceKeys> | undefined;

  async function load(): Promise<ServiceKeys> {
    const encrypted = (await readEncrypted(db)) ?? (await createEncrypted(db, secretBox, random));
    const result = secretBox.decrypt(encrypted, SERVICE_KEY_BOUND_TO);
    if (!result.ok) throw new ServiceKeyLost(result.keyId);
    return deriveServiceKeys(Buffer.from(result.plaintext, 'base64'));
  }

  return {
    get() {
      loaded ??= inShare('work', load).catch((error) => {
        loaded = undefined;
        throw error;
      });
      return loaded;
    },
  };
}

/**
 * The key of address hashes for claims. Null while it cannot be decrypted; then `onLost` is called. Rejects with the
 * database's error.
 */
export function createAddressHashKey(
  keys: ServiceKeySource,
  onLost: (error: unknown) => void,
): () => Promise<Uint8Array | null> {
  return async () => {
    try {
      return (await keys.get()).addressHash;
    } catch (error) {
      if (!(error instanceof ServiceKeyLost)) throw error;
      onLost(error);
      return null;
    }
  };
}

/**
 * Re-encrypts the stored key with the current key of `secretBox` if it uses an older one. Returns how many keys were
 * re-encrypted. `tx` is a transaction.
 */
export async function reencryptServiceKey(tx: AnyClient, secretBox: SecretBox): Promise<number> {
  const encrypted = await readEncrypted(tx);
  if (encrypted === null || secretBox.isCurrent(encrypted)) return 0;
  const decrypted = secretBox.decrypt(encrypted, SERVICE_KEY_BOUND_TO);
  if (!decrypted.ok) return 0;
  return tx.$executeRaw`
    UPDATE service_keys SET sealed = ${secretBox.encrypt(decrypted.plaintext, SERVICE_KEY_BOUND_TO)}
     WHERE name = ${NAME} AND sealed = ${encrypted}`;
}

/** What an encrypted address is bound to: the row's UUID, so that it cannot be decrypted as another row's address. */
export const addressBoundTo = (suppressionId: string) => formatId('sup', suppressionId);
