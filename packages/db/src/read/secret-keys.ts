import { setImmediate } from 'node:timers/promises';
import { type ChannelKind, credentialBinding, type SecretBox } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import type { Queryable, UnboundDatabase } from '../client.ts';
import type { EncryptedCredentials } from '../configure/encrypted-credentials.ts';

export interface SecretKey {
  readonly keyId: string;
  /**
   * `current`: encrypts new secrets. `older`: only decrypts. `missing`: secrets encrypted with it cannot be
   * decrypted.
   */
  readonly status: 'current' | 'older' | 'missing';
  /** Secrets encrypted with it. An older key with none can be removed from the configuration. */
  readonly secrets: number;
  /**
   * UUIDs of channels that cannot deliver, ordered by id: the key is missing, or the configured key of that id is another one.
   * At most {@link MAX_CHANNELS}, of the first {@link MAX_TRIED} secrets.
   */
  readonly channelIds: readonly string[];
}

const MAX_CHANNELS = 100;
/** Secrets under each key that are decrypted to find out whether they can be. */
const MAX_TRIED = 1_000;
/** Secrets that are decrypted in one turn of the event loop: some milliseconds. */
const TRIED_PER_TURN = 50;

interface StoredSecret {
  readonly id: string;
  /** The credential's name; null for a secret with its own column. */
  readonly name: string | null;
  readonly encrypted: string;
}

/** The channels of secrets that cannot be decrypted, at most {@link MAX_CHANNELS}. Pauses for other requests. */
async function findUndecryptable(secrets: readonly StoredSecret[], secretBox: SecretBox): Promise<string[]> {
  const channelIds = new Set<string>();
  for (const [index, { id, name, encrypted }] of secrets.entries()) {
    if (index % TRIED_PER_TURN === 0) await setImmediate();
    const { ok } = secretBox.decrypt(encrypted, name === null ? id : credentialBinding(id, name));
    if (!ok) channelIds.add(id);
    if (channelIds.size === MAX_CHANNELS) break;
  }
  return [...channelIds];
}

/**
 * Counts the stored secrets under each key, including the service's own key: the configured keys in their order, then
 * the missing ones. It reads every channel, so it is for operators and not for client requests.
 */
export async function readSecretKeys(db: Queryable, secretBox: SecretBox): Promise<SecretKey[]> {
  const { keyIds } = secretBox;
  const rows = await db.$queryRaw<{ keyId: string; secrets: number; tried: StoredSecret[] }[]>`
    WITH secrets AS (
      SELECT id, stored.name, encrypted, split_part(encrypted, '.', 2) AS key_id
        FROM channels, LATERAL (
          SELECT NULL AS name, unnest(ARRAY[sealed_secret, sealed_previous_secret]) AS encrypted
           UNION ALL SELECT key, value FROM jsonb_each_text(sealed_credentials)) AS stored
       WHERE encrypted IS NOT NULL
      UNION ALL
      SELECT NULL, NULL, sealed, split_part(sealed, '.', 2) FROM service_keys
    ), counts AS (
      SELECT key_id, count(*)::int AS secrets FROM secrets GROUP BY key_id
    )
    SELECT key_id AS "keyId", secrets, tried FROM counts, LATERAL (
      SELECT COALESCE(jsonb_agg(first), '[]') AS tried
        FROM (SELECT id, name, encrypted FROM secrets
               WHERE secrets.key_id = counts.key_id AND id IS NOT NULL ORDER BY id LIMIT ${MAX_TRIED}) AS first) AS samples
     ORDER BY key_id`;
  const found: Omit<SecretKey, 'status'>[] = [];
  for (const { keyId, secrets, tried } of rows)
    found.push({ keyId, secrets, channelIds: await findUndecryptable(tried, secretBox) });
  const configured = keyIds.map((keyId, index) => ({
    ...(found.find((row) => row.keyId === keyId) ?? { keyId, secrets: 0, channelIds: [] }),
    status: index === 0 ? ('current' as const) : ('older' as const),
  }));
  const missing = found
    .filter(({ keyId }) => !keyIds.includes(keyId))
    .map((row) => ({ ...row, status: 'missing' as const }));
  return [...configured, ...missing];
}

/** The data from which the public keys of a channel are derived. */
interface EncryptedSigningKeys {
  readonly kind: ChannelKind;
  readonly credentials: EncryptedCredentials;
  /** Whether the previous secret is still valid. */
  readonly hasOverlap: boolean;
}

/** Look-ups share queries and use one connection at most, because anybody may ask for any id. */
const LOOKUPS = { maxItems: 256, maxInFlight: 1 };

async function readMany(
  db: UnboundDatabase,
  channelIds: readonly string[],
): Promise<(EncryptedSigningKeys | null)[]> {
  const rows = await db.$queryRaw<(EncryptedSigningKeys & { readonly id: string })[]>`
    SELECT id, kind, COALESCE(sealed_credentials, '{}') AS credentials,
           COALESCE(previous_secret_expires_at > now(), false) AS "hasOverlap"
      FROM channels WHERE id = ANY(${channelIds}::uuid[]) AND deleted_at IS NULL`;
  const byId = new Map(rows.map(({ id, ...keys }) => [id, keys]));
  return channelIds.map((id) => byId.get(id) ?? null);
}

/** Finds the encrypted credentials of a channel by its UUID. Null if it does not exist or is deleted. */
export function createSigningKeysLookup(
  db: UnboundDatabase,
): (channelId: string) => Promise<EncryptedSigningKeys | null> {
  return createBatcher((ids: readonly string[]) => readMany(db, ids), LOOKUPS);
}
