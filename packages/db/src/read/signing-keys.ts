import type { ChannelKind } from '@postrider/domain';
import { createBatcher } from '../batcher.ts';
import type { UnboundDatabase } from '../client.ts';
import type { SealedCredentials } from '../configure/sealed-credentials.ts';

/** The data from which the public keys of a channel are derived. */
export interface SealedSigningKeys {
  readonly kind: ChannelKind;
  readonly credentials: SealedCredentials;
  /** Whether the previous secret is still valid. */
  readonly hasOverlap: boolean;
}

/** Look-ups share queries and use one connection at most, because anybody may ask for any id. */
const LOOKUPS = { maxItems: 256, maxInFlight: 1, isItemError: () => false };

async function readMany(
  db: UnboundDatabase,
  channelIds: readonly string[],
): Promise<(SealedSigningKeys | null)[]> {
  const rows = await db.$queryRaw<
    { id: string; kind: ChannelKind; credentials: SealedCredentials | null; overlap: boolean }[]
  >`
    SELECT id, kind, sealed_credentials AS credentials,
           COALESCE(previous_secret_expires_at > now(), false) AS overlap
      FROM channels WHERE id = ANY(${channelIds}::uuid[]) AND deleted_at IS NULL`;
  const byId = new Map(
    rows.map(({ id, kind, credentials, overlap }) => [
      id,
      { kind, credentials: credentials ?? {}, hasOverlap: overlap },
    ]),
  );
  return channelIds.map((id) => byId.get(id) ?? null);
}

/** Finds the encrypted credentials of a channel by its UUID. Null if it does not exist or is deleted. */
export function createSigningKeysLookup(
  db: UnboundDatabase,
): (channelId: string) => Promise<SealedSigningKeys | null> {
  return createBatcher((ids: readonly string[]) => readMany(db, ids), LOOKUPS);
}
